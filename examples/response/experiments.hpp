// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/common/measurements.hpp"
#include "examples/response/space.hpp"

/// What the forms take on this machine, series by series. Throw EngineUnavailable and Failure.
namespace osi_cuda::response {

using examples::Measurement;
using examples::Store;

struct ExperimentSettings {
  std::string device = "auto";
  std::vector<int> degrees{1, 2, 3, 4};
  int cells = 200;                            ///< of the plate, over the degree
  std::vector<std::string> files;             ///< LPs whose matrices products take
  std::string data;                           ///< folder with those that are named; empty: none
  std::vector<int> depths{1, 2, 4, 8, 16};    ///< steps in a pass of tiled products
  std::vector<double> shares{0.1, 0.5, 0.9};  ///< of the host, where it shares with a GPU
  int repeats = 5;
  int threads = 1;  ///< what "all cores" are
  bool onDevice = false;
};

using ExperimentSeries = void(ExperimentSettings const&, Store const&);
ExperimentSeries integrationExperiments, storageExperiments, executorExperiments,  // _elements.cpp
    productExperiments,                                                            // _products.cpp
    tilingExperiments, sharingExperiments;                                         // _sharing.cpp

constexpr double rounding = 1e-11;  // of sums of thousands of terms in double precision

/// Stores how long a form took, and whether its values are the reference's.
void storeForm(Measurement m, Store const& store, std::string const& form, double seconds,
               std::vector<double> const& values, std::vector<double> const& reference,
               double enough = rounding);
/// Between -1 and 1, the same on any platform; 0 at fixed degrees of freedom.
std::vector<double> randomNumbers(std::size_t count);
std::vector<double> freeNumbers(Space const& space);
/// Each degree on meshes of about the same number of degrees of freedom: work(space, m) with the
/// measurement's series, problem and size filled in, as one of the host.
void overDegrees(ExperimentSettings const& settings, std::string const& series,
                 std::function<void(Space const&, Measurement)> const& work);

}  // namespace osi_cuda::response
