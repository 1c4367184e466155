// SPDX-License-Identifier: EPL-2.0
// A library that tells when it is loaded: nothing may load it unasked.
#include <cstdio>

[[gnu::constructor]] static void tell() {
  std::fputs("the poisoned module runs\n", stderr);
}
