// SPDX-License-Identifier: EPL-2.0
// Long random sequences of changes and re-solves. Every answer is judged by its own certificate, by
// sums over the problem as the interface hands it out: nothing of the library's judges is used. Now
// and then the same problem is loaded into a fresh interface, and into OsiClp.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiClpSolverInterface.hpp"
#include "OsiRowCut.hpp"
#include "tests/osi/contract.hpp"
#include "tests/osi/random_draws.hpp"

namespace {

constexpr double tolerance = 1e-6;  // beside the largest number of a sum

enum class Answer { optimal, infeasible, unbounded, limit, abandoned };

char const* toString(Answer answer) {
  constexpr std::array names{"optimal", "infeasible", "unbounded", "limit", "abandoned"};
  return names[static_cast<std::size_t>(answer)];
}

Answer answerOf(OsiSolverInterface const& s) {
  if (s.isAbandoned()) return Answer::abandoned;
  if (s.isProvenOptimal()) return Answer::optimal;
  if (s.isProvenPrimalInfeasible()) return Answer::infeasible;
  if (s.isProvenDualInfeasible()) return Answer::unbounded;
  return Answer::limit;
}

/// A number between two bounds, and how large the numbers were that it was made of.
struct Sum {
  long double value = 0.0L;
  double size = 1.0;

  void add(double a, double b) {
    long double const term = static_cast<long double>(a) * b;
    value += term;
    size = std::max(size, static_cast<double>(std::fabs(term)));
  }
  bool isWithin(double lower, double upper) const {
    double const x = static_cast<double>(value);
    return x >= lower - tolerance * std::max(size, std::fabs(lower)) &&
           x <= upper + tolerance * std::max(size, std::fabs(upper));
  }
};

/// Rows times x and columns times y, from the matrix as it is handed out.
struct Products {
  std::vector<Sum> ofRows, ofColumns;

