// SPDX-License-Identifier: EPL-2.0
// What programs written for OsiClp rely on, each over OsiClp first: a test that its answers do not
// pass is no test of a replacement. The header comes first, and is the only one of COIN-OR's that
// these helpers of programs come from.
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

/// Compiles with nothing but the header above.
double programsBegin(OsiSolverInterface const& solver) {
  CoinIndexedVector work;
  work.reserve(solver.getNumCols());
  std::vector<double> values(static_cast<std::size_t>(solver.getNumCols()));
  CoinDisjointCopyN(solver.getColLower(), solver.getNumCols(), values.data());
  CoinSort_2(values.data(), values.data() + values.size(), values.data());
  CoinWarmStartBasis basis;
  basis.setSize(1, 1);
  return std::fabs(std::min(CoinMax(-2.0, -3.0), DBL_MAX)) + basis.getNumStructural();
}

}  // namespace

#include <unistd.h>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "CbcHeuristicFPump.hpp"
#include "CbcModel.hpp"
#include "CglGomory.hpp"
#include "CglKnapsackCover.hpp"
#include "CglMixedIntegerRounding2.hpp"
#include "CglProbing.hpp"
#include "CoinPackedVector.hpp"
#include "OsiClpSolverInterface.hpp"
#include "tests/osi/contract.hpp"

namespace {

namespace fs = std::filesystem;

std::string const sample = OSI_CUDA_SAMPLE_FOLDER;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("osi_swap_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(std::string const& name) const { return (path / name).string(); }
};

using osi_cuda::testing::makeOsiCuda;

std::unique_ptr<OsiSolverInterface> makeOsiClp() {
  auto solver = std::make_unique<OsiClpSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  return solver;
}

/// A check, over OsiClp and over OsiCuda.
template <class Check>
void onBoth(Check check) {
  {BOOST_TEST_CONTEXT("OsiClp"){auto const solver = makeOsiClp();
  check(*solver);
}
}  // namespace
{
  BOOST_TEST_CONTEXT("OsiCuda") {
    auto const solver = makeOsiCuda();
    check(*solver);
  }
}
}

bool close(double a, double b, double tolerance = 1e-9) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

/// Counts the lines that a solver says.
class Lines : public CoinMessageHandler {
 public:
  int print() override {
    ++count;
    last = messageBuffer();
    return 0;
  }
  CoinMessageHandler* clone() const override { return new Lines(*this); }
  int count = 0;
  std::string last;
};

void addTwoColumns(OsiSolverInterface& solver) {
  solver.addCol(0, nullptr, nullptr, 0.0, 10.0, 1.0);
  solver.addCol(0, nullptr, nullptr, 0.0, 10.0, 2.0);
}

/// The largest of a vector's entries times `factors`, and `first`, in size.
double largestTerm(CoinPackedMatrix const& matrix, int major, double const* factors, double first) {
  auto const vector = matrix.getVector(major);
  double largest = std::fabs(first);
  for (int e = 0; e < vector.getNumElements(); ++e)
    largest =
        CoinMax(largest, std::fabs(vector.getElements()[e] * factors[vector.getIndices()[e]]));
  return largest;
}

std::string const mpsHead =
    "NAME p FREE\nROWS\n N cost\n L lim1\n G lim2\nCOLUMNS\n x cost 1 lim1 1\n x lim2 1\n"
    " y cost 2 lim1 1\n y lim2 1\nRHS\n RHS lim1 4 lim2 2\nBOUNDS\n UP BND x 1\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(swapped)

BOOST_AUTO_TEST_CASE(the_header_brings_what_programs_need) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    BOOST_TEST(programsBegin(solver) == 3.0);
  });
}

