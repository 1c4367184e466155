// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/options.hpp"

/// CUDA is over for a process on whose device a kernel failed: a command begins again as another.
namespace osi_cuda::cli {

/// Whether the command does so, once, where a solve then ends with DeviceLost, which is arranged.
/// `repeatable`: its input can be read again, and what is put out is not put out twice.
bool beginsAgain(Options& options, bool repeatable);
/// Does so, with the same words; returns where the system refuses, or after a signal. `seconds`:
/// what this process took.
void beginAgain(std::string const& reason, double seconds);

/// The process in whose place this one is.
struct Predecessor {
  std::string notice;  ///< why it is gone; empty: there was none
  double seconds = 0.0;
};
Predecessor const& predecessor();

}  // namespace osi_cuda::cli
