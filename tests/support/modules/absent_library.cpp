// SPDX-License-Identifier: EPL-2.0
// A library that is there when a module is linked and that the loader does not find.
extern "C" char const* osiCudaAbsentLibrary() {
  return "0";
}
