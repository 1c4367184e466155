// SPDX-License-Identifier: EPL-2.0
// Random sequences of edits and solves on OsiCuda and on OsiClp side by side: the same status and
// objective at every solve, the same problem at every step, and nothing abandoned.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <sstream>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiClpSolverInterface.hpp"
#include "tests/osi/contract.hpp"
#include "tests/osi/random_draws.hpp"

namespace {

using Solver = std::unique_ptr<OsiSolverInterface>;

class Sequence : osi_cuda::testing::RandomDraws {
 public:
  explicit Sequence(unsigned seed)
      : RandomDraws(seed), own_(osi_cuda::testing::makeOsiCuda()), other_(makeOther()) {
    load();
  }

  /// Empty, or what went wrong at which step.
  std::string run(int steps) {
    for (int step = 0; step < steps && fault_.empty(); ++step) {
      doOne();
      compareProblems();
      if (!fault_.empty()) return "step " + std::to_string(step) + ", " + last_ + ": " + fault_;
    }
    return fault_;
  }
  int solves() const { return solves_; }

 private:
  static Solver makeOther() {
    auto solver = std::make_unique<OsiClpSolverInterface>();
    solver->messageHandler()->setLogLevel(0);
    solver->getModelPtr()->setLogLevel(0);
    return solver;
  }

  int columns() const { return own_->getNumCols(); }
  int rows() const { return own_->getNumRows(); }

  template <class Edit>
  void both(Edit edit) {
    edit(*own_);
    edit(*other_);
  }

  void load() {
    int const m = 1 + below(15), n = 2 + below(25);
    Problem const problem = problemOf(m, n);
    both([&](OsiSolverInterface& s) {
      problem.loadInto(s);
      // OsiClp's scaling calls feasible problems with an empty column infeasible.
      s.setHintParam(OsiDoScale, false, OsiHintTry);
    });
    dynamic_cast<OsiClpSolverInterface&>(*other_).getModelPtr()->scaling(0);
  }

  void doOne() {
    switch (below(17)) {
      case 0:
      case 1:
        return changeColumn();
      case 2:
        return changeRow();
      case 3:
        return changeCost();
      case 4:
        return addRows();
      case 5:
        return deleteRows();
      case 6:
        return addColumns();
      case 7:
        return deleteColumns();
      case 8:
        return cloneBoth();
      case 9:
        return hotStart();
      case 10:
        return swapBases();
      case 11:
        last_ = "initial solve";
        both([](OsiSolverInterface& s) { s.initialSolve(); });
        return compareSolves();
      default:
        last_ = "resolve";
        both([](OsiSolverInterface& s) { s.resolve(); });
        return compareSolves();
    }
  }