  Products(OsiSolverInterface const& s, double const* x, double const* y)
      : ofRows(static_cast<std::size_t>(s.getNumRows())),
        ofColumns(static_cast<std::size_t>(s.getNumCols())) {
    CoinPackedMatrix const& matrix = *s.getMatrixByCol();
    for (int j = 0; j < s.getNumCols(); ++j) {
      CoinBigIndex const begin = matrix.getVectorFirst(j);
      for (CoinBigIndex e = begin; e < begin + matrix.getVectorSize(j); ++e) {
        int const i = matrix.getIndices()[e];
        double const a = matrix.getElements()[e];
        if (x) ofRows[static_cast<std::size_t>(i)].add(a, x[j]);
        if (y) ofColumns[static_cast<std::size_t>(j)].add(a, y[i]);
      }
    }
  }
};

bool isInfinite(double bound) {
  return std::fabs(bound) >= COIN_DBL_MAX;
}

/// The fault of an optimum, or "": x within all bounds, and no multiplier that asks for a bound
/// that x does not rest on.
std::string faultOfOptimum(OsiSolverInterface const& s) {
  double const *x = s.getColSolution(), *y = s.getRowPrice();
  Products const products(s, x, y);
  long double objective = 0.0L;
  double offset = 0.0;
  s.getDblParam(OsiObjOffset, offset);
  objective -= offset;
  // The multiplier pulls `value` down where it is positive: a share of the objective is lost by
  // what is left to the bound.
  long double lost = 0.0L;
  double size = 1.0;
  auto const complementary = [&](double pull, Sum const& at, double lower, double upper) {
    double const bound = pull > 0.0 ? lower : upper, small = 1e-7 * (1.0 + std::fabs(pull));
    if (isInfinite(bound)) return std::fabs(pull) <= 10.0 * small;
    lost += std::fabs(static_cast<long double>(pull) * (at.value - bound));
    size = std::max(size, std::fabs(pull * bound));
    return true;
  };
  for (int i = 0; i < s.getNumRows(); ++i) {
    Sum const& activity = products.ofRows[static_cast<std::size_t>(i)];
    double const lower = s.getRowLower()[i], upper = s.getRowUpper()[i];
    if (!activity.isWithin(lower, upper)) return "row " + std::to_string(i) + " is violated";
    if (std::fabs(static_cast<double>(activity.value) - s.getRowActivity()[i]) >
        tolerance * activity.size)
      return "the activity of row " + std::to_string(i) + " is another one";
    if (!complementary(s.getObjSense() * y[i], activity, lower, upper))
      return "the price of row " + std::to_string(i) + " has the wrong sign";
  }
  for (int j = 0; j < s.getNumCols(); ++j) {
    double const lower = s.getColLower()[j], upper = s.getColUpper()[j];
    Sum value;
    value.add(1.0, x[j]);
    if (!value.isWithin(lower, upper)) return "column " + std::to_string(j) + " is violated";
    objective += static_cast<long double>(s.getObjCoefficients()[j]) * x[j];
    size = std::max(size, std::fabs(s.getObjCoefficients()[j] * x[j]));
    Sum d = products.ofColumns[static_cast<std::size_t>(j)];
    d.value = -d.value;
    d.add(s.getObjCoefficients()[j], 1.0);
    double const reduced = static_cast<double>(d.value);
    if (std::fabs(reduced - s.getReducedCost()[j]) > tolerance * d.size)
      return "the reduced cost of column " + std::to_string(j) + " is another one";
    double const pull = s.getObjSense() * reduced;
    // Rounding of the sum, no more.
    if (std::fabs(pull) > tolerance * d.size && !complementary(pull, value, lower, upper))
      return "the reduced cost of column " + std::to_string(j) + " has the wrong sign";
  }
  if (lost > tolerance * size) return "the multipliers lose " + std::to_string(double(lost));
  if (std::fabs(static_cast<double>(objective) - s.getObjValue()) > tolerance * size)
    return "the objective is another one";
  std::vector<int> columns(static_cast<std::size_t>(s.getNumCols())),
      rows(static_cast<std::size_t>(s.getNumRows()));
  s.getBasisStatus(columns.data(), rows.data());
  auto const basics =
      std::count(columns.begin(), columns.end(), 1) + std::count(rows.begin(), rows.end(), 1);
  if (basics != s.getNumRows()) return "the basis has " + std::to_string(basics) + " variables";
  return "";
}

/// The fault of a proof that there is no feasible point: r'A x over all x within the columns'
/// bounds stays above what the rows' bounds allow. Bounds that cross need no proof.
std::string faultOfInfeasibility(OsiSolverInterface const& s) {
  for (int j = 0; j < s.getNumCols(); ++j)
    if (s.getColLower()[j] > s.getColUpper()[j]) return "";
  for (int i = 0; i < s.getNumRows(); ++i)
    if (s.getRowLower()[i] > s.getRowUpper()[i]) return "";
  auto const rays = s.getDualRays(1);
  if (rays.empty()) return "there is no dual ray";
  std::unique_ptr<double[]> const ray(rays[0]);
  Products const products(s, nullptr, ray.get());
  double largest = 0.0;
  for (int i = 0; i < s.getNumRows(); ++i) largest = std::max(largest, std::fabs(ray[i]));
  // max of ray'(A x) over the rows' bounds less min over the columns', and the same the other way.
  for (double const sign : {1.0, -1.0}) {
    long double room = 0.0L;
    double size = 0.0;
    bool finite = true;
    auto const add = [&](double factor, double bound) {
      if (isInfinite(bound)) {
        finite = false;
        return;
      }
      room += static_cast<long double>(factor) * bound;
      size = std::max(size, std::fabs(factor * bound));
    };
    for (int i = 0; i < s.getNumRows(); ++i)
      if (double const r = sign * ray[i]; r != 0.0)
        add(r, r > 0.0 ? s.getRowUpper()[i] : s.getRowLower()[i]);
    for (int j = 0; j < s.getNumCols(); ++j) {
      Sum const& sum = products.ofColumns[static_cast<std::size_t>(j)];
      double const c = -sign * static_cast<double>(sum.value);
      if (std::fabs(c) <= 1e-11 * std::max(largest, sum.size)) continue;  // cancels
      add(c, c > 0.0 ? s.getColUpper()[j] : s.getColLower()[j]);
    }
    if (finite && room < -1e-12 * size) return "";
  }
  return "the dual ray proves nothing";
}

/// The fault of a ray on which the objective has no end, or "".
std::string faultOfRay(OsiSolverInterface const& s) {
  auto const rays = s.getPrimalRays(1);
  if (rays.empty()) return "there is no primal ray";
  std::unique_ptr<double[]> const ray(rays[0]);
  double const* const x = s.getColSolution();
  Products const point(s, x, nullptr), direction(s, ray.get(), nullptr);
  auto const stays = [](Sum const& along, double lower, double upper) {
    double const small = 1e-8 * along.size, step = static_cast<double>(along.value);
    return (step >= -small || isInfinite(lower)) && (step <= small || isInfinite(upper));
  };
  long double gain = 0.0L;
  double size = 0.0;
  for (int j = 0; j < s.getNumCols(); ++j) {
    Sum value, along;
    value.add(1.0, x[j]);
    along.add(1.0, ray[j]);
    along.size = std::fabs(ray[j]);
    if (!value.isWithin(s.getColLower()[j], s.getColUpper()[j])) return "its point is infeasible";
    if (ray[j] != 0.0 && !stays(along, s.getColLower()[j], s.getColUpper()[j]))
      return "the ray leaves a column's bounds";
    gain += static_cast<long double>(s.getObjSense() * s.getObjCoefficients()[j]) * ray[j];
    size = std::max(size, std::fabs(s.getObjCoefficients()[j] * ray[j]));
  }
  for (int i = 0; i < s.getNumRows(); ++i) {
    auto const k = static_cast<std::size_t>(i);
    if (!point.ofRows[k].isWithin(s.getRowLower()[i], s.getRowUpper()[i]))
      return "its point is infeasible in row " + std::to_string(i);
    if (!stays(direction.ofRows[k], s.getRowLower()[i], s.getRowUpper()[i]))
      return "the ray leaves the bounds of row " + std::to_string(i);
  }
  return gain < -1e-9 * size ? "" : "the objective gains nothing on the ray";
}

std::string faultOf(OsiSolverInterface const& s) {
  switch (answerOf(s)) {
    case Answer::optimal:
      return faultOfOptimum(s);
    case Answer::infeasible:
      return faultOfInfeasibility(s);
    case Answer::unbounded:
      return faultOfRay(s);
    case Answer::limit:
      return "";
    case Answer::abandoned:
      return "it is abandoned";
  }
  return "";
}

class Sequence : osi_cuda::testing::RandomDraws {
 public:
  explicit Sequence(unsigned seed) : RandomDraws(seed), own_(osi_cuda::testing::makeOsiCuda()) {
    own_->setIntParam(OsiMaxNumIterationHotStart, 10000);
    largest_ = below(4) == 0 ? 70 : 25;
    scaled_ = below(3) == 0;
    chooseOptions();
    load();
  }

