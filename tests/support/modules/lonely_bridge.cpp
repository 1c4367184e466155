// SPDX-License-Identifier: EPL-2.0
// A bridge whose solver's library is missing.
extern "C" char const* osiCudaAbsentLibrary();

extern "C" char const* osiCudaBridge() {
  return osiCudaAbsentLibrary();
}
