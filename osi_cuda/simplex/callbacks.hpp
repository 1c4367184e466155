// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace osi_cuda {

/// What the solver is doing, handed to Callbacks::progress every K pivots or so.
struct Progress {
  std::int64_t iterations = 0;
  double seconds = 0.0;  ///< since the solve began
  double objective = 0.0;
  double infeasibility = 0.0;  ///< sum, of the kind that the running algorithm removes
  char const* phase = "";      ///< "primal 1", "primal 2", "dual 1", "dual 2"
};

/// How a solve speaks to its caller. Each may be empty. They are called from the thread that
/// called solve().
struct Callbacks {
  std::function<void(Progress const&)> progress;
  std::function<bool()> interrupted;               ///< true: stop soon, with the best point so far
  std::function<void(std::string const&)> notice;  ///< one sentence a caller may want to log
};

}  // namespace osi_cuda
