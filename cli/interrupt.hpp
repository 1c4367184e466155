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

}  // namespace osi_cuda::cli
