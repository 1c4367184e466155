// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace osi_cuda {
namespace {

constexpr double neverPays = std::numeric_limits<double>::infinity();

/// How many times as long as the reference a machine takes for what each rate bounds; exactly 1 for
/// the reference itself.
class Slowness {
 public:
  explicit Slowness(Machine const& machine) : host_(machine.host), device_(machine.device) {}
  double dense() const { return of_.host.dense / host_.dense; }
  double stream() const { return of_.host.stream / host_.stream; }
  double sparse() const { return of_.host.sparse / host_.sparse; }
  double fp64() const { return of_.device.fp64 / device_.fp64; }
  double matrix() const { return of_.device.matrix / device_.matrix; }
  double bytes() const { return of_.device.bytes / device_.bytes; }
  double bandwidth() const { return of_.device.bandwidth / device_.bandwidth; }
  double copy() const { return of_.device.copy / device_.copy; }
  double link() const { return of_.device.link / device_.link; }
  double launch() const { return device_.launch / of_.device.launch; }
  double barrier() const { return device_.barrier / of_.device.barrier; }
  double opening() const { return device_.opening / of_.device.opening; }
  double wait() const { return device_.wait / of_.device.wait; }

 private:
  Machine const& of_ = referenceMachine();
  HostRates const& host_;
  DeviceRates const& device_;
};

constexpr double hostEntrySeconds = 0.25e-9,
                 hostLineSeconds = 40e-9;  // of a tableau on the processor
/// A pivot on a device: two grid barriers and what else is in between, and an entry of the tableau:
/// two operations of a block update, and its share of the update's passes.
double pivotLatency(Slowness const& slow) {
  return 7e-6 * slow.barrier();
}
double pivotEntry(Slowness const& slow) {
  return 4e-14 * slow.matrix() + 4e-14 * slow.bandwidth();
}

}  // namespace

double tableauPivotSeconds(Machine const& machine, double rows, double columns) {
  Slowness const slow(machine);
  return hostEntrySeconds * slow.stream() * rows * columns +
         hostLineSeconds * slow.sparse() * (rows + columns);
}

// Measured as re-solves a second under branch and bound and as whole solves. Small problems mostly
// have sparse factors however dense their rows are; of large ones that is not to be expected. Slack
// bases of many rows cost the factors more than a tableau of few columns.
double factoredPivotSeconds(Machine const& machine, double rows, double columns, double nonzeros) {
  constexpr double smallCells = 6e4;
  double const perNonzero = rows * columns <= smallCells ? 5.0 : 15.0;  // entries of a tableau
  double const entries = perNonzero * nonzeros + 30.0 * rows + 5.0 * columns;
  double const slow = Slowness(machine).sparse();
  return hostEntrySeconds * slow * entries + hostLineSeconds * slow * (rows + columns);
}

double devicePivotSeconds(Machine const& machine, double rows, double columns) {
  Slowness const slow(machine);
  return pivotLatency(slow) + pivotEntry(slow) * rows * columns;
}

double hostPivotSeconds(Machine const& machine, Shape const& shape) {
  return std::min(
      factoredPivotSeconds(machine, shape.rows, shape.columns, static_cast<double>(shape.nonzeros)),
      tableauPivotSeconds(machine, shape.rows, shape.columns));
}

double factoredVectorsSeconds(Machine const& machine) {
  return 8e-6 * Slowness(machine).sparse();
}

double passedEntrySeconds(Machine const& machine, bool precise) {
  return (precise ? 40e-9 : 2.3e-9) * Slowness(machine).sparse();
}

// Longer columns fill the factors in, up to a tableau; bases of two entries a column, as networks
// have them, are triangular.
double filledPivotSeconds(Machine const& machine, Shape const& shape) {
  constexpr double triangular = 2.0, usual = 5.0, least = 0.05;
  double const length = static_cast<double>(shape.nonzeros) / std::max(1, shape.columns);
  double const fill = std::max(least, (length - triangular) / (usual - triangular));
  return fill * factoredPivotSeconds(machine, shape.rows, shape.columns,
                                     static_cast<double>(shape.nonzeros));
}

