// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// How the fields of an MPS line are told apart.
enum class MpsLayout {
  detect,  ///< between blanks, until a line makes sense by its column positions only
  fixed,   ///< by column positions: 2-3, 5-12, 15-22, 25-36, 40-47, 50-61
  free     ///< between blanks
};

/// The fields of one line that are not empty. The two layouts give the same fields for a line of
/// fixed format without blanks in names, so that what follows need not know the layout.
class MpsFields {
 public:
  static constexpr int most = 7;  // one more than any line may have

  MpsFields(std::string_view line) : end_(line.data() + line.size(), 0) {}

  int count() const { return count_; }
  /// Field i, counted from 0; behind the last one an empty view of the end of the line.
  std::string_view operator[](int i) const { return i < count_ ? words_[i] : end_; }
  void add(std::string_view word) { words_[count_++] = word; }
  bool full() const { return count_ == most; }
  void truncate(int count) { count_ = count; }

 private:
  std::array<std::string_view, most> words_;
  int count_ = 0;
  std::string_view end_;
};

/// The words between blanks.
MpsFields splitFree(std::string_view line);

/// The fields by column positions, or nothing if text stands where fixed format has none.
std::optional<MpsFields> splitFixed(std::string_view line);

/// What `rule` makes of the fields between blanks, or where it refuses those by a ReadError of the
/// fields by column positions, which `fixed` is told of then. Of two refusals the first one is
/// thrown, which explains more.
template <class Rule>
auto parseEitherWay(std::string_view line, Rule const& rule, auto const& fixed) {
  try {
    return rule(splitFree(line));
  } catch (ReadError const&) {
    std::optional<MpsFields> const fields = splitFixed(line);
    if (!fields) throw;
    try {
      auto const result = rule(*fields);
      fixed();
      return result;
    } catch (ReadError const&) {
    }
    throw;
  }
}

}  // namespace osi_cuda::readers