// Each writes, each reads: the same optimum, and rows that CoinUtils understands.
BOOST_AUTO_TEST_CASE(range_rows_survive_lp_files) {
  Folder const folder;
  int number = 0;
  onBoth([&](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const both[] = {0, 1};
    double const ones[] = {1.0, 1.0}, slope[] = {1.0, -1.0};
    solver.addRow(2, both, ones, 3.0, 5.0);
    solver.addRow(2, both, slope, -2.0, 1.5);
    solver.addRow(2, both, slope, -COIN_DBL_MAX, 9.0);
    solver.setRowName(0, "sum");
    std::string const file = folder.file("r" + std::to_string(number++));
    solver.writeLp(file.c_str(), "lp");
    onBoth([&](OsiSolverInterface& back) {
      BOOST_TEST(back.readLp((file + ".lp").c_str()) == 0);
      BOOST_TEST(back.getNumCols() == 2);
      BOOST_TEST(back.getNumRows() == 5);
      BOOST_TEST(back.getRowName(0) == "sum");
      BOOST_TEST(back.getRowName(1) == "sum_low");
      BOOST_TEST(back.getRowUpper()[0] == 5.0);
      BOOST_TEST(back.getRowLower()[1] == 3.0);
      back.initialSolve();
      BOOST_TEST(back.isProvenOptimal());
      BOOST_TEST(close(back.getObjValue(), 3.75));
    });
  });
}

BOOST_AUTO_TEST_CASE(names_of_files_are_there) {
  onBoth([](OsiSolverInterface& solver) {
    int discipline = -1;
    BOOST_TEST(solver.getIntParam(OsiNameDiscipline, discipline));
    BOOST_TEST(discipline == 1);
    BOOST_TEST(solver.readMps((sample + "/p0033").c_str()) == 0);
    BOOST_TEST(solver.getRowName(0) == "R114");
    BOOST_TEST(solver.getColName(0) == "C157");
    std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
    BOOST_TEST(copy->getColName(1) == "C158");
  });
  onBoth([](OsiSolverInterface& solver) {
    BOOST_TEST(solver.setIntParam(OsiNameDiscipline, 0));
    BOOST_TEST(solver.readMps((sample + "/p0033").c_str()) == 0);
    BOOST_TEST(solver.getRowName(0) == "R0000000");
    BOOST_TEST(solver.getColName(0) == "C0000000");
    for (int const discipline : {1, 2}) {
      BOOST_TEST(solver.setIntParam(OsiNameDiscipline, discipline));
      BOOST_TEST(solver.getRowName(0) == "R114");
      BOOST_TEST(solver.getColName(0) == "C157");
    }
  });
}

BOOST_AUTO_TEST_CASE(quiet_means_quiet) {
  Lines lines;
  auto const check = [&](auto& solver) {
    solver.passInMessageHandler(&lines);
    solver.setLogLevel(0);
    BOOST_TEST(solver.messageHandler()->logLevel() == 0);
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    solver.initialSolve();
    solver.setLogLevel(1);
    BOOST_TEST(solver.messageHandler()->logLevel() == 1);
    auto const linesOfTen = [&] {
      lines.count = 0;
      for (int k = 0; k < 10; ++k) {
        solver.setColUpper(k, 1.0 - solver.getColUpper()[k]);
        solver.resolve();
      }
      return lines.count;
    };
    BOOST_TEST(linesOfTen() >= 10);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    BOOST_TEST(linesOfTen() == 0);
    solver.setHintParam(OsiDoReducePrint, false, OsiHintTry);
    BOOST_TEST(linesOfTen() >= 10);
  };
  OsiClpSolverInterface clp;
  check(clp);
  OsiCudaSolverInterface own;
  osi_cuda::testing::applyTestEngine(own);
  check(own);
}