double hostPivotsSeconds(Machine const& machine, Shape const& shape) {
  return usualPivotsOfLine * std::min(shape.rows, shape.columns) *
         std::min(filledPivotSeconds(machine, shape),
                  tableauPivotSeconds(machine, shape.rows, shape.columns));
}

bool factorsAreFaster(Machine const& machine, double rows, double columns, double nonzeros,
                      std::optional<bool> held) {
  constexpr double muchFaster = 2.0;
  double const factors = factoredPivotSeconds(machine, rows, columns, nonzeros),
               tableau = tableauPivotSeconds(machine, rows, columns);
  if (!held) return factors < tableau;
  return *held ? factors <= muchFaster * tableau : muchFaster * factors < tableau;
}

// A refactorisation of a dense basis costs some 20 p^3 operations, of a sparse one hardly more than
// its nonzeros; two seconds' worth of the former, and what a pivot's products cost, bound the use.
// A fifth of a second bounds what comes before anything else.
bool preciseIsOfUse(double rows, double columns, double nonzeros) {
  bool const sparse = nonzeros < 0.1 * rows * columns;
  return nonzeros <= 2e6 && (sparse || std::min(rows, columns) <= 500.0);
}
bool preciseIsQuick(double rows, double columns, double nonzeros) {
  double const side = std::min(rows, columns);
  bool const sparse = nonzeros < 0.1 * rows * columns;
  return nonzeros <= 2e5 && (sparse || side * side * side <= 4e6);
}

namespace {

/// Where a pivot takes as long on the device as on the processor.
double evenCells(Machine const& machine) {
  Slowness const slow(machine);
  double const gain = hostEntrySeconds * slow.stream() - pivotEntry(slow);
  return gain > 0.0 ? pivotLatency(slow) / gain : neverPays;
}

}  // namespace

// 250,000 on the reference machine, where a first solve was measured (docs/evidence/dense.md); it
// moves as the size at which pivots take as long on both.
double deviceCells(Machine const& machine) {
  return 2.5e5 * (evenCells(machine) / evenCells(referenceMachine()));
}

// Beyond 4 million a solve there can take a thousand times as long as the device needed.
double lastAttemptCells(Machine const& machine) {
  return 16.0 * deviceCells(machine);
}

double openingSeconds(Machine const& machine) {
  return 0.35 * Slowness(machine).opening();
}

// On a device: docs/evidence/osi.md.
double resolvesSeconds(Machine const& machine, bool onDevice, Shape const& shape, double solves,
                       double pivots, double reshapes) {
  if (!onDevice) return shareBySize * (solves + pivots) * hostPivotSeconds(machine, shape);
  Slowness const slow(machine);
  double const around = 4e-4 * slow.wait(), reshape = 6e-4 * slow.wait(),
               passes = 4e-11 * slow.bandwidth();  // of an entry
  return around * solves + reshape * reshapes + passes * shape.cells() * (solves + reshapes) +
         pivots * devicePivotSeconds(machine, shape.rows, shape.columns);
}

// Of a digit of 60 bits in a solve with the factors, a component and the digits before it: what
// pilot87 takes; most problems of docs/evidence/exact.md take a tenth of it.
double exactSolveSeconds(Machine const& machine, double size, double entries, double nonzeros,
                         double digits) {
  double const slow = Slowness(machine).sparse(), ofDigits = 5e-10 * slow, ofEntry = 2e-8 * slow;
  return ofDigits * size * digits * digits + ofEntry * (entries * digits + nonzeros);
}

double barrierCountSeconds(Machine const& machine, double nonzeros) {
  double const slow = Slowness(machine).sparse();
  return 2e-4 * slow + 3e-7 * slow * nonzeros;
}

// An iteration takes some 50 passes over the matrix, and there are at least a dozen.
double quarterOfBarrierSeconds(Machine const& machine, double nonzeros) {
  return 1e-6 * Slowness(machine).stream() * nonzeros;
}

