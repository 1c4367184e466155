// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiRowCut.hpp"
#include "tests/osi/clp_twin.hpp"
#include "tests/osi/contract.hpp"
#include "tests/osi/random_draws.hpp"
#include "tests/osi/sequence_checks.hpp"

namespace osi_cuda::testing {

/// A random sequence of changes and re-solves, each answer verified. Now and then the same problem
/// is loaded into a fresh interface, and into OsiClp. Or OsiClp makes the whole sequence, too; then
/// without what it lacks, or does otherwise.
class Sequence : RandomDraws {
 public:
  enum class Beside { nothing, clp };

  explicit Sequence(unsigned seed, Beside beside = Beside::nothing)
      : RandomDraws(seed), own_(makeOsiCuda()) {
    if (beside == Beside::clp) {
      twin_.emplace();
      own_->setHintParam(OsiDoScale, false, OsiHintTry);
      largest_ = 20;
      load();
      return;
    }
    own_->setIntParam(OsiMaxNumIterationHotStart, 10000);
    largest_ = below(4) == 0 ? 70 : 25;
    scaled_ = below(3) == 0;
    denseUpTo_ = 20;
    chooseOptions();
    load();
  }

  std::string run(int steps) {
    if (!twin_) solve(true);
    for (int step = 0; step < steps && fault_.empty(); ++step) {
      try {
        doOne();
        if (twin_ && fault_.empty()) fault_ = twin_->differenceOfProblems(*own_);
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

  /// On this interface, and on the one beside it.
  template <class Edit>
  void each(Edit edit) {
    edit(*own_);
    if (twin_) edit(twin_->solver());
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

  void load() {
    int const m = 1 + below(largest_), n = 2 + below(largest_ + 10);
    Problem const problem = problemOf(m, n);
    each([&](OsiSolverInterface& s) { problem.loadInto(s); });
  }

  void doOne() {
    // What OsiClp does alike, by its number below.
    constexpr int alike[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 19, 20, 20, 20, 20, 20};
    switch (twin_ ? alike[below(static_cast<int>(std::size(alike)))] : below(26)) {
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
        if (twin_) twin_->clone();
        return;
      case 10:
        return hotStart();
      case 11:
        return twin_ ? swapBases() : anotherBasis();
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
      columnBounds(*own_, j, lower, upper);
      each([&](OsiSolverInterface& s) { s.setColBounds(j, lower, upper); });
    }
  }
  void changeRow() {
    last_ = "row bounds";
    if (rows() == 0) return;
    int const i = below(rows());
    if (twin_ && below(2)) return changeRowType(i);
    CoinPackedVector const row(own_->getMatrixByRow()->getVector(i));
    double lower, upper;
    rowBounds(row, lower, upper);
    each([&](OsiSolverInterface& s) { s.setRowBounds(i, lower, upper); });
  }
  void changeRowType(int i) {
    char const senses[] = {'L', 'G', 'E', 'R', 'N'};
    char const sense = senses[below(5)];
    // OsiClp gives back what it was given, also where it means nothing: a free row's right-hand
    // side, a range of no width.
    double const rhs = sense == 'N' ? 0.0 : number() * 2.0;
    double const range = sense == 'R' ? 1.0 + below(6) : 0.0;
    each([&](OsiSolverInterface& s) { s.setRowType(i, sense, rhs, range); });
  }
  void changeCosts() {
    last_ = "costs";
    int const kind = below(4);
    if (kind == 0) return each([](OsiSolverInterface& s) { s.setObjSense(-s.getObjSense()); });
    if (kind == 1) {
      std::vector<double> costs;
      for (int j = 0; j < columns(); ++j) costs.push_back(number());
      return each([&](OsiSolverInterface& s) { s.setObjective(costs.data()); });
    }
    // in the order in which g++ has always drawn them
    double const cost = number();
    int const j = below(columns());
    double const offset = number();
    each([&](OsiSolverInterface& s) {
      s.setObjCoeff(j, cost);
      s.setDblParam(OsiObjOffset, offset);
    });
  }
  void addRows() {
    last_ = "add rows";
    int const count = 1 + below(4);
    if (rows() + count > 2 * largest_) return;
    Rows const added = rowsOf(count, columns());
    each([&](OsiSolverInterface& s) { added.addTo(s); });
  }
  void deleteRows() {
    last_ = "delete rows";
    auto const gone = someOf(rows(), 3);
    int const count = static_cast<int>(gone.size());
    if (count == 0 || (twin_ && count == rows())) return;
    each([&](OsiSolverInterface& s) { s.deleteRows(count, gone.data()); });
  }
  void addColumns() {
    last_ = "add column";
    if (columns() > 2 * largest_) return;
    CoinPackedVector const column = vectorOf(rows());
    double lower, upper;
    columnBounds(lower, upper);
    double const cost = number();
    each([&](OsiSolverInterface& s) { s.addCol(column, lower, upper, cost); });
  }
  void deleteColumns() {
    last_ = "delete columns";
    auto const gone = someOf(columns(), 2);
    if (gone.empty() || static_cast<int>(gone.size()) + 2 >= columns()) return;
    each([&](OsiSolverInterface& s) { s.deleteCols(static_cast<int>(gone.size()), gone.data()); });
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
    each([](OsiSolverInterface& s) { s.markHotStart(); });
    if (asked) checkTableau();
    for (int k = below(5); k >= 0 && fault_.empty(); --k) {
      int const j = below(columns());
      double const lower = own_->getColLower()[j], upper = own_->getColUpper()[j];
      double const x = std::floor(own_->getColSolution()[j]);
      bool const down = below(2);
      each([&](OsiSolverInterface& s) {
        down ? s.setColUpper(j, x) : s.setColLower(j, x + 1.0);
        s.solveFromHotStart();
      });
      check("after a hot start");
      if (twin_ || below(2)) each([&](OsiSolverInterface& s) { s.setColBounds(j, lower, upper); });
    }
    each([](OsiSolverInterface& s) { s.unmarkHotStart(); });
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
  // Each goes on from the other's basis, or this one from slacks.
  void swapBases() {
    last_ = "bases";
    std::unique_ptr<CoinWarmStart> const own(own_->getWarmStart()),
        other(twin_->solver().getWarmStart());
    if (below(3) == 0) {
      CoinWarmStartBasis slack;
      slack.setSize(columns(), rows());
      for (int i = 0; i < rows(); ++i) slack.setArtifStatus(i, CoinWarmStartBasis::basic);
      own_->setWarmStart(&slack);
    } else {
      own_->setWarmStart(other.get());
      twin_->solver().setWarmStart(own.get());
    }
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
    each([&](OsiSolverInterface& s) { initial ? s.initialSolve() : s.resolve(); });
    check(initial ? "after an initial solve" : "after a re-solve");
  }

  void check(char const* when) {
    ++solves_;
    Answer const answer = answerOf(*own_);
    ++answers_[static_cast<std::size_t>(answer)];
    std::string const fault = faultOf(*own_);
    if (!fault.empty()) {
      fault_ = std::string(when) + ", " + toString(answer) + ": " + fault;
      return;
    }
    if (twin_) fault_ = twin_->differenceOfAnswers(*own_);
    if (!fault_.empty()) return;
    if (answer == Answer::optimal && below(3) == 0) checkTableau();
    if (!twin_ && answer != Answer::limit && below(10) == 0)
      if (std::string const other = differenceFromFresh(*own_, disagreements_); !other.empty())
        fault_ = other;
  }

  void checkTableau() {
    if (rows() == 0) return;
    int const r = below(rows()), j = below(columns());
    if (std::string const fault = faultOfTableau(*own_, r, j); !fault.empty()) fault_ = fault;
  }

 public:
  int disagreements_ = 0;

 private:
  std::unique_ptr<OsiSolverInterface> own_;
  std::optional<ClpTwin> twin_;
  std::string last_, fault_;
  int largest_ = 0;
  int solves_ = 0;
  std::array<int, 5> answers_{};
};

}  // namespace osi_cuda::testing
