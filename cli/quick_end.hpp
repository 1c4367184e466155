// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::cli {

/// Asks main() to end the process without taking down what it holds. A device's memory, the handles
/// of its libraries and its context take some tenths of a second to give back one by one; the
/// system takes them with the process. To be asked for where all output is written and closed.
void endQuickly();

/// Has endQuickly() been called?
bool endsQuickly();

}  // namespace osi_cuda::cli
