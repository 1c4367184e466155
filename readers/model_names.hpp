// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string_view>

#include "osi_cuda/model/linear_program.hpp"
#include "readers/line_source.hpp"
#include "readers/name_table.hpp"

namespace osi_cuda::readers {

/// The rows and columns of a model as solution files speak of them: by name and by count. Faults
/// are those of a file: members throw ReadError at the word. `source` and `lp` must outlive it.
class ModelNames {
 public:
  ModelNames(LineSource const& source, LinearProgram const& lp);

  int size(bool isRows) const { return isRows ? lp_.rows() : lp_.columns(); }

  /// The index of the row or column of that name, or NameTable::absent. Files list them in the
  /// model's order mostly, so the one at `position` is tried first.
  int find(std::string_view name, bool isRows, int position) const;
  /// The same of a name that has to be there.
  int index(std::string_view name, bool isRows, int position) const;

  /// A number that has to be size(isRows), or with `orNone` also 0.
  int count(std::string_view word, bool isRows, bool orNone = false) const;

 private:
  LineSource const& source_;
  LinearProgram const& lp_;
  NameTable columns_;
  NameTable rows_;
};

}  // namespace osi_cuda::readers