BOOST_AUTO_TEST_CASE(slacks_have_columns_of_the_tableau) {
  std::vector<std::vector<double>> columns;
  onBoth([&](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const both[] = {0, 1};
    double const first[] = {1.0, 2.0}, second[] = {4.0, -1.0};
    solver.addRow(2, both, first, 3.0, COIN_DBL_MAX);
    solver.addRow(2, both, second, 1.0, 1.0);
    solver.initialSolve();
    BOOST_TEST(solver.isProvenOptimal());
    solver.enableFactorization();
    int basics[2];
    solver.getBasics(basics);
    for (int i = 0; i < 2; ++i) {
      double slack[2], inverse[2];
      solver.getBInvACol(2 + i, slack);
      solver.getBInvCol(i, inverse);
      BOOST_TEST(close(slack[0], inverse[0]));
      BOOST_TEST(close(slack[1], inverse[1]));
      // By variable: the order of the basics is each solver's own.
      std::vector<double> byVariable(4, 0.0);
      for (int k = 0; k < 2; ++k) byVariable[static_cast<std::size_t>(basics[k])] = slack[k];
      columns.push_back(byVariable);
    }
    solver.disableFactorization();
  });
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(close(columns[0][k], columns[2][k]));
    BOOST_TEST(close(columns[1][k], columns[3][k]));
  }
  auto const own = makeOsiCuda();
  addTwoColumns(*own);
  double none[1];
  BOOST_CHECK_THROW(own->getBInvACol(2, none), CoinError);
}

BOOST_AUTO_TEST_CASE(entries_in_one_place_are_added_up) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const indices[] = {0, 1, 0};
    double const values[] = {1.0, 0.0, 2.0}, same[] = {1.0, 4.0, -1.0};
    solver.addRow(3, indices, values, 6.0, COIN_DBL_MAX);  // 3 x0 >= 6
    solver.addRow(3, indices, same, 8.0, COIN_DBL_MAX);    // 4 x1 >= 8
    solver.initialSolve();
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(close(solver.getObjValue(), 6.0));
    BOOST_TEST(close(solver.getRowActivity()[0], 6.0));
    int const rows[] = {0, 0};
    double const twice[] = {-1.0, -2.0};
    solver.addCol(2, rows, twice, 0.0, 1.0, -5.0);
    CoinBigIndex const starts[] = {0, 3, 6};
    int const lists[] = {2, 2, 2, 0, 0, 2};
    double const entries[] = {1.0, 1.0, 2.0, 1.0, 0.0, 4.0};
    double const lower[] = {2.0, 7.0}, upper[] = {COIN_DBL_MAX, COIN_DBL_MAX};
    solver.addRows(2, starts, lists, entries, lower, upper);
    solver.resolve();
    BOOST_TEST(close(solver.getObjValue(), -5.0 + 3.0 + 4.0));
  });
  auto const own = makeOsiCuda();
  addTwoColumns(*own);
  int const indices[] = {0, 1, 0};
  double const values[] = {1.0, 0.0, 2.0};
  own->addRow(3, indices, values, 6.0, COIN_DBL_MAX);
  BOOST_TEST(own->getNumElements() == 1);
}

// As above, in a problem that is loaded: OsiClp drops the zero at once.
BOOST_AUTO_TEST_CASE(loaded_zeros_are_dropped) {
  onBoth([](OsiSolverInterface& solver) {
    CoinBigIndex const starts[] = {0, 2, 4};
    int const rows[] = {0, 1, 0, 1};
    double const values[] = {1.0, 0.0, 1.0, 3.0}, lower[] = {2.0, 3.0};
    double const costs[] = {1.0, 1.0};
    solver.loadProblem(2, 2, starts, rows, values, nullptr, nullptr, costs, lower, nullptr);
    BOOST_TEST(solver.getNumElements() == 3);
    solver.initialSolve();
    BOOST_TEST(close(solver.getObjValue(), 2.0));
  });
}

BOOST_AUTO_TEST_CASE(nothing_has_the_objective_zero) {
  onBoth([](OsiSolverInterface& solver) {
    solver.initialSolve();
    BOOST_TEST(solver.getObjValue() == 0.0);
    BOOST_TEST(!std::signbit(solver.getObjValue()));
  });
  BOOST_TEST(!std::signbit(makeOsiCuda()->getObjValue()));
}

