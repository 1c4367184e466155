// SPDX-License-Identifier: EPL-2.0
// Solves, the basis they start from, and what they find.
#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <thread>

#include "c/arguments.hpp"
#include "c/problem.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

static_assert(static_cast<int>(Status::optimal) == OSI_CUDA_STATUS_OPTIMAL &&
              static_cast<int>(Status::infeasible) == OSI_CUDA_STATUS_INFEASIBLE &&
              static_cast<int>(Status::unbounded) == OSI_CUDA_STATUS_UNBOUNDED &&
              static_cast<int>(Status::objectiveLimit) == OSI_CUDA_STATUS_OBJECTIVE_LIMIT &&
              static_cast<int>(Status::iterationLimit) == OSI_CUDA_STATUS_ITERATION_LIMIT &&
              static_cast<int>(Status::timeLimit) == OSI_CUDA_STATUS_TIME_LIMIT &&
              static_cast<int>(Status::interrupted) == OSI_CUDA_STATUS_INTERRUPTED &&
              static_cast<int>(Status::numerical) == OSI_CUDA_STATUS_NUMERICAL &&
              static_cast<int>(Status::interior) == OSI_CUDA_STATUS_INTERIOR);
static_assert(static_cast<int>(ProofGrade::none) == OSI_CUDA_PROOF_NONE &&
              static_cast<int>(ProofGrade::tolerance) == OSI_CUDA_PROOF_TOLERANCE &&
              static_cast<int>(ProofGrade::extended) == OSI_CUDA_PROOF_EXTENDED &&
              static_cast<int>(ProofGrade::exact) == OSI_CUDA_PROOF_EXACT);
static_assert(static_cast<int>(VariableStatus::atLower) == OSI_CUDA_AT_LOWER &&
              static_cast<int>(VariableStatus::atUpper) == OSI_CUDA_AT_UPPER &&
              static_cast<int>(VariableStatus::free) == OSI_CUDA_FREE &&
              static_cast<int>(VariableStatus::basic) == OSI_CUDA_BASIC);

namespace osi_cuda::c {

Solution const& solutionOf(osi_cuda_problem& p) {
  if (!p.solution)
    throw Failure(OSI_CUDA_NOTHING,
                  "there is no solution: the problem was not solved since it "
                  "was loaded or changed");
  return *p.solution;
}

bool interruptedBy(Held& held) {
  return held.stop.load(std::memory_order_relaxed) || (held.interrupt && held.interrupt() != 0);
}

void needThreads() {
  static int const watched = pthread_atfork(nullptr, nullptr, [] { forkedOff = true; });
  if (watched == 0 && forkedOff && dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD))
    throw Failure(OSI_CUDA_UNAVAILABLE,
                  "this process was forked off after a solve, and NVIDIA's driver did not come "
                  "along: start it before that, or as a new program (in Python: multiprocessing's "
                  "method \"spawn\")");
}

