// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/response/space.hpp"
#include "studies/response/experiments.hpp"

// What the series of experiments have in common.
namespace osi_cuda::response {

constexpr double rounding = 1e-11;         // of sums of thousands of terms in double precision
constexpr double roundingInSingle = 1e-4;  // of the same in single precision

/// The largest |a - b| over the largest |b|; huge for what is no number.
double difference(std::vector<double> const& a, std::vector<double> const& b);
/// Between -1 and 1, the same on any platform.
std::vector<double> randomNumbers(std::size_t count);
/// The same, 0 at fixed degrees of freedom.
std::vector<double> freeNumbers(Space const& space);
/// The host's product with the assembled matrix, 0 at fixed degrees of freedom.
std::vector<double> hostProduct(Space const& space, Csr const& matrix,
                                std::vector<double> const& x);

/// Stores how long a form took, and whether its values are the reference's.
void storeForm(Measurement m, Store const& store, std::string const& form, double seconds,
               std::vector<double> const& values, std::vector<double> const& reference,
               double enough = rounding);

/// The device's name, or "host".
std::string deviceName(ExperimentSettings const& settings);
/// One, and all, if these are more.
std::vector<int> threadCounts(ExperimentSettings const& settings);

/// Each degree on meshes of about the same number of degrees of freedom: work(space, m) with the
/// measurement's series, problem and size filled in.
void overDegrees(ExperimentSettings const& settings, std::string const& series,
                 std::function<void(Space const&, Measurement)> const& work);

}  // namespace osi_cuda::response