  std::string run(int steps) {
    solve(true);
    for (int step = 0; step < steps && fault_.empty(); ++step) {
      try {
        doOne();
      } catch (CoinError const& error) {
        fault_ = error.message();
      } catch (std::exception const& error) {
        fault_ = error.what();
      }
      if (!fault_.empty()) return "step " + std::to_string(step) + ", " + last_ + ": " + fault_;
    }
    return fault_;
  }

  /// Problem after problem, by way of a smaller one each: what is proved there comes back.
  std::string runPresolved(int problems) {
    for (int k = 0; k < problems && fault_.empty(); ++k) {
      chooseOptions();
      own().setSolverOption("presolve", "on");
      // What rational arithmetic proves may hold by less than sums of doubles can tell.
      own().setSolverOption("exact", "off");
      load();
      for (int changes = below(4); changes > 0; --changes) below(2) ? changeColumn() : changeRow();
      for (int changes = below(3); changes > 0; --changes) changeCosts();
      solve(true);
      // Rows that the point violates, and branches: mostly there is no feasible point left.
      for (int again = below(4); again > 0 && fault_.empty(); --again) {
        if (rows() > 0 && below(2)) {
          int const i = below(rows());
          double const activity = own_->getRowActivity()[i], by = 1 + below(4);
          below(2) ? own_->setRowBounds(i, activity + by, COIN_DBL_MAX)
                   : own_->setRowBounds(i, -COIN_DBL_MAX, activity - by);
        }
        if (below(2)) changeColumn();
        solve(true);
      }
      if (!fault_.empty()) return "problem " + std::to_string(k) + ": " + fault_;
    }
    return "";
  }

