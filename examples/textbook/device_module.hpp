// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "examples/textbook/first_tableau.hpp"
#include "examples/textbook/product.hpp"

namespace osi_cuda::textbook {

/// What the shared library TextbookDevice offers, by its one exported function. It is opened at run
/// time, so that the program starts where there is no driver, no device, or no such library. All
/// functions throw EngineUnavailable with one sentence when CUDA can't do what they ask.
struct DeviceModule {
  char const* interface;  ///< a hash of this header and those below; another one is refused
  std::string (*deviceName)();
  Outcome (*simplex)(FirstTableau const&, Variant const&, Limits const&);
  /// Seconds to copy so many bytes from one array in device memory to another.
  double (*copySeconds)(double bytes);
  Product (*product)(ProductForm, Matrices const&, int repeats);
  /// Flop/s of fused multiply-adds on numbers in registers: by the ordinary units, or by the matrix
  /// units.
  double (*peak)(bool matrixUnits);
};

/// What the files of device/ give to the module's table; only there.
namespace device {
Outcome simplex(FirstTableau const& first, Variant const& variant, Limits const& limits);
Product product(ProductForm form, Matrices const& matrices, int repeats);
double peak(bool matrixUnits);
}  // namespace device

/// The module, opened at the first call (examples/common/kernels.hpp). Throws EngineUnavailable.
DeviceModule const& deviceModule();

/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

}  // namespace osi_cuda::textbook