  void changeColumn() {
    last_ = "column bounds";
    int const j = below(columns());
    double lower, upper;
    columnBounds(*own_, j, lower, upper);
    both([&](OsiSolverInterface& s) { s.setColBounds(j, lower, upper); });
  }
  void changeRow() {
    last_ = "row bounds";
    if (rows() == 0) return;
    int const i = below(rows());
    char const senses[] = {'L', 'G', 'E', 'R', 'N'};
    char const sense = senses[below(5)];
    // OsiClp gives back what it was given, also where it means nothing: a free row's right-hand
    // side, a range of no width.
    double const rhs = sense == 'N' ? 0.0 : number() * 2.0;
    double const range = sense == 'R' ? 1.0 + below(6) : 0.0;
    both([&](OsiSolverInterface& s) { s.setRowType(i, sense, rhs, range); });
  }
  void changeCost() {
    last_ = "cost";
    int const j = below(columns());
    double const cost = number(), sense = below(2) ? 1.0 : -1.0;
    bool const turn = below(4) == 0;
    both([&](OsiSolverInterface& s) {
      s.setObjCoeff(j, cost);
      if (turn) s.setObjSense(sense);
    });
  }
  void addRows() {
    last_ = "add rows";
    int const count = 1 + below(4);
    if (rows() + count > 40) return;
    Rows const added = rowsOf(count, columns());
    both([&](OsiSolverInterface& s) { added.addTo(s); });
  }
  void deleteRows() {
    last_ = "delete rows";
    auto const gone = someOf(rows(), 3);
    if (gone.empty() || static_cast<int>(gone.size()) >= rows()) return;
    both([&](OsiSolverInterface& s) { s.deleteRows(static_cast<int>(gone.size()), gone.data()); });
  }
  void addColumns() {
    last_ = "add column";
    if (columns() > 50) return;
    CoinPackedVector const column = vectorOf(rows());
    double lower, upper;
    columnBounds(lower, upper);
    double const cost = number();
    both([&](OsiSolverInterface& s) { s.addCol(column, lower, upper, cost); });
  }
  void deleteColumns() {
    last_ = "delete columns";
    auto const gone = someOf(columns(), 2);
    if (gone.empty() || static_cast<int>(gone.size()) + 2 >= columns()) return;
    both([&](OsiSolverInterface& s) { s.deleteCols(static_cast<int>(gone.size()), gone.data()); });
  }
  void cloneBoth() {
    last_ = "clone";
    own_.reset(own_->clone());
    other_.reset(other_->clone());
  }
  void hotStart() {
    last_ = "hot start";
    own_->resolve();
    other_->resolve();
    compareSolves();
    if (!fault_.empty() || !own_->isProvenOptimal()) return;
    both([](OsiSolverInterface& s) { s.markHotStart(); });
    for (int k = below(5); k >= 0; --k) {
      int const j = below(columns());
      double const lower = own_->getColLower()[j], upper = own_->getColUpper()[j];
      double const x = std::floor(own_->getColSolution()[j]);
      bool const down = below(2);
      both([&](OsiSolverInterface& s) {
        down ? s.setColUpper(j, x) : s.setColLower(j, x + 1.0);
        s.solveFromHotStart();
      });
      compareSolves();
      both([&](OsiSolverInterface& s) { s.setColBounds(j, lower, upper); });
    }
    both([](OsiSolverInterface& s) { s.unmarkHotStart(); });
  }
  // Each goes on from the other's basis, or from slacks.
  void swapBases() {
    last_ = "bases";
    Solver const copy(own_->clone());
    std::unique_ptr<CoinWarmStart> own(own_->getWarmStart()), other(other_->getWarmStart());
    if (below(3) == 0) {
      CoinWarmStartBasis slack;
      slack.setSize(columns(), rows());
      for (int i = 0; i < rows(); ++i) slack.setArtifStatus(i, CoinWarmStartBasis::basic);
      own_->setWarmStart(&slack);
    } else {
      own_->setWarmStart(other.get());
      other_->setWarmStart(own.get());
    }
  }

  static char const* statusOf(OsiSolverInterface const& s) {
    if (s.isAbandoned()) return "abandoned";
    if (s.isProvenOptimal()) return "optimal";
    if (s.isProvenPrimalInfeasible()) return "infeasible";
    if (s.isProvenDualInfeasible()) return "unbounded";
    return "limit";
  }

  struct Outcome {
    std::string status;
    double objective;
  };
  static Outcome outcomeOf(OsiSolverInterface const& s) { return {statusOf(s), s.getObjValue()}; }
  static bool agree(Outcome const& own, Outcome const& other) {
    // Where neither side has a feasible point, OsiClp may name either. Sometimes it abandons what
    // this solver proves infeasible.
    if (own.status == "infeasible") return other.status != "optimal";
    if (own.status != other.status) return false;
    return own.status != "optimal" ||
           std::fabs(own.objective - other.objective) <= 1e-6 * (1.0 + std::fabs(other.objective));
  }