BOOST_AUTO_TEST_CASE(tolerances_have_osi_clps_range) {
  for (OsiDblParam const key : {OsiPrimalTolerance, OsiDualTolerance}) {
    onBoth([&](OsiSolverInterface& solver) {
      for (double const tolerance : {1e-12, 1e-11, 1e-7, 1e-2, 0.1}) {
        double value = 0.0;
        BOOST_TEST(solver.setDblParam(key, tolerance));
        BOOST_TEST(solver.getDblParam(key, value));
        BOOST_TEST(value == tolerance);
      }
      BOOST_TEST(!solver.setDblParam(key, 0.0));
      BOOST_TEST(!solver.setDblParam(key, -1.0));
    });
  }
}

// The tightest tolerances are kept, not only taken.
BOOST_AUTO_TEST_CASE(tight_tolerances_are_honoured) {
  for (char const* const name : {"afiro", "adlittle", "share2b", "p0033", "e226"}) {
    if (!fs::exists(sample + "/" + name + ".mps")) continue;
    std::vector<double> optima;
    onBoth([&](OsiSolverInterface& solver) {
      BOOST_REQUIRE(solver.readMps((sample + "/" + name).c_str()) == 0);
      solver.setDblParam(OsiPrimalTolerance, 1e-12);
      solver.setDblParam(OsiDualTolerance, 1e-12);
      solver.initialSolve();
      BOOST_TEST(solver.isProvenOptimal());
      optima.push_back(solver.getObjValue());
    });
    BOOST_TEST(close(optima[0], optima[1]));
  }
}

// Bounds are met or missed, not nearly met; zero is zero.
BOOST_AUTO_TEST_CASE(values_are_on_their_bounds) {
  for (char const* const name : {"p0033", "p0201", "e226", "brandy", "exmip1"}) {
    if (!fs::exists(sample + "/" + name + ".mps")) continue;
    BOOST_TEST_CONTEXT(name) {
      auto const solver = makeOsiCuda();
      BOOST_REQUIRE(solver->readMps((sample + "/" + name).c_str()) == 0);
      solver->initialSolve();
      BOOST_TEST(solver->isProvenOptimal());
      CoinPackedMatrix const& rows = *solver->getMatrixByRow();
      CoinPackedMatrix const& columns = *solver->getMatrixByCol();
      double const *x = solver->getColSolution(), *y = solver->getRowPrice();
      int nearly = 0;
      auto const judge = [&](double value, double bound, double terms) {
        nearly += value != bound && std::fabs(value - bound) <= 1e-12 * terms;
      };
      for (int j = 0; j < solver->getNumCols(); ++j) {
        for (double const bound : {solver->getColLower()[j], solver->getColUpper()[j], 0.0})
          judge(x[j], bound, 1.0);
        judge(solver->getReducedCost()[j], 0.0,
              largestTerm(columns, j, y, solver->getObjCoefficients()[j]));
      }
      for (int i = 0; i < solver->getNumRows(); ++i)
        for (double const bound : {solver->getRowLower()[i], solver->getRowUpper()[i], 0.0})
          judge(solver->getRowActivity()[i], bound, largestTerm(rows, i, x, 0.0));
      BOOST_TEST(nearly == 0);
    }
  }
}

// OsiClp leaves sets to who asks for them, and reads the rest.
BOOST_AUTO_TEST_CASE(sections_of_ordered_sets_are_left_out) {
  Folder const folder;
  std::ofstream(folder.file("sos.mps")) << mpsHead << "SOS\n S1 s1 5\n x 1\n y 2\nENDATA\n";
  onBoth([&](OsiSolverInterface& solver) {
    BOOST_TEST(solver.readMps(folder.file("sos").c_str()) == 0);
    BOOST_TEST(solver.getNumCols() == 2);
    solver.initialSolve();
    BOOST_TEST(close(solver.getObjValue(), 3.0));
  });
  OsiCudaSolverInterface own;
  Lines lines;
  own.passInMessageHandler(&lines);
  own.setLogLevel(1);
  own.readMps(folder.file("sos").c_str());
  BOOST_TEST(lines.count == 1);
  BOOST_TEST(lines.last.find("special ordered sets") != std::string::npos);
}

