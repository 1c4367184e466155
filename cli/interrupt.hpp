// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/options.hpp"

namespace osi_cuda::cli {

/// From here on the first SIGINT or SIGTERM only makes interrupted() true, so that the best point
/// so far can be reported; the second ends the program at once with status 128 + signal.
void catchInterrupts();

/// From here on SIGUSR1 only makes checkpointRequested() true, once each time.
void catchCheckpointRequests();

/// Has a SIGUSR1 come since the last call?
bool checkpointRequested();

/// Has a SIGINT or SIGTERM come since catchInterrupts()?
bool interrupted();

/// Asks main() to end the process without taking down what it holds. A device's memory, the handles
/// of its libraries and its context take some tenths of a second to give back one by one; the
/// system takes them with the process. To be asked for where all output is written and closed.
void endQuickly();

/// Has endQuickly() been called?
bool endsQuickly();

/// CUDA is over for a process on whose device a kernel failed: a command begins again as another.

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
