// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "examples/response/csr.hpp"

namespace osi_cuda::response {

/// How y = A x is dealt to a device's threads: threads a row (above 32 a block of its own), threads
/// a block, and rows that a group of threads takes one after the other.
struct ProductShape {
  int perRow = 1, block = 128, rows = 1;
  auto operator<=>(ProductShape const&) const = default;
};
constexpr int mostPerRow = 512;

/// About two entries a thread, in blocks of 128, a row at a time.
ProductShape fixedRule(double meanLength);
/// All shapes that there are: 100.
std::vector<ProductShape> allShapes();

/// Searches from `shape` along one parameter after the other, as long as it helps, while a solver's
/// products go on: each shape gets four products, of which `seconds` times three. Returns the
/// number of products.
int tune(ProductShape& shape, std::function<double(ProductShape const&)> const& seconds);

/// Products with one matrix on a device, in double or single precision.
class DeviceProducts {
 public:
  virtual ~DeviceProducts() = default;
  /// Median seconds of a product, of `repeats` times `inner` of them.
  virtual double multiply(ProductShape const& shape, int repeats, int inner) = 0;
  /// Y = A X with 32 columns: a lane a column.
  virtual double multiplyMany(int repeats, int inner) = 0;
  /// The same by the best of cuSPARSE's algorithms for CSR; after its preprocessing.
  virtual double library(int repeats, int inner) = 0;
  virtual double libraryMany(int repeats, int inner) = 0;
  /// What the last of these computed; forgotten then.
  virtual std::vector<double> result() = 0;
};
constexpr int manyColumns = 32;

}  // namespace osi_cuda::response
