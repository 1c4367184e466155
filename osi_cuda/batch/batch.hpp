// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"

/// Many small linear programs in one call: each with its own matrix and size, dense, each answer
/// proved. On a CUDA device a block of threads solves a problem, its tableau in shared memory; on
/// the processor a thread does. See docs/guide/batch.md.
namespace osi_cuda {

/// How the solve of one problem ended; but for `invalid` a Status in a byte.
enum class BatchStatus : std::uint8_t {
  optimal = static_cast<std::uint8_t>(Status::optimal),
  infeasible = static_cast<std::uint8_t>(Status::infeasible),
  unbounded = static_cast<std::uint8_t>(Status::unbounded),
  objectiveLimit = static_cast<std::uint8_t>(Status::objectiveLimit),
  iterationLimit = static_cast<std::uint8_t>(Status::iterationLimit),
  timeLimit = static_cast<std::uint8_t>(Status::timeLimit),
  interrupted = static_cast<std::uint8_t>(Status::interrupted),
  numerical = static_cast<std::uint8_t>(Status::numerical),
  /// A number that no problem can have: NaN, or a coefficient or cost of infinity.
  invalid = static_cast<std::uint8_t>(Status::interior) + 1
};

/// "optimal", "iteration_limit", ..., as toString(Status); "invalid".
char const* toString(BatchStatus status);

/// K problems in packed arrays, one problem after the other in each. Problem k has m_k rows and n_k
/// columns; what a LinearProgram says of bounds holds here. The arrays belong to the caller and are
/// only read. Those of `device` are used where they lie.
struct BatchProblems {
  std::span<int const> rows, columns;   ///< m_k and n_k, length K each
  std::span<double const> matrix;       ///< A_k row by row, lengths m_k n_k
  std::span<double const> objective;    ///< lengths n_k
  std::span<double const> columnLower;  ///< lengths n_k; or nothing: 0 everywhere
  std::span<double const> columnUpper;  ///< lengths n_k; or nothing: infinity
  std::span<double const> rowLower;     ///< lengths m_k; or nothing: -infinity
  std::span<double const> rowUpper;     ///< lengths m_k; or nothing: infinity
  std::span<double const> offset;       ///< of the objective, length K; or nothing: 0
  std::span<Sense const> sense;         ///< length K; or nothing: minimize
  /// Not negative: some of matrix, objective and bounds lie in the memory of this CUDA device.
  int device = -1;
  /// Bounds of at least this size are infinite.
  double infiniteFrom = std::numeric_limits<double>::infinity();

  std::size_t count() const { return rows.size(); }
};

/// The error message where lengths do not fit together, or a problem has more rows and columns than
/// an int counts; or empty. Numbers are not looked at.
std::string findFault(BatchProblems const& problems);

/// Problems that own their arrays.
struct PackedBatch {
  std::vector<int> rows, columns;
  std::vector<double> matrix, objective, columnLower, columnUpper, rowLower, rowUpper, offset;
  std::vector<Sense> sense;

  /// Puts a problem behind the others. Integrality and names are left behind.
  void add(LinearProgram const& lp);
  BatchProblems view() const;
};

/// Arrays of the caller's for answers, packed as those of BatchResults, which has none of x, y and
/// bases then: in the memory of a CUDA device, or, with null for `objective`, in the host's.
struct AnswerArrays {
  double *objective = nullptr, *x = nullptr, *y = nullptr;
  VariableStatus *columnStatus = nullptr, *rowStatus = nullptr;
};

using DeviceAnswers = AnswerArrays;
using BatchEngine = EngineChoice;
using BatchPricing = Pricing;

/// The solver's options, of which a batch honours those with OptionRecord::ofBatches; the others
/// must have their defaults. The engine `automatic` takes a device where there is one and the batch
/// is worth it. `timeLimit` is for the whole call, `iterationLimit` (>= 1) for each problem.
/// Residuals of most answers are 1e-9 at most; the tolerances are for those of the ordinary solver.
/// Answers do not depend on the number of `devices`; what one leaves that fails the processor
/// solves.
struct BatchOptions : Options {
  BatchOptions() = default;
  /// What a batch honours of `options`; the rest is left behind.
  explicit BatchOptions(Options const& options);

