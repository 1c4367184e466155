// SPDX-License-Identifier: EPL-2.0
// CoinModels, as programs build them piece by piece: what OsiClp takes from them is taken here, and
// the objective's offset, too.
#include <CoinModel.hpp>
#include <boost/test/unit_test.hpp>

#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

/// max 20 x + 9 y + 3 z - 7; 4 x + 2 y + z <= 40, 15 x + 5 y <= 120; z <= 5. Optimum 182.5 - 7.
CoinModel furniture() {
  CoinModel model;
  model.setElement(0, 0, 4);
  model.setElement(0, 1, 2);
  model.setElement(1, 0, 15);
  model.setElement(1, 1, 5);
  model.setElement(0, 2, 1);
  model.setObjective(0, 20);
  model.setObjective(1, 9);
  model.setObjective(2, 3);
  model.setRowUpper(0, 40);
  model.setRowUpper(1, 120);
  model.setColumnUpper(2, 5);
  model.setColumnName(0, "chairs");
  model.setColumnName(1, "tables");
  model.setRowName(0, "hours");
  model.setInteger(1);
  model.setOptimizationDirection(-1);
  model.setObjectiveOffset(7);
  return model;
}

/// The same model loaded by both, and solved.
struct Pair {
  explicit Pair(CoinModel& model) {
    for (OsiSolverInterface* solver :
         {static_cast<OsiSolverInterface*>(&ours), static_cast<OsiSolverInterface*>(&clp)}) {
      solver->messageHandler()->setLogLevel(0);
      solver->setIntParam(OsiNameDiscipline, 1);
      BOOST_TEST(solver->loadFromCoinModel(model) == 0);
    }
    BOOST_TEST(ours.getObjSense() == clp.getObjSense());
    BOOST_TEST(ours.getNumElements() == clp.getNumElements());
    BOOST_REQUIRE(ours.getNumCols() == clp.getNumCols());
    for (int j = 0; j < clp.getNumCols(); ++j) {
      BOOST_TEST(ours.getObjCoefficients()[j] == clp.getObjCoefficients()[j]);
      BOOST_TEST(ours.getColLower()[j] == clp.getColLower()[j]);
      BOOST_TEST(ours.getColUpper()[j] == clp.getColUpper()[j]);
      BOOST_TEST(ours.isInteger(j) == clp.isInteger(j));
    }
    ours.initialSolve();
    clp.initialSolve();
    BOOST_TEST(ours.isProvenOptimal());
    BOOST_TEST(clp.isProvenOptimal());
  }
  /// Clp leaves the offset out.
  void compare(double offset) { BOOST_TEST(ours.getObjValue() + offset == clp.getObjValue()); }
  OsiCudaSolverInterface ours;
  OsiClpSolverInterface clp;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(coin_models, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(sense_offset_names_and_marks_are_taken) {
  CoinModel model = furniture();
  Pair pair(model);
  pair.compare(7.0);
  BOOST_TEST(pair.ours.getObjSense() == -1.0);
  BOOST_TEST(pair.ours.getColName(0) == "chairs");
  BOOST_TEST(pair.ours.getRowName(0) == "hours");
  BOOST_TEST(pair.ours.isInteger(1));
}

BOOST_AUTO_TEST_CASE(a_sense_to_be_ignored_leaves_the_interfaces_own) {
  CoinModel model = furniture();
  model.setOptimizationDirection(0);
  OsiCudaSolverInterface solver;
  solver.setObjSense(-1);
  BOOST_TEST(solver.loadFromCoinModel(model) == 0);
  BOOST_TEST(solver.getObjSense() == -1.0);
}

BOOST_AUTO_TEST_CASE(deleted_columns_rows_and_elements_are_gone) {
  CoinModel column = furniture();
  column.deleteColumn(2);
  Pair(column).compare(7.0);
  CoinModel row = furniture();
  row.deleteElement(0, 2);
  row.deleteRow(1);
  Pair(row).compare(7.0);
  CoinModel packed = furniture();
  packed.deleteColumn(0);
  packed.pack();
  Pair(packed).compare(7.0);
}

BOOST_AUTO_TEST_CASE(texts_with_a_value_are_numbers_and_others_are_refused) {
  CoinModel model = furniture();
  model.setElement(1, 2, "w");
  model.associateElement("w", 2);
  Pair(model).compare(7.0);
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  CoinModel before = furniture();
  BOOST_TEST(solver.loadFromCoinModel(before) == 0);
  model.setColumnUpper(0, "cap");
  BOOST_TEST(solver.loadFromCoinModel(model) == 1);
  BOOST_TEST(solver.getNumElements() == 5);  // the problem is as it was
}

BOOST_AUTO_TEST_CASE(the_basis_stays_where_it_is_asked_for) {
  CoinModel model = furniture();
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  BOOST_TEST(solver.loadFromCoinModel(model) == 0);
  solver.initialSolve();
  BOOST_TEST(solver.loadFromCoinModel(model, true) == 0);
  solver.resolve();
  BOOST_TEST(solver.getIterationCount() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
