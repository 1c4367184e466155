// SPDX-License-Identifier: EPL-2.0
//
// QSopt_ex (Applegate, Cook, Dash and Espinoza 2007), used for problems that have an optimum only:
// whether a problem is infeasible is the question for the optimum of another one, the least sum of
// violations; whether it is unbounded, that of the best direction within a box. So every answer is
// a pair of a point and duals, which the judge checks, and the library's ways with problems without
// an optimum, some of which do not end, are not needed.

#include "lab/stress/exact.hpp"

#include <gmp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
// Not all of its headers say that their functions are C.
extern "C" {
#include <qsopt_ex/QSopt_ex.h>
}

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "osi_cuda/model/edits.hpp"

namespace osi_cuda::stress {
namespace {

/// An array of numbers as the library takes them.
class Array {
 public:
  explicit Array(std::size_t size) : size_(size), numbers_(new mpq_t[size]) {
    for (std::size_t k = 0; k < size_; ++k) mpq_init(numbers_[k]);
  }
  ~Array() {
    for (std::size_t k = 0; k < size_; ++k) mpq_clear(numbers_[k]);
  }
  Array(Array const&) = delete;
  Array& operator=(Array const&) = delete;

  mpq_t* data() { return numbers_.get(); }
  Rationals first(std::size_t count) const {
    Rationals values;
    for (std::size_t k = 0; k < count && k < size_; ++k) values.emplace_back(numbers_[k]);
    return values;
  }

 private:
  std::size_t size_;
  std::unique_ptr<mpq_t[]> numbers_;
};

class ExactProblem {
 public:
  explicit ExactProblem(LinearProgram const& lp)
      : problem_(mpq_QScreate_prob("exact", QS_MIN)), rows_(lp.rows()), columns_(lp.columns()) {
    int const sign = lp.sense == Sense::maximize ? -1 : 1;
    for (int i = 0; i < rows_; ++i) addRow(lp.rowLower[i], lp.rowUpper[i]);
    for (int j = 0; j < columns_; ++j) {
      auto const rows = lp.matrix.columnIndices(j);
      auto const values = lp.matrix.columnValues(j);
      addColumn({rows.begin(), rows.end()}, {values.begin(), values.end()}, sign * lp.objective[j],
                lp.columnLower[j], lp.columnUpper[j]);
    }
    // The activity of a row with two different bounds is a column of its own: the library's ranges
    // are not needed.
    for (int i = 0; i < rows_; ++i)
      if (isRange(lp.rowLower[i], lp.rowUpper[i]))
        addColumn({i}, {-1.0}, 0.0, lp.rowLower[i], lp.rowUpper[i]);
    // The library does not end where there is no row or no column: one more of each, 1 x = 0.
    if (rows_ == 0 || columns_ == 0) {
      addRow(0.0, 0.0);
      addColumn({rows_}, {1.0}, 0.0, 0.0, infinity);
    }
  }
  ~ExactProblem() { mpq_QSfree_prob(problem_); }
  ExactProblem(ExactProblem const&) = delete;
  ExactProblem& operator=(ExactProblem const&) = delete;

  /// x and y of the minimisation, or nothing.
  std::optional<std::pair<Rationals, Rationals>> solved() {
    auto const rows = static_cast<std::size_t>(mpq_QSget_rowcount(problem_));
    auto const columns = static_cast<std::size_t>(mpq_QSget_colcount(problem_));
    Array x(rows + columns + 1), y(rows + 1);
    int status = 0;
    if (QSexact_solver(problem_, nullptr, nullptr, nullptr, PRIMAL_SIMPLEX, &status) != 0 ||
        status != QS_LP_OPTIMAL)
      return std::nullopt;
    if (mpq_QSget_x_array(problem_, x.data()) != 0) return std::nullopt;
    if (rows > 0 && mpq_QSget_pi_array(problem_, y.data()) != 0) return std::nullopt;
    return std::pair{x.first(static_cast<std::size_t>(columns_)),
                     y.first(static_cast<std::size_t>(rows_))};
  }

 private:
  static bool isRange(double lower, double upper) {
    return lower != upper && !(std::isfinite(lower) != std::isfinite(upper));
  }
  static mpq_class bound(double value) {
    if (value == infinity) return mpq_class(mpq_ILL_MAXDOUBLE);
    if (value == -infinity) return mpq_class(mpq_ILL_MINDOUBLE);
    return mpq_class(value);
  }

  void addRow(double lower, double upper) {
    mpq_class side(0);
    int sense = 'E';
    if (!isRange(lower, upper)) {
      sense = lower == upper ? 'E' : std::isfinite(lower) ? 'G' : 'L';
      side = mpq_class(std::isfinite(lower) ? lower : upper);
    }
    mpq_QSnew_row(problem_, side.get_mpq_t(), sense, nextName('r').c_str());
  }

  void addColumn(std::vector<int> rows, std::vector<double> const& values, double cost,
                 double lower, double upper) {
    Array numbers(values.size() + 1);
    for (std::size_t k = 0; k < values.size(); ++k) mpq_set_d(numbers.data()[k], values[k]);
    mpq_class c(cost), l = bound(lower), u = bound(upper);
    mpq_QSadd_col(problem_, static_cast<int>(rows.size()), rows.data(), numbers.data(),
                  c.get_mpq_t(), l.get_mpq_t(), u.get_mpq_t(), nextName('x').c_str());
  }

  /// Names of our own: the library's search for one that is not taken may not end.
  std::string nextName(char letter) { return letter + std::to_string(names_++); }

