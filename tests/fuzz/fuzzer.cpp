// SPDX-License-Identifier: EPL-2.0
//
// Entry of libFuzzer; OSI_CUDA_FUZZ_TARGET names the function of fuzz_targets.hpp. An exception
// that a target lets through ends the program and is a finding.
#include <cstddef>
#include <cstdint>

#include "tests/support/fuzz_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  osi_cuda::testing::OSI_CUDA_FUZZ_TARGET({reinterpret_cast<char const*>(data), size});
  return 0;
}
