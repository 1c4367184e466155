// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/card_times.hpp"

#include <algorithm>

#include "osi_cuda/base/memory.hpp"

namespace osi_cuda::bench {
namespace {

struct Seconds {
  double product, factor, solves, tableau, pivots;
};

DeviceWork workOf(SolveCounts const& c) {
  double const m = c.rows, n = c.columns, order = std::min(m, n), other = std::max(m, n);
  DeviceWork work;
  work.rows = m;
  work.columns = n;
  work.order = order;
  work.product = order * order * other;
  work.factor = order * order * order / 3.0;
  work.solve = 2.0 * order * order + 4.0 * m * n;
  work.inverse = inverseOrder(static_cast<int>(order));
  return work;
}

Shape shapeOf(SolveCounts const& c) {
  return {c.rows, c.columns, std::int64_t{c.rows} * c.columns};
}

Seconds secondsOf(Machine const& machine, SolveCounts const& c) {
  DeviceWork const work = workOf(c);
  return {
      c.iterations * std::min(productSeconds(machine, work), roughProductSeconds(machine, work)),
      c.iterations * factorSeconds(machine, work),
      c.iterations * c.solves * normalSolveSeconds(machine, work),
      refactorSeconds(machine, shapeOf(c)),
      c.pivots * devicePivotSeconds(machine, c.rows, c.columns)};
}

}  // namespace

Machine withSlices(Machine machine) {
  machine.device.matrix = std::max(machine.device.matrix, machine.device.bytes / productsOfSlices);
  return machine;
}

std::vector<CardPart> cardParts(Machine const& machine, SolveCounts const& c) {
  DeviceWork const work = workOf(c);
  Seconds const plain = secondsOf(machine, c), sliced = secondsOf(withSlices(machine), c);
  double const cells = work.rows * work.columns;
  bool const bytes = roughProductSeconds(machine, work) < productSeconds(machine, work);
  double const around = sendingSeconds(machine, shapeOf(c)) + provingSeconds(machine, shapeOf(c));
  return {{"products", bytes ? 0.0 : c.iterations * work.product, plain.product, sliced.product},
          {"Cholesky", c.iterations * work.factor, plain.factor, sliced.factor},
          {"solves", c.iterations * c.solves * work.solve, plain.solves, sliced.solves},
          {"tableau", 2.0 * cells * work.order, plain.tableau, sliced.tableau},
          {"pivots", 2.0 * cells * c.pivots, plain.pivots, plain.pivots},
          {"sending and proof", 0.0, around, around}};
}

}  // namespace osi_cuda::bench
