// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::readers {

/// A name of the model that a format can't hold, and what stands for it in the file.
struct Renamed {
  std::string kind;  ///< "row", "column" or "objective"
  std::string from;
  std::string to;
  bool operator==(Renamed const&) const = default;
};

/// The names that a file gets: those of the model as far as the format can hold them and they are
/// not given twice, else R1, R2, ... and C1, C2, ... (by position), made unique by underscores.
struct WrittenNames {
  std::vector<std::string> rows;     ///< length m
  std::vector<std::string> columns;  ///< length n
  std::string objective;             ///< no name of a row
  std::vector<Renamed> renamed;
};

/// `canHold` answers for a name that is not empty whether the format can hold it.
WrittenNames namesFor(LinearProgram const& lp,
                      std::function<bool(std::string_view)> const& canHold);

}  // namespace osi_cuda::readers
