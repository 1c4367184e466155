// SPDX-License-Identifier: EPL-2.0
#include "cli/quick_end.hpp"

namespace osi_cuda::cli {
namespace {

bool asked = false;

}  // namespace

void endQuickly() {
  asked = true;
}

bool endsQuickly() {
  return asked;
}

}  // namespace osi_cuda::cli
