// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "readers/input.hpp"
#include "readers/npz_file.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::readers {

/// Something to do for each of many parts of an array: by several threads, in any order.
struct NpzWork {
  int threads = 1;
  std::function<bool()> interrupted;  ///< asked by the calling thread; may be null

  /// Calls part(k) for k = 0 ... count - 1. Throws what one of them throws, or ReadInterrupted;
  /// parts that have not begun are left out then.
  void forEach(std::int64_t count, std::function<void(std::int64_t)> const& part) const;
};

/// Elements of which one run stays in a core's second cache.
inline constexpr std::uint64_t usualRun = std::uint64_t{1} << 17;

/// One array of an archive.
class NpzArray {
 public:
  /// `file` and `member` must outlive the array. Throws InputFault where the member is no array, or
  /// not as long as its header says.
  NpzArray(RandomAccess const& file, ZipMember const& member);

  std::string const& name() const { return name_; }
  NpyHeader const& header() const { return header_; }
  bool isNumber() const { return header_.kind != 'S' && header_.kind != 'U'; }
  bool isText() const { return !isNumber(); }
  bool isInteger() const { return isNumber() && header_.kind != 'f'; }
  /// "2500" or "5000 x 2500", for messages.
  std::string shapeText() const;
  /// Bytes that its elements take in memory, as numbers of eight bytes or as texts.
  std::uint64_t expandedSize() const;

  /// All elements in the order of the file; numbers as the nearest doubles. Throws InputFault.
  std::vector<double> numbers(NpzWork const& work) const;
  std::vector<std::int64_t> integers(NpzWork const& work) const;
  std::vector<std::string> texts(NpzWork const& work) const;

  /// Reads an array of numbers to `place`, in the order of the file. `take(first, values)` sees
  /// every run of `perRun` elements there, in any order and from several threads. Without a place
  /// each run is in memory of its own, for that call.
  void forEachRun(std::uint64_t perRun, double* place, NpzWork const& work,
                  std::function<void(std::uint64_t, std::span<double const>)> const& take) const;

 private:
  /// Gives the elements' bytes in order, some at a time, all in whole elements.
  void forEachBlock(
      NpzWork const& work,
      std::function<void(std::uint64_t first, std::span<char const>)> const& take) const;
  bool isNative() const;

  RandomAccess const& file_;
  ZipMember const& member_;
  std::string name_;
  NpyHeader header_;
};

/// All arrays of an archive, by name. Faults are ReadErrors of the archive or of one of its arrays.
class NpzArchive {
 public:
  /// `file` and `name` must outlive the archive. An array whose name is not among `known` is a
  /// fault: it may be one that is misspelt; so are two of one name, and arrays that take more than
  /// `most` bytes together.
  /// Names of another convention, `foreign`, are known as well; where one of the first `telling` of
  /// them is there, an array with an unknown name is left out.
  NpzArchive(RandomAccess const& file, std::string const& name, std::span<char const* const> known,
             std::uint64_t most, std::span<char const* const> foreign = {},
             std::size_t telling = 0);

  /// The names of those, separated by commas.
  std::string const& leftOut() const { return leftOut_; }

  std::vector<NpzArray> const& arrays() const { return arrays_; }
  NpzArray const* find(std::string const& array) const;  ///< null: there is none

  [[noreturn]] void fail(std::string const& array, std::string expected, std::string found) const;
  /// The result of `work` on an array; its faults get the array's name.
  template <class Work>
  auto of(std::string const& array, Work const& work) const {
    try {
      return work();
    } catch (InputFault const& fault) {
      fail(array, fault.expected, fault.found);
    }
  }

 private:
  std::string const& name_;
  std::vector<ZipMember> members_;
  std::vector<NpzArray> arrays_;
  std::string leftOut_;
};

}  // namespace osi_cuda::readers
