// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "bridges/bridge.hpp"

// The bridges of this library; which of them exist is decided when it is built. Not installed.

namespace osi_cuda {

BridgePointer makeGlpkBridge();
BridgePointer makeLpSolveBridge();
BridgePointer makeClpBridge();
BridgePointer makeHighsBridge();

}  // namespace osi_cuda
