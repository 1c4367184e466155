// SPDX-License-Identifier: EPL-2.0
#include "examples/response/products.hpp"

namespace osi_cuda::response {
namespace {

/// The neighbour with one parameter doubled (direction 1) or halved (-1), if there is one.
bool moved(ProductShape& s, int parameter, int direction) {
  int* const value = parameter == 0 ? &s.perRow : parameter == 1 ? &s.block : &s.rows;
  int const low[] = {1, 64, 1}, high[] = {mostPerRow, 512, 8};
  if (parameter > 0 && s.perRow > 32) return false;  // the row's block is all there is
  int const next = direction > 0 ? *value * 2 : *value / 2;
  if (next < low[parameter] || next > high[parameter]) return false;
  *value = next;
  return true;
}

}  // namespace

ProductShape fixedRule(double meanLength) {
  ProductShape shape;
  while (shape.perRow < mostPerRow && shape.perRow * 2 < meanLength) shape.perRow *= 2;
  return shape;
}

std::vector<ProductShape> allShapes() {
  std::vector<ProductShape> shapes;
  for (int perRow = 1; perRow <= 32; perRow *= 2)
    for (int block = 64; block <= 512; block *= 2)
      for (int rows = 1; rows <= 8; rows *= 2) shapes.push_back({perRow, block, rows});
  for (int perRow = 64; perRow <= mostPerRow; perRow *= 2) shapes.push_back({perRow, 128, 1});
  return shapes;
}

int tune(ProductShape& best, std::function<double(ProductShape const&)> const& seconds) {
  constexpr int products = 4;
  int trials = products;
  double least = seconds(best);
  for (int parameter = 0; parameter < 3; ++parameter)
    for (int const direction : {1, -1})
      for (ProductShape next = best; moved(next, parameter, direction);) {
        double const now = seconds(next);
        trials += products;
        if (now >= least) break;
        least = now;
        best = next;
      }
  return trials;
}

}  // namespace osi_cuda::response