  int solves() const { return solves_; }
  std::array<int, 5> const& answers() const { return answers_; }

 private:
  int columns() const { return own_->getNumCols(); }
  int rows() const { return own_->getNumRows(); }
  double number() {
    double const digits = below(19) - 9;
    return scaled_ && below(3) == 0 ? digits * std::pow(10.0, below(7) - 3) : digits;
  }

  OsiCudaSolverInterface& own() { return dynamic_cast<OsiCudaSolverInterface&>(*own_); }

  void chooseOptions() {
    static char const* const representations[] = {"auto", "tableau", "factors", "factors"};
    static char const* const rules[] = {"auto", "auto", "steepest", "sketched", "devex", "dantzig"};
    static char const* const algorithms[] = {"auto", "auto", "primal", "dual"};
    static char const* const perturbations[] = {"auto", "auto", "off", "on"};
    static char const* const presolves[] = {"auto", "off", "on"};
    own().setSolverOption("representation", representations[below(4)]);
    own().setSolverOption("pricing", rules[below(6)]);
    own().setSolverOption("algorithm", algorithms[below(4)]);
    own().setSolverOption("perturbation", perturbations[below(4)]);
    own().setSolverOption("presolve", presolves[below(3)]);
    own().setSolverOption("scaling", below(3) == 0 ? "off" : "on");
    own().setSolverOption("threads", "1");
  }

  CoinPackedVector vectorOf(int size) {
    CoinPackedVector vector;
    int const rarity = size > 20 ? 6 : 3;
    for (int i = 0; i < size; ++i)
      if (below(rarity) == 0)
        if (double const a = number(); a != 0.0) vector.insert(i, a);
    return vector;
  }

  void load() {
    int const m = 1 + below(largest_), n = 2 + below(largest_ + 10);
    CoinPackedMatrix matrix(false, 0, 0);
    matrix.setDimensions(0, n);
    std::vector<double> lower, upper, cost, rowLower, rowUpper;
    for (int i = 0; i < m; ++i) {
      CoinPackedVector const row = vectorOf(n);
      matrix.appendRow(row);
      rowLower.emplace_back();
      rowUpper.emplace_back();
      rowBounds(row, rowLower.back(), rowUpper.back());
    }
    for (int j = 0; j < n; ++j) {
      lower.emplace_back();
      upper.emplace_back();
      columnBounds(lower.back(), upper.back());
      cost.push_back(number());
    }
    own_->loadProblem(matrix, lower.data(), upper.data(), cost.data(), rowLower.data(),
                      rowUpper.data());
  }