// OsiClp reads the file as if the quadratic part were not there: not a replacement's business.
BOOST_AUTO_TEST_CASE(a_quadratic_objective_is_refused_in_one_message) {
  Folder const folder;
  std::ofstream(folder.file("q.mps")) << mpsHead << "QUADOBJ\n x x 2\n x y 1\nENDATA\n";
  OsiCudaSolverInterface own;
  Lines lines;
  own.passInMessageHandler(&lines);
  own.setLogLevel(1);
  BOOST_TEST(own.readMps(folder.file("q").c_str()) == 1);
  BOOST_TEST(own.getNumCols() == 0);
  BOOST_TEST(lines.count == 1);
  BOOST_TEST(lines.last.find("QUADOBJ (a quadratic objective)") != std::string::npos);
}

// All three formats of CoinUtils' writer; in the third, numbers come back to the bit.
BOOST_AUTO_TEST_CASE(native_mps_files_come_back) {
  Folder const folder;
  char const* longNames[] = {"a_name_that_is_long", "y"};
  for (int const format : {0, 1, 2}) {
    for (bool const named : {false, true}) {
      onBoth([&](OsiSolverInterface& solver) {
        addTwoColumns(solver);
        int const both[] = {0, 1};
        double const values[] = {1.0 / 3.0, -1e-7 / 3.0};
        solver.addRow(2, both, values, -1.0, 2.0 / 7.0);
        solver.setObjCoeff(0, -1000.0 / 9.0);
        std::string const file = folder.file("native.mps");
        for (char const* const ending : {"", ".gz"}) fs::remove(file + ending);
        solver.OsiSolverInterface::writeMpsNative(file.c_str(), nullptr,
                                                  named ? longNames : nullptr, format, 2);
        onBoth([&](OsiSolverInterface& back) {
          BOOST_TEST(back.readMps(file.c_str(), "") == 0);
          BOOST_REQUIRE(back.getNumElements() == 2);
          double const tolerance = format == 2 ? 0.0 : 1e-9;
          BOOST_TEST(close(back.getMatrixByCol()->getElements()[0], values[0], tolerance));
          BOOST_TEST(close(back.getMatrixByCol()->getElements()[1], values[1], tolerance));
          BOOST_TEST(close(back.getObjCoefficients()[0], -1000.0 / 9.0, tolerance));
          BOOST_TEST(close(back.getRowUpper()[0], 2.0 / 7.0, tolerance));
          BOOST_TEST(close(back.getRowLower()[0], -1.0, 1e-9));
        });
      });
    }
  }
}

// OsiClp's own search is a plain one.
BOOST_AUTO_TEST_CASE(branch_and_bound_finds_integers) {
  std::vector<double> optima;
  onBoth([&](OsiSolverInterface& solver) {
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    double const upper = solver.getColUpper()[0];
    solver.initialSolve();
    solver.branchAndBound();
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(close(solver.getObjValue(), 3089.0));
    for (int j = 0; j < solver.getNumCols(); ++j)
      BOOST_TEST(close(solver.getColSolution()[j], std::round(solver.getColSolution()[j]), 1e-6));
    if (dynamic_cast<OsiCudaSolverInterface*>(&solver))
      BOOST_TEST(solver.getColUpper()[0] == upper);
  });
  auto const infeasible = makeOsiCuda();
  addTwoColumns(*infeasible);
  infeasible->setInteger(0);
  int const first = 0;
  double const two = 2.0;
  infeasible->addRow(1, &first, &two, 1.0, 1.0);  // 2 x = 1
  infeasible->initialSolve();
  BOOST_TEST(infeasible->isProvenOptimal());
  infeasible->branchAndBound();
  BOOST_TEST(infeasible->isProvenPrimalInfeasible());
  BOOST_TEST(!infeasible->isProvenOptimal());
}

