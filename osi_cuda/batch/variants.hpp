// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "osi_cuda/batch/batch.hpp"

/// One problem, many variants of it, each with some costs, bounds, right-hand sides or coefficients
/// of its own: all of them start from one basis and share its tableau; a block of a device or a
/// thread of the processor solves each. See docs/guide/batch.md.
namespace osi_cuda {

class Solver;

/// One number that a variant has otherwise than the problem.
struct VariantChange {
  enum class What : std::uint8_t {
    cost,
    columnLower,
    columnUpper,
    rowLower,
    rowUpper,
    coefficient
  };
  What what = What::cost;
  int index = 0;  ///< of the column, or of the row whose bound it is
  double value = 0.0;
  int row = 0;  ///< of a coefficient, whose column is `index`
};

/// The problem's own number that such a change of column or row `index` replaces; not for
/// coefficients. Throws std::out_of_range.
double const& numberOf(LinearProgram const& lp, VariantChange::What what, std::size_t index);

/// Numbers of one sort for K variants, those of a variant one behind the other: K x n or K x m. NaN
/// stands for the problem's own.
struct VariantArray {
  VariantChange::What what = VariantChange::What::cost;  ///< no coefficient
  std::span<double const> values;
};

/// K variants. What is changed twice in a variant has the last value, single changes behind arrays.
/// The arrays belong to the caller and are only read. Those of `device` are used where they lie;
/// they are copied to the host for another engine, for enclosures, and beside single costs and
/// bounds.
struct BatchVariants {
  std::span<std::size_t const> starts;        ///< where each one's changes begin, length K + 1
  std::span<VariantChange const> changes;     ///< of all of them, one variant after the other
  std::span<VariantArray const> arrays = {};  ///< at most one of a sort
  /// Not negative: some of the arrays lie in the memory of this CUDA device.
  int device = -1;
  /// Bounds in the arrays of at least this size are infinite.
  double infiniteFrom = std::numeric_limits<double>::infinity();
  /// Where each one begins, length K: handles of BatchResults::start of an earlier call. Nothing,
  /// and a handle that this object did not give: the common basis. One whose basis is no longer
  /// kept stands for the nearest of those that it came from.
  std::span<std::int64_t const> start = {};

  std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
};

/// The changes of variant k.
inline std::span<VariantChange const> changesOf(BatchVariants const& variants, std::size_t k) {
  return variants.changes.subspan(variants.starts[k], variants.starts[k + 1] - variants.starts[k]);
}

/// Variants that own their arrays.
struct PackedVariants {
  std::vector<std::size_t> starts{0};
  std::vector<VariantChange> changes;

  PackedVariants() = default;
  /// The variants from `first` to `last` - 1 with what stands in arrays as changes, on the host;
  /// the problem's own numbers are left out.
  PackedVariants(LinearProgram const& lp, BatchVariants const& variants, std::size_t first,
                 std::size_t last);

  /// Puts a variant behind the others.
  void add(std::span<VariantChange const> variant);
  BatchVariants view() const { return {starts, changes}; }
};

/// A message where `starts` do not fit `changes`, or empty. What the changes say is not looked at.
std::string findFault(BatchVariants const& variants);

/// The problem with the changes made. Throws std::out_of_range for a row or column that it has not.
LinearProgram applied(LinearProgram problem, std::span<VariantChange const> changes);

/// `pricing`: automatic is Devex from the exact weights of the common basis; steepest keeps exact
/// weights, for a pass over the whole tableau a pivot. `blockThreads` becomes 256, 512 or 1024.
struct VariantOptions : BatchOptions {
  using BatchOptions::BatchOptions;
  /// K: pivots and changed columns that a variant may have before the ordinary solver takes it
  /// over. 0: 128; on a device, those that outgrow them begin again with 512.
  int factors = 0;
  /// Whether x, y, bases and certificates are wanted; without them the results' arrays are empty,
  /// but for status, objective, iterations, proof and residual. All is proved all the same.
  bool points = true;
  /// Whether BatchResults::enclosure is wanted; points are made for it, too.
  bool enclosures = false;
  /// Whether the ordinary solver takes over what has no proof; else that is `numerical`, and
  /// `interrupted` where a device is lost.
  bool finish = true;
  /// Pivots end once the dual objective is beyond this, in the problem's sense, by some rounding;
  /// the status is `objectiveLimit`, with basis, point and multipliers as with an iteration limit.
  /// What these prove is for the caller to verify. A NaN: there is no limit.
  double cutoff = std::numeric_limits<double>::quiet_NaN();
  /// Whether BatchResults::start is wanted: the basis where pivots ended with an optimum or an
  /// iteration limit is kept, at two bits a variable; otherwise where the variant began. Wants
  /// points on the host.
  bool keepStarts = false;
  std::size_t startBytes = std::size_t{256} << 20;  ///< of bases that are kept, at most
  /// Bytes of tableaus at bases that were optimal for variants and are tried for others, on the
  /// processor; see docs/guide/variants.md. Answers depend on other variants then, in the vertex
  /// where several are optimal, and in the last digits.
  std::size_t poolBytes = 0;
};

/// Solves variants of one problem; keeps the common tableau, threads' memory and a device's buffers
/// from call to call. Not copyable; separate objects may be used from separate threads.
class VariantSolver {
 public:
  /// Variants begin at `basis`, mostly that of the problem's optimum (Solver::basis()); one that
  /// has other sizes, or other than m basic variables, stands for the slack basis. Throws
  /// std::invalid_argument with findFault's message.
  VariantSolver(LinearProgram problem, Basis basis);
  ~VariantSolver();
  VariantSolver(VariantSolver&&) noexcept;
  VariantSolver& operator=(VariantSolver&&) noexcept;

  LinearProgram const& problem() const;

  /// Takes over the bases that `other` keeps, of a problem with the same rows, among whose columns
  /// those of this one have the numbers `columns`. Handles stay as they are.
  void takeStarts(VariantSolver& other, std::span<int const> columns);

  /// From now on variants are of `solver`'s problem and begin at its basis, on the device that its
  /// engine is on, with a copy of the tableau there. False: its engine holds none, or variants
  /// can't share one; all is as before then. After EngineUnavailable or std::bad_alloc the object
  /// can't be used.
  bool beginAt(Solver const& solver);

  /// Solves all variants, in results of BatchSolver's form, in which every variant has the
  /// problem's sizes. One with a number that no problem can have, or a row or column that there is
  /// not, is `invalid`, with a note. With iterationLimit `objective` is that of the basis where the
  /// pivots ended, which stands in columnStatus and rowStatus with its point and multipliers in x
  /// and y; while only
  /// bounds were changed and the common basis is optimal, that is a bound on the optimum but for
  /// rounding. What does not stand up to its proof, or has more than K pivots, goes on from the
  /// basis that it came to (or, without points, from the common one) in the ordinary solver.
  ///
  /// Without a pool the same bits come out in every run, whatever the other variants, their order
  /// and the number of threads are, on one engine and machine; with a pool whatever the number of
  /// threads is. Throws as BatchSolver::solve does.
  void solve(BatchVariants const& variants, VariantOptions const& options, BatchResults& results,
             BatchCallbacks const& callbacks = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same once, with an object that lives no longer.
BatchResults solveVariants(LinearProgram const& problem, Basis const& basis,
                           BatchVariants const& variants, VariantOptions const& options = {},
                           BatchCallbacks const& callbacks = {});

}  // namespace osi_cuda