  void doOne() {
    switch (below(26)) {
      case 0:
      case 1:
        return changeColumn();
      case 2:
        return changeRow();
      case 3:
        return changeCosts();
      case 4:
        return addRows();
      case 5:
        return deleteRows();
      case 6:
        return addColumns();
      case 7:
        return deleteColumns();
      case 8:
        return replaceMatrix();
      case 9:
        last_ = "clone";
        own_.reset(own_->clone());
        return;
      case 10:
        return hotStart();
      case 11:
        return anotherBasis();
      case 12:
        last_ = "options";
        return chooseOptions();
      case 13:
        return limitIterations();
      case 14:
        return limitObjective();
      case 15:
        return setPoint();
      case 16:
        return pivots();
      case 17:
        return cut();
      case 18:
        return fixAndFree();
      case 19:
        last_ = "initial solve";
        return solve(true);
      default:
        last_ = "resolve";
        return solve(false);
    }
  }

  void changeColumn() {
    last_ = "column bounds";
    for (int k = below(3); k >= 0; --k) {
      int const j = below(columns());
      double lower, upper;
      columnBounds(lower, upper);
      if (below(2) && own_->isProvenOptimal()) {  // as branching does
        double const x = own_->getColSolution()[j];
        (below(2) ? upper : lower) = std::floor(x);
        if (lower > upper) lower = upper - below(3);
      }
      own_->setColBounds(j, lower, upper);
    }
  }
  void changeRow() {
    last_ = "row bounds";
    if (rows() == 0) return;
    int const i = below(rows());
    CoinPackedVector const row(own_->getMatrixByRow()->getVector(i));
    double lower, upper;
    rowBounds(row, lower, upper);
    own_->setRowBounds(i, lower, upper);
  }
  void changeCosts() {
    last_ = "costs";
    int const kind = below(4);
    if (kind == 0) return own_->setObjSense(-own_->getObjSense());
    if (kind == 1) {
      std::vector<double> costs;
      for (int j = 0; j < columns(); ++j) costs.push_back(number());
      return own_->setObjective(costs.data());
    }
    own_->setObjCoeff(below(columns()), number());
    own_->setDblParam(OsiObjOffset, number());
  }
  void addRows() {
    last_ = "add rows";
    int const count = 1 + below(4);
    if (rows() + count > 2 * largest_) return;
    std::vector<CoinPackedVector> added;
    std::vector<CoinPackedVectorBase const*> pointers;
    std::vector<double> lower(static_cast<std::size_t>(count)), upper = lower;
    for (std::size_t k = 0; k < lower.size(); ++k) {
      added.push_back(vectorOf(columns()));
      rowBounds(added.back(), lower[k], upper[k]);
    }
    for (auto const& row : added) pointers.push_back(&row);
    own_->addRows(count, pointers.data(), lower.data(), upper.data());
  }
  std::vector<int> someOf(int size, int most) {
    std::vector<int> chosen;
    for (int k = below(most + 1); k > 0 && size > 0; --k) chosen.push_back(below(size));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }
  void deleteRows() {
    last_ = "delete rows";
    auto const gone = someOf(rows(), 3);
    if (!gone.empty()) own_->deleteRows(static_cast<int>(gone.size()), gone.data());
  }
  void addColumns() {
    last_ = "add column";
    if (columns() > 2 * largest_) return;
    CoinPackedVector const column = vectorOf(rows());
    double lower, upper;
    columnBounds(lower, upper);
    own_->addCol(column, lower, upper, number());
  }
  void deleteColumns() {
    last_ = "delete columns";
    auto const gone = someOf(columns(), 2);
    if (gone.empty() || static_cast<int>(gone.size()) + 2 >= columns()) return;
    own_->deleteCols(static_cast<int>(gone.size()), gone.data());
  }
  // Other coefficients in the same places, and a few new places.
  void replaceMatrix() {
    last_ = "coefficients";
    CoinPackedMatrix matrix(*own_->getMatrixByCol());
    for (int k = below(4); k >= 0 && rows() > 0; --k)
      matrix.modifyCoefficient(below(rows()), below(columns()), number());
    own_->replaceMatrix(matrix);
  }
  void hotStart() {
    last_ = "hot start";
    solve(false);
    if (!fault_.empty() || !own_->isProvenOptimal()) return;
    std::vector<int> basics(static_cast<std::size_t>(rows()));
    bool const asked = below(2) == 0;
    if (asked && rows() > 0) own_->getBasics(basics.data());
    own_->markHotStart();
    if (asked) checkTableau();
    for (int k = below(5); k >= 0 && fault_.empty(); --k) {
      int const j = below(columns());
      double const lower = own_->getColLower()[j], upper = own_->getColUpper()[j];
      double const x = std::floor(own_->getColSolution()[j]);
      below(2) ? own_->setColUpper(j, x) : own_->setColLower(j, x + 1.0);
      own_->solveFromHotStart();
      judge("after a hot start");
      if (below(2)) own_->setColBounds(j, lower, upper);
    }
    own_->unmarkHotStart();
  }
  void anotherBasis() {
    last_ = "basis";
    CoinWarmStartBasis basis;
    int const missing = below(4) == 0 ? below(3) : 0;  // too short: the rest is filled up
    basis.setSize(std::max(0, columns() - missing), std::max(0, rows() - missing));
    bool const random = below(2) == 0;
    auto const any = [&] { return static_cast<CoinWarmStartBasis::Status>(below(4)); };
    for (int j = 0; j < basis.getNumStructural(); ++j)
      basis.setStructStatus(j, random ? any() : CoinWarmStartBasis::atLowerBound);
    for (int i = 0; i < basis.getNumArtificial(); ++i)
      basis.setArtifStatus(i, random ? any() : CoinWarmStartBasis::basic);
    own_->setWarmStart(&basis);
  }
  void limitIterations() {
    last_ = "iteration limit";
    own_->setIntParam(OsiMaxNumIteration, below(6));
    solve(below(2) == 0);
    own_->setIntParam(OsiMaxNumIteration, 1000000);
    if (fault_.empty()) solve(false);
  }
  // Where the limit ends a solve, the optimum has to lie beyond it.
  void limitObjective() {
    last_ = "objective limit";
    double before = 0.0;
    own_->getDblParam(OsiDualObjectiveLimit, before);
    double const limit = own_->getObjValue() + own_->getObjSense() * (below(20) - 5);
    own_->setDblParam(OsiDualObjectiveLimit, limit);
    changeColumn();
    solve(false);
    bool const stopped = fault_.empty() && answerOf(*own_) == Answer::limit;
    if (stopped && !own_->isDualObjectiveLimitReached()) fault_ = "stopped, but not by the limit";
    own_->setDblParam(OsiDualObjectiveLimit, before);
    if (fault_.empty()) solve(false);
    if (stopped && own_->isProvenOptimal() &&
        own_->getObjSense() * (own_->getObjValue() - limit) < -1e-6 * (1.0 + std::fabs(limit)))
      fault_ = "the optimum lies before the limit that ended the solve";
    if (stopped && own_->isProvenDualInfeasible()) fault_ = "a limit ended an unbounded problem";
  }
  void setPoint() {
    last_ = "set solution";
    std::vector<double> const x(static_cast<std::size_t>(columns()), number()),
        y(static_cast<std::size_t>(rows()), number());
    if (below(2)) own_->setColSolution(x.data());
    if (below(2)) own_->setRowPrice(y.data());
    solve(false);
  }
  // A walk by single pivots, and back to the optimum.
  void pivots() {
    last_ = "pivots";
    if (!own_->isProvenOptimal() || rows() == 0) return;
    own_->enableSimplexInterface(true);
    for (int k = below(6); k >= 0; --k) {
      int out = 0, status = 0;
      double step = 0.0;
      own().primalPivotResult(below(columns()), below(2) ? 1 : -1, out, status, step, nullptr);
    }
    checkTableau();
    own_->disableSimplexInterface();
    if (fault_.empty()) solve(false);
  }
  void cut() {
    last_ = "cut";
    if (rows() > 2 * largest_) return;
    OsiRowCut cut;
    CoinPackedVector const row = vectorOf(columns());
    double lower, upper;
    rowBounds(row, lower, upper);
    cut.setRow(row);
    cut.setLb(lower);
    cut.setUb(upper);
    own_->applyRowCuts(1, &cut);
    if (below(2)) solve(false);
  }
  // Columns that are fixed while the dual runs and free afterwards: what was left out of date must
  // be formed anew.
  void fixAndFree() {
    last_ = "fix and free";
    auto const some = someOf(columns(), 6);
    std::vector<double> const lower(own_->getColLower(), own_->getColLower() + columns()),
        upper(own_->getColUpper(), own_->getColUpper() + columns());
    for (int const j : some) {
      auto const k = static_cast<std::size_t>(j);
      double const x = std::max(lower[k], std::min(upper[k], 0.0));
      own_->setColBounds(j, x, x);
    }
    if (below(2)) changeColumn();
    solve(false);
    for (int const j : some) {
      auto const k = static_cast<std::size_t>(j);
      own_->setColBounds(j, lower[k], upper[k]);
    }
    if (fault_.empty()) solve(false);
  }