  /// Seconds for one problem that the ordinary solver takes over; nothing else takes long.
  double problemTimeLimit = std::numeric_limits<double>::infinity();
  int blockThreads = 0;  ///< threads of a block on the device, at most 512; 0: by size
  /// Where objectives, points and bases go. On a device it is `device`; another engine, several
  /// devices, and a device that is lost then end the call with EngineUnavailable.
  AnswerArrays there;
};

/// Sets the option `name`, one of those or problem-time-limit, from text. Returns an
/// empty string, or the error message; the options are unchanged then.
std::string setOption(BatchOptions& options, std::string_view name, std::string_view text);

/// The error message for options that a batch can't be solved with: a value that is none, or an
/// option that a batch does not honour; or empty.
std::string findFault(BatchOptions const& options);

/// What belongs to problem k of numbers that begin at `start` each.
template <class T>
std::span<T const> pieceOf(std::span<T const> all, std::span<std::size_t const> start,
                           std::size_t k) {
  return all.subspan(start[k], start[k + 1] - start[k]);
}

/// The basis of problem k among `answers`, BatchResults or what has the same arrays.
Basis basisIn(auto const& answers, std::size_t k) {
  auto const columns = pieceOf<VariableStatus>(answers.columnStatus, answers.columnStart, k),
             rows = pieceOf<VariableStatus>(answers.rowStatus, answers.rowStart, k);
  return {{columns.begin(), columns.end()}, {rows.begin(), rows.end()}};
}

/// What proves that a problem of a batch is infeasible or unbounded: verifyFarkas and verifyRay
/// accept it. Vectors as in Solution.
struct BatchCertificate {
  std::size_t problem = 0;
  std::vector<double> farkas, farkasLow;  ///< infeasible; empty where bounds cross
  std::vector<double> ray, rayLow;        ///< unbounded
  double margin = 0.0;                    ///< Solution::margin
};

/// A message about one problem.
struct BatchNote {
  std::size_t problem = 0;
  std::string sentence;
};

/// Answers in the order of the problems, packed as these are. An object that is used again keeps
/// its memory.
struct BatchResults {
  std::vector<BatchStatus> status;  ///< length K
  std::vector<double> objective;    ///< with optimal c'x + offset, else 0; length K
  /// Optimal: the point; unbounded: a feasible one; else 0. x, y and the bases are empty where
  /// BatchOptions::there has them.
  std::vector<double> x;
  std::vector<double> y;                                ///< optimal: row duals, else 0
  std::vector<VariableStatus> columnStatus, rowStatus;  ///< optimal and unbounded: the basis
  std::vector<std::int32_t> iterations;                 ///< pivots and bound flips, length K
  std::vector<ProofGrade> proof;                        ///< length K
  std::vector<double> residual;  ///< optimal: the largest of Residuals, else 0; length K
  /// Rigorous enclosures of the exact optima, whatever the status, where VariantOptions wants them;
  /// of infeasible and unbounded problems the infinity that stands for it.
  std::vector<ObjectiveEnclosure> enclosure;
  std::vector<BatchCertificate> certificates;      ///< ascending by problem
  std::vector<BatchNote> notes;                    ///< of invalid and numerical problems, ascending
  std::vector<std::size_t> columnStart, rowStart;  ///< where problem k begins; length K + 1
  RelaxedColumns relaxed;                          ///< of the variants' problem, or of all
  /// Of variants where VariantOptions wants them: where others may begin, by BatchVariants::start.
  std::vector<std::int64_t> start;
  std::size_t again = 0;       ///< problems that the ordinary solver took over
  std::size_t onDevice = 0;    ///< problems that a device solved
  std::size_t pooled = 0;      ///< variants that a basis of the pool answered without a pivot
  double seconds = 0.0;        ///< wall time of the call
  double deviceSeconds = 0.0;  ///< of it, the longest that a device was at work on the problems
  std::string device;          ///< name of the processor that most problems were solved on
  bool deviceLost = false;     ///< a device failed on the way; the processor took over

  // What the arrays above have of a problem.
  std::span<double const> xOf(std::size_t k) const { return pieceOf<double>(x, columnStart, k); }
  std::span<double const> yOf(std::size_t k) const { return pieceOf<double>(y, rowStart, k); }
  Basis basisOf(std::size_t k) const { return basisIn(*this, k); }
};

/// How a batch speaks to its caller; each may be empty. Called from the calling thread.
struct BatchCallbacks {
  std::function<bool()> interrupted;  ///< polled a few times a second; true: stop soon
  std::function<void(std::size_t done, std::size_t count)> progress;
};

/// Solves batches; keeps threads' memory and a device's buffers from call to call. Not copyable;
/// separate objects may be used from separate threads.
class BatchSolver {
 public:
  BatchSolver();
  ~BatchSolver();
  BatchSolver(BatchSolver&&) noexcept;
  BatchSolver& operator=(BatchSolver&&) noexcept;

  /// Solves all problems. A problem whose answer does not stand up to its proof is solved again by
  /// the ordinary Solver; one that can't be solved costs only itself. The answers are the same bits
  /// in every run, whatever the other problems, their order and the number of threads are, on one
  /// engine and machine; a time limit and an interruption decide only who gets an answer.
  ///
  /// Throws std::invalid_argument with findFault's message (of the problems or the options),
  /// EngineUnavailable where the engine cuda was asked for and there is none, std::bad_alloc, and
  /// what a callback throws; from then on the results hold the answers until there, and the other
  /// problems are `interrupted`. A device that fails later is no error: the processor goes on.
  void solve(BatchProblems const& problems, BatchOptions const& options, BatchResults& results,
             BatchCallbacks const& callbacks = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same once, with an object that lives no longer.
BatchResults solveBatch(BatchProblems const& problems, BatchOptions const& options = {},
                        BatchCallbacks const& callbacks = {});
BatchResults solveBatch(std::span<LinearProgram const> problems, BatchOptions const& options = {},
                        BatchCallbacks const& callbacks = {});

}  // namespace osi_cuda
