// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/common/module.hpp"
#include "examples/response/sweeps.hpp"
#include "studies/response/fem_forms.hpp"

namespace osi_cuda::response {

enum class SweepForm {
  fused,      ///< one pass: recurrences as scans over registers, a tile a block
  gtsv2,      ///< cuSPARSE's gtsv2_nopivot, corners by Sherman and Morrison's formula
  gtsv2Batch  ///< the same with gtsv2StridedBatch, which wants the coefficients of every system
};
inline std::vector<std::string> const sweepFormNames{"fused", "gtsv2", "gtsv2-batch"};

/// Seconds of all systems of a direction, and of a copy of the field on the device.
struct SweepTimes {
  double alongRows = 0.0, alongColumns = 0.0, copy = 0.0;
};

/// What the shared library StudyResponseDevice offers, by its one exported function.
struct Kernels {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  int (*deviceCount)();
  /// `steps` steps of the field, in place; times of single directions, medians over `repeats`.
  SweepTimes (*sweep)(SweepCase const&, SweepForm, std::vector<double>& field, int steps,
                      int repeats);
  /// The fused form with the rows in halves on the devices 0 and `secondDevice`, which reads what
  /// it needs of the other half over the link between them; 0: both halves on device 0. Returns
  /// seconds a step.
  double (*sweepOnTwo)(SweepCase const&, std::vector<double>& field, int steps, int secondDevice);
  std::unique_ptr<DeviceFem> (*makeFem)(Space const&);  ///< the space must outlive it
  ProductTimes (*timeProductsInDouble)(Csr const&, int repeats);
  ProductTimes (*timeProductsInSingle)(Csr const&, int repeats);
  ManyTimes (*timeManyProducts)(Csr const&, int width, int repeats);
};

inline constexpr examples::DeviceModule<Kernels> kernels{"StudyResponseDevice.so",
                                                         "studyResponseDevice"};

}  // namespace osi_cuda::response