// Half a pivot for each row and column, each a microsecond and half a nanosecond an entry (one
// core, 10 x 10 to 200 x 200, docs/guide/batch.md).
double smallSolveSeconds(Machine const& machine, double rows, double columns) {
  Slowness const slow(machine);
  return 0.5 * (rows + columns) * (1e-6 * slow.sparse() + 5e-10 * slow.stream() * rows * columns);
}

// Some passes over the tableau for the proof, and some tens of pivots.
double variantSeconds(Machine const& machine, double rows, double columns) {
  Slowness const slow(machine);
  return 3e-9 * slow.stream() * rows * columns +
         30 * (2e-6 * slow.sparse() + 1e-8 * slow.sparse() * (rows + columns));
}

namespace {

/// The device's own seconds count, too: a hundredth of those of a processor, and more where its
/// double precision is slow. Exactly 1 for the reference.
double netOfDevice(Machine const& machine) {
  constexpr double share = 0.01;
  Slowness const slow(machine);
  double const left = 1.0 - share * slow.fp64() / slow.stream();
  return left > 0.0 ? (1.0 - share) / left : neverPays;
}

}  // namespace

double batchWorthDevice(Machine const& machine, bool open) {
  Slowness const slow(machine);
  return netOfDevice(machine) * (open ? 2e-3 * slow.wait() : 0.5 * slow.opening());
}

double variantsWorthDevice(Machine const& machine, bool open) {
  Slowness const slow(machine);
  return netOfDevice(machine) * (open ? 5e-3 * slow.wait() : slow.opening());
}

double scatteredOnHost(Machine const& machine) {
  Slowness const slow(machine);
  return 10.0 * (slow.sparse() / slow.dense());
}
double scatteredOnDevice(Machine const& machine) {
  Slowness const slow(machine);
  return 300.0 * (slow.bandwidth() / slow.matrix());
}

// One core makes some 20 billion operations a second in dense products. Some hundred passes over
// vectors of all variables come with every iteration.
double hostIterationSeconds(Machine const& machine, double operations, double threads,
                            double variables) {
  Slowness const slow(machine);
  double const rate = 2e10 / slow.dense(), ofVariable = 1.5e-7 * slow.stream();
  return operations / (rate * threads) + ofVariable * variables;
}

namespace {

/// A device gets its columns of the others' triangles, or the first one all, and adds them.
double exchangeSeconds(Slowness const& slow, DeviceWork const& work) {
  double const bytesPerSecond = 3e12 / slow.bandwidth(), eachPanel = 2e-5 * slow.launch(),
               linkBytesPerSecond = 3.9e11 / slow.link();
  double const bytes = sizeof(double) * work.order * work.order / 2.0;
  return (work.shares - 1.0) / (work.sharesFactor ? work.shares : 1.0) *
         (bytes / linkBytesPerSecond + 3.0 * bytes / bytesPerSecond + eachPanel * work.panels);
}

/// To read or to write the numbers of A.
double matrixSeconds(Slowness const& slow, DeviceWork const& work) {
  double const bytesPerSecond = 3e12 / slow.bandwidth();
  return sizeof(double) * work.rows * work.columns / bytesPerSecond;
}

}  // namespace

// Measured on one H200 (docs/evidence/dense.md). A is scaled, or split into bytes, before.
double productSeconds(Machine const& machine, DeviceWork const& work) {
  Slowness const slow(machine);
  double const operations = 4.8e13 / slow.matrix();
  return (work.product / operations + 2.0 * matrixSeconds(slow, work)) / work.shares +
         exchangeSeconds(slow, work);
}

double roughProductSeconds(Machine const& machine, DeviceWork const& work) {
  Slowness const slow(machine);
  double const operations = 3.6e14 / slow.bytes(), launches = 1e-4 * slow.launch();
  return launches + (work.product / operations + 3.0 * matrixSeconds(slow, work)) / work.shares +
         exchangeSeconds(slow, work);
}

