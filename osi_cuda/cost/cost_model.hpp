// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "osi_cuda/cost/machine.hpp"

namespace osi_cuda {

/// The sizes that a plan rests on.
struct Shape {
  int rows = 0, columns = 0;
  std::int64_t nonzeros = 0;

  double cells() const { return static_cast<double>(rows) * columns; }
  double density() const { return cells() > 0.0 ? static_cast<double>(nonzeros) / cells() : 0.0; }
};

/// All formulas in seconds, and all sizes that follow from them. Each has constants that were
/// fitted on the reference machine; on another one they are scaled by the rate that bounds them.
/// What is no matter of a machine (rounding, iterations, pivots) is not here.

// Pivots, block updates and refactorisations included, from the sizes of the problem alone.
// Measured in docs/log/2026-11-22-factors.md, 2026-11-22-resolves.md there, docs/evidence/dense.md.

double tableauPivotSeconds(Machine const& machine, double rows, double columns);
double factoredPivotSeconds(Machine const& machine, double rows, double columns, double nonzeros);
double devicePivotSeconds(Machine const& machine, double rows, double columns);
/// The quicker one on the processor.
double hostPivotSeconds(Machine const& machine, Shape const& shape);
/// Of sparse factors: a pivot beside the entries that were passed, and such an entry; `precise`: in
/// double-double arithmetic.
double factoredVectorsSeconds(Machine const& machine);
double passedEntrySeconds(Machine const& machine, bool precise);
/// A pivot of sparse factors that filled in as the length of columns lets expect.
double filledPivotSeconds(Machine const& machine, Shape const& shape);
/// Pivots for each row or column, whichever are fewer, from the slack basis of a sparse problem.
inline constexpr double usualPivotsOfLine = 2.0;
/// All pivots of the processor from the slack basis to the optimum.
double hostPivotsSeconds(Machine const& machine, Shape const& shape);

/// Whether sparse factors are the faster engine on the processor. `held`: whether the engine that
/// has the problem keeps factors; to exchange it for the other one costs as much as many pivots, so
/// that the other one has to be much faster.
bool factorsAreFaster(Machine const& machine, double rows, double columns, double nonzeros,
                      std::optional<bool> held = std::nullopt);
/// Whether the engine with more digits is fast enough to be of use; and fast enough to factor a
/// start before anything else.
bool preciseIsOfUse(double rows, double columns, double nonzeros);
bool preciseIsQuick(double rows, double columns, double nonzeros);

// Where: processor or device.

/// From so many entries of the tableau on a first solve is faster on the device; infinite: never.
double deviceCells(Machine const& machine);
/// Up to so many the processor is a place for a last attempt.
double lastAttemptCells(Machine const& machine);
double openingSeconds(Machine const& machine);
/// A move between processor and device takes as long as so many re-solves there, or fewer.
inline constexpr double resolvesOfMove = 16.0;
/// Of what sizes say, pivots on the processor take no more in searches (docs/evidence/osi.md).
inline constexpr double shareBySize = 1.0 / 3.0;
/// Re-solves by sizes: launches, waits and passes over the tableau, again at changes of rows or
/// columns, and pivots.
double resolvesSeconds(Machine const& machine, bool onDevice, Shape const& shape, double solves,
                       double pivots, double reshapes);
/// A rational check of a basis: digits in a solve with its factors, components and entries there.
double exactSolveSeconds(Machine const& machine, double size, double entries, double nonzeros,
                         double digits);
/// Seconds of pivots that are no more than counting the work of an interior point method takes.
double barrierCountSeconds(Machine const& machine, double nonzeros);
/// A quarter of what an interior point method takes for so many nonzeros at least.
double quarterOfBarrierSeconds(Machine const& machine, double nonzeros);

// Many small problems, and variants of one.

double smallSolveSeconds(Machine const& machine, double rows, double columns);
double variantSeconds(Machine const& machine, double rows, double columns);
/// Seconds of the processor, all threads at work, from which on a device is taken without being
/// asked for; `open`: it has been opened, and holds what variants have in common.
double batchWorthDevice(Machine const& machine, bool open);
double variantsWorthDevice(Machine const& machine, bool open);

// The interior point method.

/// How many times as long an addition to a scattered place takes as an operation of a dense
/// product.
double scatteredOnHost(Machine const& machine);
double scatteredOnDevice(Machine const& machine);
/// An iteration on the processor of so many operations.
double hostIterationSeconds(Machine const& machine, double operations, double threads,
                            double variables);

/// Normal equations on devices that share them.
struct DeviceWork {
  double rows = 0.0, columns = 0.0;
  double order = 0.0;                               ///< of the normal matrix
  double product = 0.0, factor = 0.0, solve = 0.0;  ///< operations, as BarrierWork has them
  double shares = 1.0;
  bool sharesFactor = false;
  double width = 1.0;    ///< columns of a panel
  double panels = 1.0;   ///< of the factor
  double inverse = 1.0;  ///< order of the blocks that are inverted
};
double productSeconds(Machine const& machine, DeviceWork const& work);
/// The same product of bytes, to six digits.
double roughProductSeconds(Machine const& machine, DeviceWork const& work);
double factorSeconds(Machine const& machine, DeviceWork const& work);
/// Whether whole products in double precision are to be sums of products of bytes, which cuBLAS
/// makes from CUDA 13.0.2 on: where the device has little double precision.
bool slicesPay(Machine const& machine);
/// A step of conjugate gradients: a solve by blocks, and two products with A.
double gradientSeconds(Machine const& machine, DeviceWork const& work);
double normalSolveSeconds(Machine const& machine, DeviceWork const& work);

// Refactorisations on a device.

/// How many exchanges take as long as a refactorisation of a basis of p structural columns.
double exchangesOfRefactorisation(Machine const& machine, Shape const& shape, double p,
                                  double shares);
/// Whether so many devices form the tableau by an LU of order p sooner than one does.
bool sharingTableauPays(Machine const& machine, double rows, double columns, double p,
                        double shares);
/// That refactorisation with the tableau, of the basis of a crossover.
double refactorSeconds(Machine const& machine, Shape const& shape);
/// To form and to send a dense problem, and to prove its answer.
double sendingSeconds(Machine const& machine, Shape const& shape);
double provingSeconds(Machine const& machine, Shape const& shape);

// What whole solves take, of these formulas.

/// From so many rows and columns of a dense problem on the interior point method comes first on a
/// device, and from so many entries.
double barrierSide(Machine const& machine);
double barrierCells(Machine const& machine);
/// Seconds of an interior point method: of an iteration, and of opening the libraries for it.
struct InsideCost {
  InsideCost(double iteration, double once = 0.0) : ofIteration(iteration), opening(once) {}
  double ofIteration, opening;
};
/// Seconds of a sparse problem by those of an iteration, which are its normal matrix's. The method
/// with its crossover takes 30 iterations' time. All pivots: whatever fills L in bounds what fills
/// a basis in (George and Ng 1985), and their number grows with the sides, too; half of the
/// problems that this was fitted on take between a half and twice as long. The other third agrees.
double insideSeconds(InsideCost const& cost);
double pivotsSeconds(double ofIteration);
/// Of that method by several threads, start of the process included. The larger the fronts, the
/// more threads have work: fitted on 20 problems on 16 cores, most of which take between two thirds
/// and one and a half times as long.
double insideByThreads(double ofIteration);
/// Whether to give up so many pivots, of so many seconds by their counted work, for an interior
/// point method. They go on as long as, at their pace, all will have taken less than that method
/// with its crossover: 1.2 of the smaller number of rows and columns are usual (Dantzig 1963), or
/// half as many as were made. Where there are more than usual for such sides, twice as many as were
/// made are expected.
bool givesPivotsUp(Shape const& shape, InsideCost const& inside, std::int64_t pivots, double work);

/// The ways of a solve, for the reasons of a plan.
enum class Way { hostFactors, hostTableau, devicePivots, hostBarrier, deviceBarrier };
char const* toString(Way way);

/// What an estimate assumes.
struct Beginning {
  std::optional<double> pivots;  ///< from a basis; none: from the slack basis, by sizes
  bool deviceOpen = false;       ///< else its opening counts
  bool loaded = false;           ///< the device has the problem: nothing is sent
  double threads = 1.0;          ///< of the processor
};
/// Seconds that a way takes, roughly. None: sizes do not tell, as of an interior point method for a
/// sparse problem, whose work is counted when it comes to that.
std::optional<double> estimatedSeconds(Machine const& machine, Way way, Shape const& shape,
                                       Beginning const& from = {});
/// Of all ways whose seconds are known, the quickest first.
struct Estimate {
  Way way;
  double seconds;
};
std::vector<Estimate> estimatesOf(Machine const& machine, Shape const& shape,
                                  Beginning const& from = {});

}  // namespace osi_cuda