void inNewThread(std::function<void()> const& work) {
  std::exception_ptr error;
  std::thread([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

void beginWork(Held& held) {
  needThreads();
  held.stop = false;
}

ExactCertificate certificateOf(osi_cuda_problem& p, Solution const& solution) {
  return osi_cuda::certificateOf(
      p.solver.problem(), solution, [&p] { return interruptedBy(p); }, optionsOf(p).exactNumbers,
      &p.fractions);
}

Basis presentBasis(osi_cuda_problem& p) {
  LinearProgram const& lp = p.solver.problem();
  Basis basis = p.solver.basis();
  if (!basis.empty()) return basis;
  basis.rows.assign(at(lp.rows()), VariableStatus::basic);
  for (int j = 0; j < lp.columns(); ++j) {
    bool const lower = lp.columnLower[j] != -infinity, upper = lp.columnUpper[j] != infinity;
    basis.columns.push_back(lower   ? VariableStatus::atLower
                            : upper ? VariableStatus::atUpper
                                    : VariableStatus::free);
  }
  return basis;
}

}  // namespace osi_cuda::c

namespace {

Callbacks callbacksOf(osi_cuda_problem& p) {
  Callbacks callbacks;
  callbacks.interrupted = [&p] { return interruptedBy(p); };
  if (p.log) {
    callbacks.notice = [&p](std::string const& sentence) { tell(p, sentence); };
    callbacks.plan = [&p](PlanChoice const& choice) { tell(p, sentenceOf(choice)); };
  }
  if (p.progress)
    callbacks.progress = [&p](Progress const& at) {
      p.progress(at.iterations, at.seconds, at.objective, at.infeasibility, toString(at.stage));
    };
  return callbacks;
}

/// The tableau of the present basis, for its rows.
void prepareTableau(osi_cuda_problem& p) {
  beginWork(p);
  p.solver.prepareTableau(p.options, callbacksOf(p));
  try {
    p.solver.basicVariables();
  } catch (std::logic_error const&) {
    throw Failure(OSI_CUDA_INTERRUPTED,
                  "a limit or an interrupt came before the tableau was formed");
  }
}

std::vector<VariableStatus> statusesOf(uint8_t const* statuses, int length, char const* name) {
  needArray(statuses, length, name);
  std::vector<VariableStatus> result;
  for (int k = 0; k < length; ++k) {
    if (statuses[k] > OSI_CUDA_BASIC)
      refuse(name, "[", k, "] is ", statuses[k], ", but a status is from 0 to 3");
    result.push_back(static_cast<VariableStatus>(statuses[k]));
  }
  return result;
}

double numberOf(Solved const& s, int which) {
  if (which >= OSI_CUDA_BOUND && which <= OSI_CUDA_POINT_PROOF) {
    if (!s.integers)
      throw Failure(OSI_CUDA_NOTHING, "the solution is not of osi_cuda_solve_integers");
    IntegerSolution const& i = *s.integers;
    double const numbers[] = {i.search.bound,
                              i.search.gap(),
                              static_cast<double>(i.search.nodes),
                              static_cast<double>(i.cuts),
                              static_cast<double>(i.solves),
                              static_cast<double>(i.pointProof)};
    return numbers[which - OSI_CUDA_BOUND];
  }
  double const numbers[] = {s.objective,
                            static_cast<double>(s.iterations),
                            static_cast<double>(s.phase1Iterations),
                            s.seconds,
                            s.margin,
                            s.residuals.primal,
                            s.residuals.dual,
                            s.residuals.complementarity,
                            s.deviceLost ? 1.0 : 0.0,
                            static_cast<double>(s.barrierIterations)};
  static_assert(std::size(numbers) == OSI_CUDA_BARRIER_ITERATIONS + 1);
  if (which == OSI_CUDA_PHASES) return static_cast<double>(s.phases.size());
  if (which >= OSI_CUDA_RELAXED_INTEGERS && which <= OSI_CUDA_RELAXED_SETS)
    return s.relaxed.*relaxedCounts[which - OSI_CUDA_RELAXED_INTEGERS].count;
  if (which == OSI_CUDA_EXACT_STATUS)
    return s.exact.known() ? static_cast<int>(s.exact.status) : int{OSI_CUDA_STATUS_NONE};
  if (which < 0 || which > OSI_CUDA_BARRIER_ITERATIONS) refuse("there is no number ", which);
  return numbers[which];
}

/// An array of a solution, and the one that has to be there for it to mean something.
struct Part {
  std::vector<double> Solution::*values;
  std::vector<double> Solution::*whole;
  char const* name;
  bool ofRows;
};
constexpr Part parts[] = {
    {&Solution::columnValues, &Solution::columnValues, "column values", false},
    {&Solution::rowActivity, &Solution::rowActivity, "row activities", true},
    {&Solution::rowDuals, &Solution::rowDuals, "row duals", true},
    {&Solution::reducedCosts, &Solution::reducedCosts, "reduced costs", false},
    {&Solution::farkas, &Solution::farkas, "Farkas multipliers", true},
    {&Solution::ray, &Solution::ray, "ray", false},
    {&Solution::columnValuesLow, &Solution::columnValues, "column values", false},
    {&Solution::rowDualsLow, &Solution::rowDuals, "row duals", true},
    {&Solution::farkasLow, &Solution::farkas, "Farkas multipliers", true},
    {&Solution::rayLow, &Solution::ray, "ray", false}};
static_assert(std::size(parts) == OSI_CUDA_RAY_LOW + 1);

std::string textOf(Solution const& s, int which) {
  std::string const texts[] = {
      toString(s.status),    s.message,      toString(s.engine), s.device,
      toString(s.algorithm), s.pricing,      toString(s.proof),  s.exact.objective,
      s.exact.digits,        s.exact.message};
  static_assert(std::size(texts) == OSI_CUDA_TEXT_EXACT_MESSAGE + 1);
  return texts[which];
}

}  // namespace

int osi_cuda_set_log(osi_cuda_problem* problem, osi_cuda_log_function* function, void* data) {
  return call(problem, [&](osi_cuda_problem& p) { p.log = {function, data}; });
}

int osi_cuda_set_progress(osi_cuda_problem* problem, osi_cuda_progress_function* function,
                          void* data) {
  return call(problem, [&](osi_cuda_problem& p) { p.progress = {function, data}; });
}

int osi_cuda_set_interrupt(osi_cuda_problem* problem, osi_cuda_interrupt_function* function,
                           void* data) {
  return call(problem, [&](osi_cuda_problem& p) { p.interrupt = {function, data}; });
}

int osi_cuda_solve(osi_cuda_problem* problem) {
  return call(problem, [](osi_cuda_problem& p) {
    beginWork(p);
    p.solution.reset();
    p.solution.emplace(Solved{solveExactly(p.solver, optionsOf(p), callbacksOf(p), p.fractions),
                              std::nullopt, false});
    std::string const relaxed = p.solution->relaxed.text("osi_cuda_solve_integers");
    if (!relaxed.empty()) tell(p, "relaxed: " + relaxed);
  });
}

int osi_cuda_solve_integers(osi_cuda_problem* problem, double const* start,
                            osi_cuda_incumbent_function* incumbent, void* data) {
  return call(problem, [&](osi_cuda_problem& p) {
    beginWork(p);
    p.solution.reset();
    LinearProgram const& lp = p.solver.problem();
    IntegerCallbacks callbacks;
    static_cast<Callbacks&>(callbacks) = callbacksOf(p);
    if (incumbent)
      callbacks.incumbent = [=](SearchProgress const& at, std::span<double const> values) {
        incumbent(data, at.seconds, at.nodes, at.objective, at.bound, values.data());
      };
    std::span<double const> const begin =
        start ? std::span(start, at(lp.columns())) : std::span<double const>();
    IntegerSolution found = solveIntegers(lp, p.options, callbacks, begin, p.solver.basis());
    Solution solution = std::move(found.solution);
    solution.exact = found.pointExact;
    bool const searched = found.searched;
    p.solution.emplace(Solved{std::move(solution), std::nullopt, searched});
    p.solution->integers = std::move(found);
  });
}

void osi_cuda_interrupt(osi_cuda_problem* problem) {
  if (problem) problem->stop.store(true, std::memory_order_relaxed);
}

int osi_cuda_get_basis(osi_cuda_problem* problem, uint8_t* columns, uint8_t* rows) {
  return call(problem, [&](osi_cuda_problem& p) {
    Basis const basis = presentBasis(p);
    copyInto(basis.columns, columns);
    copyInto(basis.rows, rows);
  });
}

int osi_cuda_set_basis(osi_cuda_problem* problem, uint8_t const* columns, uint8_t const* rows) {
  return call(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    p.solver.setBasis(
        {statusesOf(columns, lp.columns(), "columns"), statusesOf(rows, lp.rows(), "rows")});
  });
}

int osi_cuda_forget_basis(osi_cuda_problem* problem) {
  return call(problem, [](osi_cuda_problem& p) { p.solver.setBasis({}); });
}

int osi_cuda_set_start(osi_cuda_problem* problem, double const* x, double const* y) {
  return call(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    StartPoint start;
    if (x) start.x.assign(x, x + lp.columns());
    if (y) start.y.assign(y, y + lp.rows());
    p.solver.setStart(std::move(start));
  });
}

