// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "readers/line_source.hpp"

namespace osi_cuda::readers {

/// Positions by name, for files that speak of an existing model.
class NameIndex {
 public:
  static constexpr int absent = -1;

  /// Of names 0 ... count - 1, where nameOf(i) is the name of i. Of equal names the first counts.
  template <class NameOf>
  NameIndex(int count, NameOf nameOf) {
    names_.reserve(count);
    positions_.reserve(count);
    for (int i = 0; i < count; ++i) names_.push_back(nameOf(i));
    for (int i = 0; i < count; ++i) positions_.emplace(names_[i], i);
  }
  NameIndex(NameIndex const&) = delete;
  NameIndex& operator=(NameIndex const&) = delete;

  int find(std::string_view name) const {
    auto const found = positions_.find(name);
    return found == positions_.end() ? absent : found->second;
  }

 private:
  std::vector<std::string> names_;  // what the keys view
  std::unordered_map<std::string_view, int> positions_;
};

/// The rows and columns of a model as solution files speak of them: by name and by count. Faults
/// are those of a file: members throw ReadError at the word. `source` and `lp` must outlive it.
class ModelNames {
 public:
  ModelNames(LineSource const& source, LinearProgram const& lp);

  int size(bool isRows) const { return isRows ? lp_.rows() : lp_.columns(); }

  /// The index of the row or column of that name, or NameIndex::absent. Files list them in the
  /// model's order mostly, so the one at `position` is tried first.
  int find(std::string_view name, bool isRows, int position) const;
  /// The same of a name that has to be there.
  int index(std::string_view name, bool isRows, int position) const;

  /// A number that has to be size(isRows), or with `orNone` also 0.
  int count(std::string_view word, bool isRows, bool orNone = false) const;

 private:
  LineSource const& source_;
  LinearProgram const& lp_;
  NameIndex columns_;
  NameIndex rows_;
};

}  // namespace osi_cuda::readers