  void solve(bool initial) {
    initial ? own_->initialSolve() : own_->resolve();
    judge(initial ? "after an initial solve" : "after a re-solve");
  }

  void judge(char const* when) {
    ++solves_;
    Answer const answer = answerOf(*own_);
    ++answers_[static_cast<std::size_t>(answer)];
    std::string const fault = faultOf(*own_);
    if (!fault.empty()) {
      fault_ = std::string(when) + ", " + toString(answer) + ": " + fault;
      return;
    }
    if (answer == Answer::optimal && below(3) == 0) checkTableau();
    if (answer != Answer::limit && below(10) == 0) compareWithFresh();
  }

  void compareWithFresh() {
    auto const fresh = osi_cuda::testing::makeOsiCuda();
    OsiClpSolverInterface clp;
    clp.messageHandler()->setLogLevel(0);
    clp.getModelPtr()->setLogLevel(0);
    double offset = 0.0;
    own_->getDblParam(OsiObjOffset, offset);
    for (OsiSolverInterface* const each : {fresh.get(), static_cast<OsiSolverInterface*>(&clp)}) {
      each->loadProblem(*own_->getMatrixByCol(), own_->getColLower(), own_->getColUpper(),
                        own_->getObjCoefficients(), own_->getRowLower(), own_->getRowUpper());
      each->setObjSense(own_->getObjSense());
      each->setDblParam(OsiObjOffset, offset);
      each->initialSolve();
      Answer const answer = answerOf(*each);
      // A problem may be infeasible and have a ray; and Clp's tolerances are absolute.
      bool const both = answerOf(*own_) == Answer::optimal && answer == Answer::optimal;
      double const difference = std::fabs(own_->getObjValue() - each->getObjValue());
      bool const same = both ? difference <= 1e-5 * (1.0 + std::fabs(own_->getObjValue()))
                             : (answerOf(*own_) == Answer::optimal) == (answer == Answer::optimal);
      if (same) continue;
      if (each == &clp) {  // its answers have no proof: counted, not held against anybody
        ++disagreements_;
        continue;
      }
      std::ostringstream text;
      text.precision(12);
      text << toString(answerOf(*own_)) << " " << own_->getObjValue() << ", but fresh it is "
           << toString(answer) << " " << each->getObjValue();
      fault_ = text.str();
    }
  }

