// SPDX-License-Identifier: EPL-2.0
#include "studies/response/measuring.hpp"

#include <fmt/format.h>

#include <cmath>

#include "examples/common/random.hpp"
#include "studies/response/device_module.hpp"

namespace osi_cuda::response {

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double size = 1e-300, most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    double const one = std::abs(a[k] - b[k]);
    most = std::isnan(one) ? 1e300 : std::max(most, one);
  }
  return most / size;
}

std::vector<double> randomNumbers(std::size_t count) {
  examples::Random random(1);
  std::vector<double> values(count);
  for (double& value : values) value = 2.0 * random.uniform() - 1.0;
  return values;
}

std::vector<double> freeNumbers(Space const& space) {
  std::vector<double> x = randomNumbers(std::size_t(space.dofs));
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) x[k] = 0.0;
  return x;
}

std::vector<double> hostProduct(Space const& space, Csr const& matrix,
                                std::vector<double> const& x) {
  std::vector<double> y(x.size());
  matrix.multiply(x.data(), y.data());
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) y[k] = 0.0;
  return y;
}

void storeForm(Measurement m, Store const& store, std::string const& form, double seconds,
               std::vector<double> const& values, std::vector<double> const& reference,
               double enough) {
  m.form = form;
  m.seconds = seconds;
  m.error = difference(values, reference);
  m.ok = m.error < enough;
  store(m);
}

std::string deviceName(ExperimentSettings const& settings) {
  return settings.onDevice ? kernels->deviceName() : "host";
}

std::vector<int> threadCounts(ExperimentSettings const& settings) {
  if (settings.threads == 1) return {1};
  return {1, settings.threads};
}

void overDegrees(ExperimentSettings const& settings, std::string const& series,
                 std::function<void(Space const&, Measurement)> const& work) {
  for (int const degree : settings.degrees) {
    PlateSettings plate;
    plate.cells = std::max(4, settings.cells / degree);
    Mesh const mesh = generatePlate(plate);
    Space const space = makeSpace(mesh, degree);
    Measurement m;
    m.series = series;
    m.problem = fmt::format("degree {}, {} triangles, {} degrees of freedom", degree,
                            mesh.triangles.size(), space.dofs);
    m.size = degree;
    work(space, m);
  }
}

}  // namespace osi_cuda::response
