// SPDX-License-Identifier: EPL-2.0
// What programs written for OsiClp rely on when they write and read files.
#include <fstream>
#include "osi/OsiCudaSolverInterface.hpp"

#include "CoinMpsIO.hpp"
#include "tests/osi/swap.hpp"

using namespace osi_cuda::testing;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(swapped)

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
  int count = -1;
  CoinSet** sets = nullptr;
  OsiSolverInterface& general = own;
  BOOST_TEST(general.readMps(folder.file("q").c_str(), "mps", count, sets) == 1);
  BOOST_TEST(count == 0);
  BOOST_TEST(own.getNumCols() == 0);
}

BOOST_AUTO_TEST_CASE(sets_are_handed_over) {
  Folder const folder;
  std::ofstream(folder.file("sos.mps")) << mpsHead << "SOS\n S1 s1 5\n x 1\n y 2\nENDATA\n";
  onBoth([&](OsiSolverInterface& solver) {
    int count = -1;
    CoinSet** sets = nullptr;
    BOOST_TEST(solver.readMps(folder.file("sos").c_str(), "mps", count, sets) == 0);
    BOOST_TEST(solver.getNumCols() == 2);
    BOOST_REQUIRE(count == 1);
    BOOST_TEST(sets[0]->numberEntries() == 2);
    BOOST_TEST(sets[0]->which()[1] == 1);
    if (!dynamic_cast<OsiCudaSolverInterface*>(&solver)) return;  // OsiClp keeps its sets
    delete sets[0];
    delete[] sets;
  });
}

BOOST_AUTO_TEST_CASE(the_name_of_a_problem_ends_at_a_blank) {
  Folder const folder;
  std::string text = mpsHead + "ENDATA\n";
  text.replace(0, text.find('\n'), "NAME two words FREE");
  std::ofstream(folder.file("name.mps")) << text;
  onBoth([&](OsiSolverInterface& solver) {
    BOOST_TEST(solver.readMps(folder.file("name").c_str()) == 0);
    std::string name;
    solver.getStrParam(OsiProbName, name);
    BOOST_TEST(name == "two");
  });
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

BOOST_AUTO_TEST_SUITE_END()