int osi_cuda_get_basic_variables(osi_cuda_problem* problem, int32_t* variables) {
  return call(problem, [&](osi_cuda_problem& p) {
    needArray(variables, p.solver.problem().rows(), "variables");
    prepareTableau(p);
    std::ranges::copy(p.solver.basicVariables(), variables);
  });
}

int osi_cuda_get_inverse_row(osi_cuda_problem* problem, int32_t position, double* inverse,
                             double* entries) {
  return call(problem, [&](osi_cuda_problem& p) {
    selected(1, &position, p.solver.problem().rows(), "rows");
    needPointer(inverse, "inverse");
    prepareTableau(p);
    std::vector<double> const row = p.solver.inverseRow(position);
    std::ranges::copy(row, inverse);
    if (entries) std::ranges::copy(p.solver.tableauRow(row), entries);
  });
}

int osi_cuda_status(osi_cuda_problem* problem) {
  return ask(problem, int{OSI_CUDA_STATUS_NONE}, [](osi_cuda_problem& p) {
    return p.solution ? static_cast<int>(p.solution->status) : int{OSI_CUDA_STATUS_NONE};
  });
}

int osi_cuda_proof(osi_cuda_problem* problem) {
  return ask(problem, int{OSI_CUDA_PROOF_NONE}, [](osi_cuda_problem& p) {
    return p.solution ? static_cast<int>(p.solution->proof) : int{OSI_CUDA_PROOF_NONE};
  });
}