  void compareSolves() {
    ++solves_;
    Outcome const own = outcomeOf(*own_);
    Outcome other = outcomeOf(*other_);
    if (!agree(own, other)) {  // a second opinion: OsiClp from slacks, by the primal
      Solver fresh(other_->clone());
      CoinWarmStartBasis const slack;
      fresh->setWarmStart(&slack);
      fresh->setHintParam(OsiDoPresolveInInitial, false, OsiHintTry);
      fresh->setHintParam(OsiDoDualInInitial, false, OsiHintTry);
      fresh->initialSolve();
      other = outcomeOf(*fresh);
    }
    if (!agree(own, other)) {
      std::ostringstream text;
      text.precision(17);
      text << own.status << " " << own.objective << " instead of " << other.status << " "
           << other.objective;
      fault_ = text.str();
      return;
    }
    if (own.status == "optimal") checkTableau();
  }

  // Row r of B^-1 A at the present basis: a unit column below every basic variable.
  void checkTableau() {
    if (rows() == 0 || below(4) != 0) return;
    std::vector<int> basics(static_cast<std::size_t>(rows()));
    own_->getBasics(basics.data());
    int const r = below(rows());
    std::vector<double> row(static_cast<std::size_t>(columns()));
    std::vector<double> slack(static_cast<std::size_t>(rows())), column = slack;
    own_->getBInvARow(r, row.data(), slack.data());
    for (int i = 0; i < rows(); ++i) {
      auto const v = static_cast<std::size_t>(basics[static_cast<std::size_t>(i)]);
      double const entry = v < row.size() ? row[v] : slack[v - row.size()];
      if (std::fabs(entry - (i == r ? 1.0 : 0.0)) > 1e-8) fault_ = "a row of the tableau is wrong";
    }
    int const j = below(columns());
    own_->getBInvACol(j, column.data());
    if (std::fabs(column[static_cast<std::size_t>(r)] - row[static_cast<std::size_t>(j)]) >
        1e-8 * (1.0 + std::fabs(row[static_cast<std::size_t>(j)])))
      fault_ = "a column of the tableau differs from the row";
  }

  void compareProblems() {
    OsiSolverInterface const &a = *own_, &b = *other_;
    if (a.getNumCols() != b.getNumCols() || a.getNumRows() != b.getNumRows() ||
        a.getNumElements() != b.getNumElements() || a.getObjSense() != b.getObjSense())
      fault_ = "sizes differ";
    else if (!std::equal(a.getColLower(), a.getColLower() + columns(), b.getColLower()) ||
             !std::equal(a.getColUpper(), a.getColUpper() + columns(), b.getColUpper()) ||
             !std::equal(a.getObjCoefficients(), a.getObjCoefficients() + columns(),
                         b.getObjCoefficients()))
      fault_ = "columns differ";
    else if (!std::equal(a.getRowLower(), a.getRowLower() + rows(), b.getRowLower()) ||
             !std::equal(a.getRowUpper(), a.getRowUpper() + rows(), b.getRowUpper()) ||
             !std::equal(a.getRowSense(), a.getRowSense() + rows(), b.getRowSense()) ||
             !std::equal(a.getRightHandSide(), a.getRightHandSide() + rows(),
                         b.getRightHandSide()) ||
             !std::equal(a.getRowRange(), a.getRowRange() + rows(), b.getRowRange()))
      fault_ = "rows differ";
    else if (!a.getMatrixByCol()->isEquivalent(*b.getMatrixByCol()) ||
             !a.getMatrixByRow()->isEquivalent(*b.getMatrixByRow()))
      fault_ = "matrices differ";
  }

  Solver own_, other_;
  std::string last_, fault_;
  int solves_ = 0;
};

void runSequences(unsigned first, unsigned count, int steps) {
  int solves = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Sequence sequence(seed);
    std::string const fault = sequence.run(steps);
    BOOST_TEST(fault.empty(), "seed " << seed << ": " << fault);
    solves += sequence.solves();
  }
  BOOST_TEST_MESSAGE(count << " sequences, " << solves << " solves");
  BOOST_TEST(solves > static_cast<int>(count));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuzz)
BOOST_AUTO_TEST_CASE(random_sequences_agree_with_osi_clp) {
  runSequences(1, 300, 40);
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fuzz_long)
BOOST_AUTO_TEST_CASE(many_random_sequences_agree_with_osi_clp) {
  runSequences(1000, 4000, 60);
}
BOOST_AUTO_TEST_SUITE_END()