  // Rows of B^-1 A have units below the basic variables, columns fit them, and B^-1 does too.
  void checkTableau() {
    if (rows() == 0) return;
    std::vector<int> basics(static_cast<std::size_t>(rows()));
    own_->getBasics(basics.data());
    int const r = below(rows()), j = below(columns());
    std::vector<double> row(static_cast<std::size_t>(columns()));
    std::vector<double> slack(static_cast<std::size_t>(rows())), column = slack;
    own_->getBInvARow(r, row.data(), slack.data());
    double largest = 1.0;
    for (double const entry : row) largest = std::max(largest, std::fabs(entry));
    for (double const entry : slack) largest = std::max(largest, std::fabs(entry));
    // Against the matrix itself: what the row says it is made of.
    Products const products(*own_, nullptr, slack.data());
    for (int k = 0; k < columns(); ++k) {
      Sum const& sum = products.ofColumns[static_cast<std::size_t>(k)];
      if (std::fabs(static_cast<double>(sum.value) - row[static_cast<std::size_t>(k)]) >
          1e-7 * std::max(largest, sum.size))
        fault_ = "a row of the tableau is not B^-1 A";
    }
    for (int i = 0; i < rows(); ++i) {
      auto const v = static_cast<std::size_t>(basics[static_cast<std::size_t>(i)]);
      Sum const sum = v < row.size() ? products.ofColumns[v] : Sum{slack[v - row.size()], largest};
      if (std::fabs(static_cast<double>(sum.value) - (i == r ? 1.0 : 0.0)) >
          1e-7 * std::max(largest, sum.size))
        fault_ = "a row of the tableau has no unit below a basic variable";
    }
    own_->getBInvACol(j, column.data());
    // Rounding of a column is that of its largest entry.
    for (double const entry : column) largest = std::max(largest, std::fabs(entry));
    if (std::fabs(column[static_cast<std::size_t>(r)] - row[static_cast<std::size_t>(j)]) >
        1e-7 * largest)
      fault_ = "a column of the tableau differs from the row";
  }