int osi_cuda_get_number(osi_cuda_problem* problem, int which, double* value) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(value, "value");
    solutionOf(p);  // refuses where there is none
    *value = numberOf(*p.solution, which);
  });
}

int osi_cuda_get_objective_enclosure(osi_cuda_problem* problem, double* lower, double* upper,
                                     double* error) {
  return call(problem, [&](osi_cuda_problem& p) {
    solutionOf(p);  // refuses where there is none
    Solved& solution = *p.solution;
    if (!solution.ranked) p.solver.enclose(solution, [&p] { return interruptedBy(p); });
    ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
    if (lower) *lower = enclosure.lower;
    if (upper) *upper = enclosure.upper;
    if (error) *error = enclosure.errorOf(solution.objective);
  });
}

int osi_cuda_get_phase(osi_cuda_problem* problem, int index, char const** algorithm, int* phase,
                       int64_t* iterations, double* seconds) {
  return call(problem, [&](osi_cuda_problem& p) {
    std::vector<SolvePhase> const& phases = solutionOf(p).phases;
    if (index < 0 || index >= std::ssize(phases)) refuse("there is no phase ", index);
    SolvePhase const& ran = phases[at(index)];
    if (algorithm) *algorithm = toString(ran.algorithm);
    if (phase) *phase = ran.phase;
    if (iterations) *iterations = ran.iterations;
    if (seconds) *seconds = ran.seconds;
  });
}

int osi_cuda_get_values(osi_cuda_problem* problem, int which, int32_t length, double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    LinearProgram const& lp = p.solver.problem();
    Solution const& solution = solutionOf(p);
    if (which < 0 || which > OSI_CUDA_RAY_LOW) refuse("there is no array ", which);
    Part const& part = parts[which];
    int const expected = part.ofRows ? lp.rows() : lp.columns();
    if (length != expected)
      refuse("length is ", length, ", but the ", part.name, " have length ", expected);
    needArray(values, length, "values");
    if ((solution.*part.whole).empty() && expected > 0)
      throw Failure(OSI_CUDA_NOTHING, "the solution, ", toString(solution.status), ", has no ",
                    part.name);
    std::fill_n(values, length, 0.0);
    std::ranges::copy(solution.*part.values, values);
  });
}

char const* osi_cuda_text(osi_cuda_problem* problem, int which) {
  return ask<char const*>(problem, nullptr, [&](osi_cuda_problem& p) {
    if (which < OSI_CUDA_TEXT_STATUS || which > OSI_CUDA_TEXT_EXACT_MESSAGE)
      refuse("there is no text ", which);
    return p.handedOut.keep(p.solution ? textOf(*p.solution, which) : std::string());
  });
}
