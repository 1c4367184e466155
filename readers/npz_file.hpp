// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "readers/npy_header.hpp"
#include "readers/output.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::readers {

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