// Of several shares, panel by panel: its products with the next panel, which is then factored and
// sent while the owners go on with theirs.
double factorSeconds(Machine const& machine, DeviceWork const& work) {
  Slowness const slow(machine);
  double const operations = 5e13 / slow.matrix(), eachColumn = 4.5e-7 * slow.barrier(),
               inverses = 1.5e-4 * slow.launch(), eachPanel = 1.2e-4 * slow.launch(),
               narrow = 4.2e13 / slow.matrix(), bytesPerSecond = 3e12 / slow.bandwidth(),
               linkBytesPerSecond = 3.9e11 / slow.link();
  if (!work.sharesFactor) return inverses + work.factor / operations + eachColumn * work.order;
  double const width = work.width, copies = std::ceil(std::log2(work.shares));
  double seconds = inverses;
  for (double rows = work.order; rows > 0.0; rows -= width) {
    double const bytes = sizeof(double) * rows * width,
                 product = 2.0 * rows * width * width / narrow,
                 next = eachPanel + eachColumn * width + product + 2.0 * bytes / bytesPerSecond +
                        copies * bytes / linkBytesPerSecond,
                 others = rows * (rows - 2.0 * width) * width / operations / work.shares;
    seconds += product + std::max(next, others);
  }
  return seconds;
}

// cuBLAS makes a large product of some 57 of bytes. GeForce and L cards make 350 operations of
// bytes in the time of another one, H200, H100 and A100 some 45.
bool slicesPay(Machine const& machine) {
  constexpr double many = 60.0;
  return machine.device.bytes > many * machine.device.fp64;
}

double gradientSeconds(Machine const& machine, DeviceWork const& work) {
  Slowness const slow(machine);
  double const launches = 5e-5 * slow.launch(), bytesPerSecond = 4e12 / slow.bandwidth(),
               eachBlock = 2.5e-5 * slow.launch();
  double const vectors = 4e-5 * slow.launch();  // to other devices and back
  double const blocks = work.order / work.inverse;
  double const elsewhere = 4.0 * work.rows * work.columns * (1.0 - 1.0 / work.shares);
  return launches + eachBlock * blocks + 4.0 * (work.solve - elsewhere) / bytesPerSecond +
         (work.shares > 1.0 ? vectors : 0.0);
}

double normalSolveSeconds(Machine const& machine, DeviceWork const& work) {
  return 3e-5 * Slowness(machine).launch() + gradientSeconds(machine, work);
}

// An exchange takes a step of a block's elimination and its share of a block update; a
// refactorisation a dozen waits of the host, the LU of p x p and, shared by devices, the products
// that form D.
double exchangesOfRefactorisation(Machine const& machine, Shape const& shape, double p,
                                  double shares) {
  Slowness const slow(machine);
  double const step = 3e-6 * slow.launch(), waits = 1.4e-3 * slow.wait(),
               flops = 2e13 / slow.matrix();
  double const m = shape.rows, n = shape.columns;
  double const update = 2.0 * m * n / flops;
  double const products = 2.0 * n * p * (p + (m - p) * shape.density());
  double const factor = (p * p * p + products / shares) / flops;
  return (waits + factor) / (step + update);
}

// They share 2 m n p operations; each but the first gets the LU, A[R2, S] and its columns of D.
bool sharingTableauPays(Machine const& machine, double rows, double columns, double p,
                        double shares) {
  Slowness const slow(machine);
  double const operations = 5e13 / slow.matrix(), each = 2e-3 * slow.wait(),  // memory, first calls
      linkBytesPerSecond = 3.9e11 / slow.link();
  double const bytes = sizeof(double) * (rows * p + 2.0 * rows * columns / shares);
  return 2.0 * rows * columns * p / operations * (1.0 - 1.0 / shares) >
         (shares - 1.0) * (each + bytes / linkBytesPerSecond);
}

double refactorSeconds(Machine const& machine, Shape const& shape) {
  Slowness const slow(machine);
  double const p = std::min(shape.rows, shape.columns);
  return 2e-3 * slow.wait() + 2.2e-6 * slow.barrier() * p +
         2.0 * shape.cells() * p / (5e13 / slow.matrix());
}

double sendingSeconds(Machine const& machine, Shape const& shape) {
  return 6e-10 * Slowness(machine).copy() * shape.cells();
}
double provingSeconds(Machine const& machine, Shape const& shape) {
  return 3e-10 * Slowness(machine).stream() * shape.cells();
}

}  // namespace osi_cuda
