// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "readers/output.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::readers {

/// What a .npy file says of its array before the numbers begin.
struct NpyHeader {
  /// NumPy's letter: f floating point, i and u integers, b truth values, S bytes, U Unicode.
  char kind = 'f';
  std::uint64_t itemSize = 8;  ///< bytes of an element
  bool bigEndian = false;
  bool fortranOrder = false;  ///< the first index runs fastest
  std::vector<std::uint64_t> shape;
  std::uint64_t size = 0;  ///< bytes of the header itself, before the elements

  std::uint64_t elements() const;  ///< product of the shape
};

/// Bytes of a file that tell how long its header is.
inline constexpr std::size_t npyStart = 12;

/// Length of the whole header of which `start` holds the first npyStart bytes, or nothing where
/// they begin no .npy file of version 1, 2 or 3.
std::optional<std::uint64_t> npyHeaderSize(std::string_view start);

/// Reads a header: a Python dictionary of descr, fortran_order and shape. Throws InputFault for
/// anything but plain numbers and texts (records, objects, dates, complex numbers), and for shapes
/// whose bytes do not fit 63 bits. Source of the format: NumPy's documentation of numpy.lib.format.
NpyHeader parseNpyHeader(std::string_view header);

/// Which index of an array runs fastest.
enum class NpyOrder { fortran, c };

/// The header that NumPy would write for an array in that order, little endian; `descr` as "<f8".
std::string npyHeader(std::string_view descr, std::vector<std::uint64_t> const& shape,
                      NpyOrder order = NpyOrder::fortran);

/// Arrays on their way to a NumPy archive, stored as numpy.savez does it. `shape` is that of the
/// values, all of which have to be there. Throws WriteError.
class NpzFile {
 public:
  using Shape = std::vector<std::uint64_t>;
  using Content = std::function<void(ZipWriter::Sink const&)>;

  /// `path` is created or overwritten; `-` is standard output.
  explicit NpzFile(std::string const& path);
  /// `out` must outlive the object, and is the caller's to close.
  explicit NpzFile(Output& out);

  /// Numbers (double, int, std::int64_t) or, as char, truth values; the last index runs fastest.
  template <std::ranges::contiguous_range Values>
  void add(std::string const& name, Shape const& shape, Values const& values) {
    using Value = std::remove_cv_t<std::ranges::range_value_t<Values>>;
    put(name, npyHeader(description<Value>(), shape, NpyOrder::c), bytesOf(values));
  }
  /// Doubles of which `content`, called twice, gives the bytes; the first index runs fastest.
  void add(std::string const& name, Shape const& shape, Content const& content);
  /// A vector of texts, as bytes (UTF-8) filled up with zeros to the longest. One that ends with a
  /// zero byte comes back shorter.
  void add(std::string const& name, std::span<std::string const> texts);
  /// A text by itself.
  void addText(std::string const& name, std::string const& text);

  /// To be called once, at the end.
  void close();

  template <std::ranges::contiguous_range Values>
  static std::string_view bytesOf(Values const& values) {
    auto const bytes = std::as_bytes(std::span(values));
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
  }

 private:
  template <class Value>
  static constexpr char const* description() {
    if constexpr (std::is_same_v<Value, char>) return "|b1";
    if constexpr (std::is_same_v<Value, double>) return "<f8";
    static_assert(std::is_same_v<Value, char> || std::is_same_v<Value, double> ||
                  std::is_same_v<Value, int> || std::is_same_v<Value, std::int64_t>);
    return sizeof(Value) == sizeof(int) ? "<i4" : "<i8";
  }
  void put(std::string const& name, std::string const& header, Content const& content);
  void put(std::string const& name, std::string const& header, std::string_view bytes);

  std::unique_ptr<Output> own_;  // null: the caller's
  ZipWriter zip_;
};

}  // namespace osi_cuda::readers
