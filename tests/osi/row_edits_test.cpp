// SPDX-License-Identifier: EPL-2.0
// Rows between two solves: what the solver is told of them.
#include "osi/entries.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "CoinMessageHandler.hpp"
#include "CoinPackedVector.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

using osi_cuda::at;
using osi_cuda::SparseMatrix;
using osi_cuda::osi::RowEdits;

namespace {

/// Rows of one entry each, in column 0, given as columns.
SparseMatrix rowsOf(std::vector<double> const& entries) {
  SparseMatrix rows;
  rows.rows = 1;
  for (double const entry : entries) {
    rows.add(0, entry);
    rows.endColumn();
  }
  return rows;
}

/// What a solver has said.
class Sentences : public CoinMessageHandler {
 public:
  int print() override {
    all += messageBuffer();
    return 0;
  }
  CoinMessageHandler* clone() const override { return new Sentences(*this); }
  bool has(char const* words) const { return all.find(words) != std::string::npos; }

  std::string all;
};

/// A small problem, solved, whose messages are kept from then on.
struct Listening {
  Listening() {
    solver.passInMessageHandler(&said);
    solver.setSolverOption("engine", "host");
    solver.readMps(OSI_CUDA_SAMPLE_FOLDER "/p0033", "mps");
    said.setLogLevel(2);
    solver.initialSolve();
  }
  Sentences said;
  OsiCudaSolverInterface solver;
};

struct Cut {
  CoinPackedVector row;
  double lower, upper;
};

/// Takes cuts out of a problem and puts some of them back, changed or not, as branch and bound
/// does; each answer is compared with that of a copy, which has a solver of its own.
class CutRounds {
 public:
  explicit CutRounds(std::string const& name) {
    solver_.messageHandler()->setLogLevel(0);
    solver_.setSolverOption("engine", "host");
    solver_.readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + name).c_str(), "mps");
    own_ = solver_.getNumRows();
    solver_.initialSolve();
    for (int k = 0; k < 12; ++k) cuts_.push_back(draw());
    for (Cut const& cut : cuts_) solver_.addRow(cut.row, cut.lower, cut.upper);
    check();
  }

  void round() {
    if (below(4) == 0) solver_.markHotStart();
    solver_.restoreBaseModel(own_);
    if (below(3) == 0) cuts_.erase(cuts_.begin() + below(static_cast<int>(cuts_.size())));
    if (below(3) == 0) std::swap(cuts_.front(), cuts_.back());
    if (below(3) == 0) cuts_[cuts_.size() / 2].upper -= 1e-3 * std::fabs(cuts_[0].upper);
    if (below(3) == 0) cuts_.insert(cuts_.begin() + below(2) * 3, draw());
    if (below(8) == 0) addAndDropColumn();
    for (Cut const& cut : cuts_) solver_.addRow(cut.row, cut.lower, cut.upper);
    if (own_ > 4 && below(4) == 0) {  // rows of the problem's own go and come back behind the cuts
      int const own = below(own_);
      CoinPackedVector const row(solver_.getMatrixByRow()->getVector(own));
      double const lower = solver_.getRowLower()[own], upper = solver_.getRowUpper()[own];
      lastIsCut_ = false;
      solver_.deleteRows(1, &own);
      solver_.addRow(row, lower, upper);
      check();
      lastIsCut_ = true;
      int const last = solver_.getNumRows() - 1;
      solver_.deleteRows(1, &last);
      --own_;
    }
    if (below(5) == 0) solver_.unmarkHotStart();
    check();
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  /// Tight at the present point, or cutting it off by a little.
  Cut draw() {
    Cut cut{{}, -solver_.getInfinity(), 0.0};
    for (int j = below(4); j < solver_.getNumCols(); j += 1 + below(5)) {
      double const entry = 1.0 + below(50);
      cut.row.insert(j, entry);
      cut.upper += entry * solver_.getColSolution()[j];
    }
    cut.upper -= 1e-4 * below(2) * std::fabs(cut.upper);
    return cut;
  }

  void addAndDropColumn() {
    int const rows[]{0, solver_.getNumRows() - 1}, column = solver_.getNumCols();
    double const entries[]{1.0, 2.0};
    solver_.addCol(2, rows, entries, 0.0, 1.0, 0.5);
    if (below(2) == 0) check();
    solver_.deleteCols(1, &column);
  }

  /// The matrices that are handed out have room in them and are kept through changes.
  void checkMatrices() {
    CoinPackedMatrix byRow, plain(*solver_.getMatrixByCol());
    plain.removeGaps();
    byRow.reverseOrderedCopyOf(plain);
    BOOST_REQUIRE(solver_.getMatrixByRow()->isEquivalent(byRow));
    BOOST_REQUIRE_EQUAL(solver_.getNumElements(), plain.getNumElements());
    int const last = solver_.getNumRows() - 1;
    if (last < own_ || cuts_.empty() || !lastIsCut_) return;
    CoinPackedVector const row(byRow.getVector(last));
    BOOST_REQUIRE(row.isEquivalent(cuts_.back().row));
  }

  void check() {
    checkMatrices();
    solver_.resolve();
    std::unique_ptr<OsiSolverInterface> const other(solver_.clone());
    other->setWarmStart(std::unique_ptr<CoinWarmStart>(other->getEmptyWarmStart()).get());
    other->initialSolve();
    BOOST_REQUIRE_EQUAL(solver_.isProvenOptimal(), other->isProvenOptimal());
    if (!other->isProvenOptimal()) return;
    BOOST_REQUIRE_SMALL(solver_.getObjValue() - other->getObjValue(),
                        1e-7 * (1.0 + std::fabs(other->getObjValue())));
  }

  OsiCudaSolverInterface solver_;
  std::vector<Cut> cuts_;
  int own_ = 0;
  bool lastIsCut_ = true;
  std::mt19937 random_{1};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(osi_row_edits)

BOOST_AUTO_TEST_CASE(rows_that_come_back_in_order_are_kept) {
  RowEdits edits{{}, {}, 1};
  edits.remove({1, 3, 4, 5}, 6);
  BOOST_TEST(edits.gone == (std::vector<int>{1, 3, 4, 5}), boost::test_tools::per_element());
  edits.fresh = rowsOf({3.0, 5.0, 4.0});
  BOOST_TEST(edits.restore(rowsOf({0.5, 1.0, 2.0, 3.0, 4.0, 5.0}).transposed()) == 2);
  BOOST_TEST(edits.gone == (std::vector<int>{1, 4}), boost::test_tools::per_element());
  BOOST_TEST(edits.fresh.values == std::vector<double>{4.0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_behind_a_new_one_are_new) {
  RowEdits edits;
  edits.remove({1, 2}, 3);
  edits.fresh = rowsOf({7.0, 1.0, 2.0});
  BOOST_TEST(edits.restore(rowsOf({0.5, 1.0, 2.0}).transposed()) == 0);
  BOOST_TEST(edits.fresh.columns == 3);
}

BOOST_AUTO_TEST_CASE(rows_are_removed_by_the_problems_numbers) {
  RowEdits edits;
  edits.remove({0, 2}, 6);
  edits.fresh = rowsOf({7.0, 8.0, 9.0, 10.0});
  edits.remove({1, 3, 5, 7}, 6);  // 4 and later are new: the solver never heard of them
  BOOST_TEST(edits.gone == (std::vector<int>{0, 2, 3, 5}), boost::test_tools::per_element());
  BOOST_TEST(edits.fresh.values == (std::vector<double>{7.0, 9.0}),
             boost::test_tools::per_element());
}

// Of others the entries may be anywhere in a column: of row 2 = (2, 9) here only the 2 is last.
BOOST_AUTO_TEST_CASE(only_rows_that_were_appended_come_back) {
  SparseMatrix const held{3, 2, {0, 2, 4}, {0, 2, 2, 0}, {1.0, 2.0, 9.0, 1.0}};
  RowEdits edits{{}, {}, 3};
  edits.remove({2}, 3);
  edits.fresh = {2, 1, {0, 1}, {0}, {2.0}};
  BOOST_TEST(edits.restore(held) == 0);
  BOOST_TEST(edits.gone.size() == 1);
}

// Down to the first cut: what is behind the problem's own rows came last in every column.
BOOST_FIXTURE_TEST_CASE(all_cuts_that_leave_and_come_back_are_kept, Listening) {
  int const own = solver.getNumRows();
  auto const addCuts = [&](int count) {
    for (int k = 0; k < count; ++k) {
      CoinPackedVector cut;
      for (int j = k; j < solver.getNumCols(); j += 2 + k) cut.insert(j, 1.0 + j);
      solver.addRow(cut, -solver.getInfinity(), 1e6);
    }
  };
  addCuts(3);
  solver.resolve();
  BOOST_TEST(!said.has("came back"));
  solver.restoreBaseModel(own);
  addCuts(3);
  solver.resolve();
  BOOST_TEST(said.has("3 rows came back"));
  solver.restoreBaseModel(own);
  addCuts(2);
  solver.resolve();
  BOOST_TEST(said.has("2 rows came back"));
}

// A cut with a basic slack and no multiplier leaves: the optimum stays, and the next solve says so
// without the solver, which hears of the row when it is needed.
BOOST_FIXTURE_TEST_CASE(an_optimum_outlives_rows_that_it_did_not_need, Listening) {
  int const n = solver.getNumCols(), cut = solver.getNumRows();
  double const optimum = solver.getObjValue();
  int const places[]{0, 1, 2};
  double const ones[]{1.0, 1.0, 1.0};
  CoinPackedVector const wide(3, places, ones);
  auto const comesAndGoes = [&](double upper) {
    solver.addRow(wide, -solver.getInfinity(), upper);
    solver.resolve();
    said.all.clear();
    solver.deleteRows(1, &cut);
    BOOST_TEST(!solver.isProvenOptimal());
    solver.resolve();
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(solver.getObjValue() == optimum, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(solver.getRowActivity()[cut - 1] <= solver.getRowUpper()[cut - 1] + 1e-9);
    bool const stays = said.has("optimal as it was");
    // What rounded to a multiplier of zero may have been needed.
    if (stays) BOOST_TEST(solver.getObjectiveEnclosure().lower == -COIN_DBL_MAX);
    return stays;
  };
  BOOST_TEST(comesAndGoes(1e6));
  std::unique_ptr<OsiSolverInterface> const other(solver.clone());
  other->setWarmStart(std::unique_ptr<CoinWarmStart>(solver.getWarmStart()).get());
  other->initialSolve();
  std::vector<double> row(at(n)), same(at(n)), slacks(at(cut)), sameSlacks(at(cut));
  std::vector<int> basics(at(cut)), otherBasics(at(cut));
  solver.getBasics(basics.data());
  other->getBasics(otherBasics.data());
  for (int i = 0; i < cut; ++i) {
    auto const there = std::ranges::find(otherBasics, basics[at(i)]) - otherBasics.begin();
    BOOST_REQUIRE(there < cut);
    solver.getBInvARow(i, row.data(), slacks.data());
    other->getBInvARow(static_cast<int>(there), same.data(), sameSlacks.data());
    for (int j = 0; j < n; ++j) BOOST_REQUIRE_SMALL(row[at(j)] - same[at(j)], 1e-9);
    for (int k = 0; k < cut; ++k) BOOST_REQUIRE_SMALL(slacks[at(k)] - sameSlacks[at(k)], 1e-9);
  }

  BOOST_TEST(comesAndGoes(1e6));
  for (OsiSolverInterface* const one : {static_cast<OsiSolverInterface*>(&solver), other.get()}) {
    one->markHotStart();
    one->setColUpper(0, 0.0);
    one->setColLower(1, 1.0);
    one->solveFromHotStart();
  }
  BOOST_TEST(solver.getObjValue() == other->getObjValue(), boost::test_tools::tolerance(1e-9));
  solver.unmarkHotStart();
  solver.setColUpper(0, 1.0);
  solver.setColLower(1, 0.0);
  double tight = 0.0;
  for (int const j : {0, 1, 2}) tight += solver.getColSolution()[j];
  solver.resolve();
  BOOST_TEST(!comesAndGoes(0.5 * tight));  // its multiplier counts
}

BOOST_AUTO_TEST_CASE(cuts_that_leave_and_come_back_are_what_the_problem_says) {
  for (std::string const name : {"p0033", "p0201", "lseu"}) {
    BOOST_TEST_CONTEXT(name) {
      CutRounds rounds(name);
      for (int k = 0; k < 60; ++k) rounds.round();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
