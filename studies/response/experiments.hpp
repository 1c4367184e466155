// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "studies/kit/experiment.hpp"

/// What the forms take on this machine, series by series.
namespace osi_cuda::response {

using studies::Measurement;
using studies::Store;

struct ExperimentSettings {
  std::string device = "auto";
  std::vector<std::string> sizes;  ///< ROWSxCOLUMNS of sweeps
  std::vector<std::string> forms;  ///< of sweeps on a device, by name; empty: all, and the host's
  std::vector<int> degrees{1, 2, 3, 4};
  int cells = 200;                 ///< of the plate
  std::vector<std::string> files;  ///< LPs whose matrices products take
  std::string data;                ///< folder with those that are named; empty: none
  double r = 4.0;
  int repeats = 5;
  int threads = 1;  ///< what "all cores" are
  bool onDevice = false;
};

using ExperimentSeries = void(ExperimentSettings const&, Store const&);
ExperimentSeries sweepExperiments, integrationExperiments, storageExperiments, productExperiments,
    executorExperiments, maxwellExperiments;

/// Names for ExperimentSettings::forms.
std::vector<std::string> deviceFormNames();

}  // namespace osi_cuda::response
