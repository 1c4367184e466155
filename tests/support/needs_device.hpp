// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace osi_cuda::testing {

/// A global fixture of Boost.Test for programs that are nothing without a device: where `whyNot`
/// gives a reason, ends the program with the status that CTest takes for "skipped".
template <std::string (*whyNot)()>
struct NeedsDevice {
  NeedsDevice() {
    std::string const reason = whyNot();
    if (reason.empty()) return;
    std::printf("skipped: %s\n", reason.c_str());
    std::exit(77);
  }
};

}  // namespace osi_cuda::testing
