// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "examples/response/sweeps.hpp"
#include "studies/response/fem_forms.hpp"

namespace osi_cuda::response {

enum class SweepForm {
  fused,      ///< one pass: recurrences as scans over registers, a tile a block
  gtsv2,      ///< cuSPARSE's gtsv2_nopivot, corners by Sherman and Morrison's formula
  gtsv2Batch  ///< the same with gtsv2StridedBatch, which wants the coefficients of every system
};
std::vector<std::string> const& sweepFormNames();

/// Seconds of all systems of a direction, and of a copy of the field on the device.
struct SweepTimes {
  double alongRows = 0.0, alongColumns = 0.0, copy = 0.0;
};

/// What the shared library StudyResponseDevice offers, by its one exported function. It is opened
/// at run time, so that the program starts where there is no driver, no device, or no such library.
/// All functions throw EngineUnavailable with one sentence when CUDA can't do what they ask.
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
  ProductTimes (*timeProductsInDouble)(Csr<double> const&, int repeats);
  ProductTimes (*timeProductsInSingle)(Csr<double> const&, int repeats);
  ManyTimes (*timeManyProducts)(Csr<double> const&, int width, int repeats);
};

/// The module, opened at the first call and never closed; looked for as OSI_CUDA_ENGINE_PATH says
/// (a folder) or beside the program. Throws EngineUnavailable.
Kernels const& kernels();

/// Empty if a device can be used, otherwise the reason.
std::string whyNoKernels();

/// Whether to use the device, from auto, host or cuda. Throws EngineUnavailable for cuda where
/// there is none.
bool usesKernels(std::string const& choice);

}  // namespace osi_cuda::response
