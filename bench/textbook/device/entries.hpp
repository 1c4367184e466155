// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "bench/textbook/device_module.hpp"

/// What the files of this folder give to the module's table.
namespace osi_cuda::textbook::device {

Outcome simplex(FirstTableau const& first, Variant const& variant, Limits const& limits);
double copySeconds(double bytes);
Product product(ProductForm form, Matrices const& matrices, int repeats);
double peak(bool matrixUnits);

}  // namespace osi_cuda::textbook::device
