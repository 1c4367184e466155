// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/blas.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace osi_cuda {

void* findInBlas(char const* name) {
  // OpenBLAS may have LAPACKE inside.
  for (char const* library : {"libopenblas.so.0", "liblapacke.so.3"}) {
    void* const opened = dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (void* const found = opened ? dlsym(opened, name) : nullptr) return found;
  }
  char const* const fault = dlerror();
  throw std::runtime_error(std::string(name) + " is missing: " + (fault ? fault : "no library"));
}

}  // namespace osi_cuda
