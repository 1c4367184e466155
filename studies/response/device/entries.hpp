// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "studies/response/device_module.hpp"

// What the module's table points to.
namespace osi_cuda::response::device {

SweepTimes sweepOnDevice(SweepCase const& grid, SweepForm form, std::vector<double>& field,
                         int steps, int repeats);  // sweeps.cu
double sweepOnTwoDevices(SweepCase const& grid, std::vector<double>& field, int steps,
                         int secondDevice);                         // sweeps_two.cu
std::unique_ptr<DeviceFem> makeFem(Space const& space);             // fem.cu
ProductTimes timeProductsInDouble(Csr const& matrix, int repeats);  // products.cu
ProductTimes timeProductsInSingle(Csr const& matrix, int repeats);
ManyTimes timeManyProducts(Csr const& matrix, int width, int repeats);

}  // namespace osi_cuda::response::device
