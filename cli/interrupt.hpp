// SPDX-License-Identifier: EPL-2.0
#pragma once

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

}  // namespace osi_cuda::cli