// A clone of a solved problem knows its optimum, and notices every kind of change.
BOOST_AUTO_TEST_CASE(clones_know_the_optimum) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const both[] = {0, 1};
    double const ones[] = {1.0, 1.0}, other[] = {2.0, 1.0}, up[] = {2.0, 9.0}, down[] = {1.0, 0.0};
    solver.addRow(2, both, ones, 3.0, 5.0);
    solver.initialSolve();
    auto const optimumOfClone = [&](auto change) {
      std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
      copy->resolve();
      BOOST_TEST(copy->getIterationCount() == 0);
      change(*copy);
      copy->resolve();
      BOOST_TEST(copy->isProvenOptimal());
      return copy->getObjValue();
    };
    using Osi = OsiSolverInterface;
    BOOST_TEST(close(optimumOfClone([](Osi&) {}), 3.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColUpper(0, 2.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setColUpper(up); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColLower(1, 1.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColBounds(0, 0.0, 1.0); }), 5.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowLower(0, 4.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowBounds(0, 1.0, 1.0); }), 1.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowType(0, 'G', 2.0, 0.0); }), 2.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setObjCoeff(0, 3.0); }), 6.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setObjective(other); }), 3.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setObjSense(-1.0); }), 10.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setColSolution(down); }), 3.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.addRow(2, both, other, 7.0, 9.0); }), 3.5));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.addCol(1, both, ones, 0.0, 2.0, 0.5); }), 2.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.deleteRows(1, both); }), 0.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.deleteCols(1, both); }), 6.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) {
                       std::unique_ptr<CoinWarmStart> const none(s.getEmptyWarmStart());
                       s.setWarmStart(none.get());
                     }),
                     3.0));
    std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
    copy->setColSolution(down);
    copy->resolve();
    BOOST_TEST(close(copy->getColSolution()[0], 3.0));  // not what was set
  });
}

// The program of docs/osi.md that stands for CbcMain0 and CbcMain1.
BOOST_AUTO_TEST_CASE(a_cbc_model_replaces_cbc_main) {
  onBoth([](OsiSolverInterface& solver) {
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    CbcModel model(solver);
    model.setLogLevel(0);
    model.setMaximumSeconds(60.0);
    model.setAllowableFractionGap(0.0001);
    CglProbing probing;
    CglGomory gomory;
    CglKnapsackCover knapsack;
    CglMixedIntegerRounding2 rounding;
    model.addCutGenerator(&probing, -1, "Probing");
    model.addCutGenerator(&gomory, -1, "Gomory");
    model.addCutGenerator(&knapsack, -1, "Knapsack");
    model.addCutGenerator(&rounding, -1, "MixedIntegerRounding2");
    CbcHeuristicFPump pump(model);
    model.addHeuristic(&pump);
    model.initialSolve();
    model.branchAndBound();
    BOOST_TEST(model.isProvenOptimal());
    BOOST_TEST(close(model.getObjValue(), 3089.0, 1e-3));
  });
}

BOOST_AUTO_TEST_CASE(branch_and_bound_without_its_module_is_one_error) {
  Folder const folder;
  ::setenv("OSI_CUDA_CBC_PATH", folder.path.c_str(), 1);
  auto const solver = makeOsiCuda();
  addTwoColumns(*solver);
  solver->branchAndBound();  // without integers it is a solve
  BOOST_TEST(solver->isProvenOptimal());
  solver->setInteger(0);
  std::string message;
  try {
    solver->branchAndBound();
  } catch (CoinError const& error) {
    message = error.message();
  }
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST(message.find("no file OsiCudaCbc.so was found") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