  mpq_QSprob problem_;
  int rows_, columns_;
  int names_ = 0;
};

struct Optimum {
  Rationals x, y;
};

/// The optimum of a problem that has one; nothing where the library does not find it.
std::optional<Optimum> optimumOf(LinearProgram const& lp) {
  auto solved = ExactProblem(lp).solved();
  if (!solved) return std::nullopt;
  Optimum optimum{std::move(solved->first), std::move(solved->second)};
  if (lp.sense == Sense::maximize)
    for (mpq_class& y : optimum.y) y = -y;
  if (!exactlyOptimal(lp, optimum.x, optimum.y)) return std::nullopt;
  return optimum;
}

}  // namespace

LinearProgram leastViolation(LinearProgram lp) {
  lp.sense = Sense::minimize;
  lp.objectiveOffset = 0.0;
  lp.objective.assign(lp.objective.size(), 0.0);
  SparseMatrix added;
  added.rows = lp.rows();
  for (int i = 0; i < lp.rows(); ++i)
    for (double const way : {1.0, -1.0}) {
      added.indices.push_back(i);
      added.values.push_back(way);
      added.starts.push_back(static_cast<std::int64_t>(added.indices.size()));
      ++added.columns;
      lp.objective.push_back(1.0);
      lp.columnLower.push_back(0.0);
      lp.columnUpper.push_back(infinity);
    }
  appendColumns(lp.matrix, added);
  return lp;
}

namespace {

/// The best direction within -1 <= r <= 1 that moves towards no bound.
LinearProgram steepestDirection(LinearProgram lp) {
  lp.objectiveOffset = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    lp.columnLower[j] = std::isfinite(lp.columnLower[j]) ? 0.0 : -1.0;
    lp.columnUpper[j] = std::isfinite(lp.columnUpper[j]) ? 0.0 : 1.0;
  }
  for (int i = 0; i < lp.rows(); ++i) {
    if (std::isfinite(lp.rowLower[i])) lp.rowLower[i] = 0.0;
    if (std::isfinite(lp.rowUpper[i])) lp.rowUpper[i] = 0.0;
  }
  return lp;
}

bool anyCrossed(std::vector<double> const& lower, std::vector<double> const& upper) {
  for (std::size_t k = 0; k < lower.size(); ++k)
    if (lower[k] > upper[k] || lower[k] == infinity || upper[k] == -infinity) return true;
  return false;
}

/// Whether an improving direction exists; nothing when it can't be told.
std::optional<bool> hasImprovingRay(LinearProgram const& lp) {
  LinearProgram const direction = steepestDirection(lp);
  auto const optimum = optimumOf(direction);
  if (!optimum) return std::nullopt;
  return exactObjective(direction, optimum->x) != 0 && judgeRay(lp, optimum->x) == Proof::exact;
}

ExactAnswer settled(LinearProgram const& lp) {
  ExactAnswer answer;
  if (anyCrossed(lp.columnLower, lp.columnUpper) || anyCrossed(lp.rowLower, lp.rowUpper)) {
    answer.known = true;
    answer.status = Status::infeasible;
    answer.infeasibility = infinity;
    return answer;
  }
  LinearProgram const elastic = leastViolation(lp);
  auto const least = optimumOf(elastic);
  if (!least) return answer;
  auto const improving = hasImprovingRay(lp);
  answer.improvingRay = improving.value_or(false);
  if (mpq_class const violation = exactObjective(elastic, least->x); violation > 0) {
    answer.known = judgeFarkas(lp, least->y) == Proof::exact;
    answer.status = Status::infeasible;
    answer.infeasibility = violation.get_d();
  } else {
    // A feasible problem without such a direction has an optimum.
    answer.known = improving.has_value();
    answer.status = answer.improvingRay ? Status::unbounded : Status::optimal;
  }
  return answer;
}

void startLibrary() {
  static bool const started = (QSexactStart(), true);
  static_cast<void>(started);
}

/// What `answer` prints, from a process of its own; nothing where that crashes. The library gives
/// GMP an allocator that FLINT, which the solver uses, must not meet.
template <class Answer>
std::string fromChild(Answer const& answer) {
  int ends[2] = {};
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to QSopt_ex");
  pid_t const child = fork();
  if (child < 0) throw std::runtime_error("no process for QSopt_ex");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    startLibrary();
    std::string const text = answer();
    for (std::size_t sent = 0; sent < text.size();) {
      ssize_t const count = write(ends[1], text.data() + sent, text.size() - sent);
      if (count <= 0) _exit(1);
      sent += static_cast<std::size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : std::string();
}

}  // namespace

ExactAnswer exactAnswer(LinearProgram const& lp) {
  std::istringstream text(fromChild([&] {
    ExactAnswer const answer = settled(lp);
    std::ostringstream out;
    out << answer.known << ' ' << static_cast<int>(answer.status) << ' ' << answer.improvingRay
        << ' ' << std::hexfloat << answer.infeasibility;
    return out.str();
  }));
  ExactAnswer answer;
  int status = 0;
  std::string infeasibility;
  if (!(text >> answer.known >> status >> answer.improvingRay >> infeasibility)) return {};
  answer.status = static_cast<Status>(status);
  answer.infeasibility = std::strtod(infeasibility.c_str(), nullptr);
  return answer;
}

std::optional<mpq_class> exactOptimum(LinearProgram const& lp) {
  std::string const text = fromChild([&] {
    auto const optimum = optimumOf(lp);
    return optimum ? exactObjective(lp, optimum->x).get_str() : std::string();
  });
  if (text.empty()) return std::nullopt;
  return mpq_class(text);
}

}  // namespace osi_cuda::stress
