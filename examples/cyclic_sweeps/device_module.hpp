// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/cyclic_sweeps/cyclic.hpp"
#include "examples/cyclic_sweeps/maxwell.hpp"

namespace osi_cuda::cyclic_sweeps {

/// How the systems of a step are solved on a device.
enum class Form {
  plain,    ///< a thread a system, all coefficients in global memory
  tables,   ///< a thread a system, tables that all share; rows go through shared memory by tiles
  library,  ///< cuSPARSE's gtsv2StridedBatch, corners by Sherman and Morrison's formula
  fused     ///< one pass: recurrences as scans over registers; on several devices as well
};
inline std::vector<std::string> const formNames{"plain", "tables", "gtsv2", "fused"};

/// A field in the memory of one or several devices.
class DeviceField {
 public:
  virtual ~DeviceField() = default;
  virtual void upload(std::vector<double> const& field) = 0;
  virtual std::vector<double> download() = 0;
  /// Steps one after the other; their seconds by the clock of the first device.
  virtual double step(int count) = 0;
};

/// What the shared library CyclicSweepsDevice offers. All functions throw EngineUnavailable.
struct DeviceModule {
  char const* interface;
  std::string (*deviceName)();
  int (*deviceCount)();
  std::unique_ptr<DeviceField> (*makeField)(Grid const&, Form);
  /// The fused form with the rows in shares, one a device in this order; a device may be named
  /// twice. Every share has at least Factors::reach() rows.
  std::unique_ptr<DeviceField> (*makeShares)(Grid const&, std::vector<int> const& devices);
  /// splitMaxwell() on device 0; seconds a step.
  double (*splitMaxwell)(MaxwellField&, double step, int steps);
  double (*copySeconds)(double bytes);  ///< of a copy on device 0
};

/// Opened at the first call. Throws EngineUnavailable.
DeviceModule const& deviceModule();
/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

}  // namespace osi_cuda::cyclic_sweeps
