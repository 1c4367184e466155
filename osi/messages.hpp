// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "CoinMessageHandler.hpp"

namespace osi_cuda::osi {

/// A message to the application's message handler, when its log level is at least `detail`:
/// 0 warnings, 1 the outcome of a solve, 2 progress.
inline void say(CoinMessageHandler& handler, int number, int detail, std::string const& sentence,
                char severity = 'I') {
  if (handler.logLevel() < detail) return;
  // The handler has room for 400 characters, and takes the text as it is.
  handler.message(number, "OsiCuda", sentence.substr(0, 380).c_str(), severity) << CoinMessageEol;
}

}  // namespace osi_cuda::osi