 public:
  int disagreements_ = 0;

 private:
  std::unique_ptr<OsiSolverInterface> own_;
  std::string last_, fault_;
  int largest_ = 0;
  bool scaled_ = false;
  int solves_ = 0;
  std::array<int, 5> answers_{};
};

enum class What { sequence, presolvedProblems };

void runSequences(unsigned first, unsigned count, int steps, What what = What::sequence) {
  int solves = 0, disagreements = 0;
  std::array<int, 5> answers{};
  for (unsigned seed = first; seed < first + count; ++seed) {
    Sequence sequence(seed);
    std::string const fault =
        what == What::sequence ? sequence.run(steps) : sequence.runPresolved(steps);
    BOOST_TEST(fault.empty(), "seed " << seed << ": " << fault);
    solves += sequence.solves();
    disagreements += sequence.disagreements_;
    for (std::size_t k = 0; k < answers.size(); ++k) answers[k] += sequence.answers()[k];
  }
  BOOST_TEST_MESSAGE(count << " sequences, " << solves << " solves: " << answers[0] << " optimal, "
                           << answers[1] << " infeasible, " << answers[2] << " unbounded, "
                           << answers[3] << " at a limit; OsiClp says something else in "
                           << disagreements);
  BOOST_TEST(solves > static_cast<int>(count));
}

/// OSI_CUDA_SEQUENCES="FIRST COUNT STEPS": others than the test's own.
struct Range {
  unsigned first, count;
  int steps;
};
Range rangeOr(Range range) {
  if (char const* const text = std::getenv("OSI_CUDA_SEQUENCES")) {
    std::istringstream in(text);
    in >> range.first >> range.count >> range.steps;
  }
  return range;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resolves)
BOOST_AUTO_TEST_CASE(every_answer_of_a_sequence_is_proved_by_itself) {
  Range const range = rangeOr({1, 120, 60});
  runSequences(range.first, range.count, range.steps);
}
BOOST_AUTO_TEST_CASE(what_is_proved_of_a_smaller_problem_is_proved_of_the_given_one) {
  Range const range = rangeOr({1, 20, 40});
  runSequences(range.first, range.count, range.steps, What::presolvedProblems);
}
// Where faults were found: a list of basic variables that markHotStart had put into another order;
// an optimum in double-double arithmetic that the engine did not hold.
BOOST_AUTO_TEST_CASE(sequences_that_once_failed) {
  for (unsigned const seed : {1107u, 1561u, 1600u, 2559u}) runSequences(seed, 1, 80);
}
BOOST_AUTO_TEST_SUITE_END()
