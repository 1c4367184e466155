// SPDX-License-Identifier: EPL-2.0
// Files and names through the interface: what is written is read back, by this interface and by
// CoinUtils, in either sense and with an offset.
#include <unistd.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "CoinPackedVector.hpp"
#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/contract.hpp"
#include "tests/osi/random_draws.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/program.hpp"

namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("osi_files_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(char const* name) const { return (path / name).string(); }
};

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-7 * (1.0 + std::fabs(b));
}

/// max 3x + 2y - 4 with x integer; optimum 7.
std::unique_ptr<OsiSolverInterface> problem(double sense) {
  auto solver = osi_cuda::testing::smallProblem([] {
    auto own = std::make_unique<OsiCudaSolverInterface>();
    own->messageHandler()->setLogLevel(0);
    return own;
  });
  solver->setIntParam(OsiNameDiscipline, 2);
  solver->setColName(0, "apples");
  solver->setColName(1, "pears");
  solver->setRowName(0, "crates");
  solver->setRowName(1, "water");
  solver->setObjName("profit");
  solver->setStrParam(OsiProbName, "orchard");
  solver->setInteger(0);
  solver->setDblParam(OsiObjOffset, 4.0);
  if (sense > 0.0) {
    double const cost[] = {-3.0, -2.0};
    solver->setObjective(cost);
    solver->setObjSense(1.0);
    solver->setDblParam(OsiObjOffset, -4.0);
  }
  return solver;
}

/// A problem of a few rows and columns, in either sense, with an offset.
class RandomProblem : osi_cuda::testing::RandomDraws {
 public:
  explicit RandomProblem(unsigned seed) : RandomDraws(seed) {}
  void load(OsiSolverInterface& one, OsiSolverInterface& other) {
    int const m = 1 + below(6), n = 2 + below(6);
    Problem const drawn = problemOf(m, n);
    double const sense = below(2) ? 1.0 : -1.0, offset = number();
    int const integer = below(n);
    for (OsiSolverInterface* const each : {&one, &other}) {
      drawn.loadInto(*each);
      each->setObjSense(sense);
      each->setDblParam(OsiObjOffset, offset);
      each->setInteger(integer);
    }
  }
};

/// The least value of the problem without its integer marks, negated if it maximises; nothing where
/// there is none.
std::optional<double> minimumOf(OsiSolverInterface const& problem, bool withOffset) {
  auto const solver = osi_cuda::testing::makeOsiCuda();
  solver->loadProblem(*problem.getMatrixByCol(), problem.getColLower(), problem.getColUpper(),
                      problem.getObjCoefficients(), problem.getRowLower(), problem.getRowUpper());
  solver->setObjSense(problem.getObjSense());
  double offset = 0.0;
  problem.getDblParam(OsiObjOffset, offset);
  solver->setDblParam(OsiObjOffset, withOffset ? offset : 0.0);
  solver->initialSolve();
  if (!solver->isProvenOptimal()) return std::nullopt;
  return problem.getObjSense() * solver->getObjValue();
}

double optimum(OsiSolverInterface& solver) {
  solver.initialSolve();
  BOOST_TEST(solver.isProvenOptimal());
  return solver.getObjValue();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

// Osi's files minimise, whatever the problem does; offset and all come back.
BOOST_DATA_TEST_CASE(mps_files_come_back, boost::unit_test::data::make({1.0, -1.0}), sense) {
  Folder const folder;
  auto const solver = problem(sense);
  solver->writeMps(folder.file("a").c_str());
  OsiCudaSolverInterface back;
  back.messageHandler()->setLogLevel(0);
  back.setIntParam(OsiNameDiscipline, 1);
  BOOST_TEST(back.readMps(folder.file("a").c_str()) == 0);
  BOOST_TEST(back.getObjSense() == 1.0);
  BOOST_TEST(close(optimum(back), -7.0));
  BOOST_TEST(back.getColName(0) == "apples");
  BOOST_TEST(back.getRowName(1) == "water");
  BOOST_TEST(back.getObjName() == "profit");
  std::string name;
  back.getStrParam(OsiProbName, name);
  BOOST_TEST(name == "orchard");
  BOOST_TEST(back.isInteger(0));
  BOOST_TEST(back.isContinuous(1));
}

// objSense < 0 negates what is minimised, in either format; for OsiClp, which reads no OBJSENSE, as
// for this interface.
BOOST_DATA_TEST_CASE(files_of_a_maximum_are_minimised_by_osi_clp,
                     boost::unit_test::data::make({1.0, -1.0}) *
                         boost::unit_test::data::make({0.0, 1.0, -1.0}),
                     sense, asked) {
  Folder const folder;
  auto const solver = problem(sense);
  solver->writeMps(folder.file("a").c_str(), "mps", asked);
  solver->writeLp(folder.file("a").c_str(), "lp", 1e-5, 10, 9, asked);
  for (bool const ours : {false, true}) {
    for (bool const mps : {false, true}) {
      auto const back =
          ours ? osi_cuda::testing::makeOsiCuda() : std::make_unique<OsiClpSolverInterface>();
      back->messageHandler()->setLogLevel(0);
      BOOST_TEST((mps ? back->readMps(folder.file("a").c_str())
                      : back->readLp(folder.file("a.lp").c_str())) == 0);
      BOOST_TEST(back->getObjSense() == 1.0);
      for (int j = 0; j < 2; ++j)
        BOOST_TEST(back->getObjCoefficients()[j] ==
                   sense * (asked < 0.0 ? -1.0 : 1.0) * solver->getObjCoefficients()[j]);
      double offset = 0.0;
      back->getDblParam(OsiObjOffset, offset);
      bool const lost = !ours && !mps;  // OsiClp's readLp leaves constants out
      BOOST_TEST(offset == (lost ? 0.0 : asked < 0.0 ? 4.0 : -4.0));
    }
  }
}

// Random problems, by way of files of this interface and of OsiClp, read by both.
BOOST_AUTO_TEST_CASE(random_problems_come_back) {
  Folder const folder;
  int optima = 0, maxima = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    RandomProblem draws(seed);
    auto const ours = osi_cuda::testing::makeOsiCuda();
    OsiClpSolverInterface clp;
    clp.messageHandler()->setLogLevel(0);
    draws.load(*ours, clp);
    double const sense = ours->getObjSense();
    auto const expected = minimumOf(*ours, true);
    optima += expected.has_value();
    maxima += sense < 0.0;
    for (OsiSolverInterface* const writer : {ours.get(), static_cast<OsiSolverInterface*>(&clp)}) {
      writer->writeMps(folder.file("a").c_str());
      writer->writeLp(folder.file("a").c_str());
      for (bool const byOurs : {false, true}) {
        for (bool const mps : {false, true}) {
          BOOST_TEST_CONTEXT("seed " << seed << (writer == &clp ? ", OsiClp's " : ", our ")
                                     << (mps ? "MPS file" : "LP file")
                                     << (byOurs ? "" : " read by OsiClp")) {
            auto const back = byOurs ? osi_cuda::testing::makeOsiCuda()
                                     : std::make_unique<OsiClpSolverInterface>();
            back->messageHandler()->setLogLevel(0);
            BOOST_TEST((mps ? back->readMps(folder.file("a").c_str())
                            : back->readLp(folder.file("a.lp").c_str())) == 0);
            // OsiClp writes the offset of a maximum as it is, and leaves constants of LP files out.
            bool const offset = writer == ours.get() && (mps || byOurs);
            auto const found = minimumOf(*back, offset);
            auto const wanted = offset ? expected : minimumOf(*ours, false);
            BOOST_TEST(found.has_value() == wanted.has_value());
            if (found && wanted) BOOST_TEST(close(*found, *wanted));
            if (writer == ours.get())  // OsiClp leaves out marks of fixed columns
              BOOST_TEST(back->getNumIntegers() == ours->getNumIntegers());
          }
        }
      }
      for (char const* const name : {"a.mps", "a.mps.gz", "a.lp"}) fs::remove(folder.file(name));
    }
  }
  BOOST_TEST(optima > 100);
  BOOST_TEST(maxima > 50);
}

BOOST_AUTO_TEST_CASE(osi_clp_reads_what_is_written) {
  for (double const sense : {1.0, -1.0}) {
    Folder const folder;
    problem(sense)->writeMps(folder.file("a").c_str());
    OsiClpSolverInterface clp;
    clp.messageHandler()->setLogLevel(0);
    BOOST_TEST(clp.readMps(folder.file("a").c_str()) == 0);
    BOOST_TEST(close(optimum(clp), -7.0));
  }
}

BOOST_DATA_TEST_CASE(lp_files_come_back, boost::unit_test::data::make({1.0, -1.0}), sense) {
  Folder const folder;
  auto const solver = problem(sense);
  solver->writeLp(folder.file("a").c_str());
  std::FILE* const stream = std::fopen(folder.file("b.lp").c_str(), "w");
  solver->writeLp(stream);
  std::fclose(stream);
  for (char const* const name : {"a.lp", "b.lp"}) {
    OsiCudaSolverInterface back;
    back.messageHandler()->setLogLevel(0);
    back.setIntParam(OsiNameDiscipline, 1);
    BOOST_TEST(back.readLp(folder.file(name).c_str()) == 0);
    BOOST_TEST(back.getObjSense() == 1.0);
    BOOST_TEST(close(optimum(back), -7.0));
    BOOST_TEST(back.getColName(1) == "pears");
    BOOST_TEST(back.isInteger(0));
  }
}

BOOST_AUTO_TEST_CASE(an_lp_file_names_its_sense) {
  Folder const folder;
  std::ofstream(folder.file("m.lp")) << "Maximize\n obj: 3 x + 2 y\nSubject To\n c: x + y <= 4\n"
                                        "Bounds\n x <= 3\nEnd\n";
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  BOOST_TEST(solver.readLp(folder.file("m.lp").c_str()) == 0);
  BOOST_TEST(solver.getObjSense() == -1.0);
  BOOST_TEST(close(optimum(solver), 11.0));
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_change_nothing) {
  Folder const folder;
  auto const solver = problem(-1.0);
  BOOST_TEST(solver->readMps(folder.file("missing").c_str()) == -1);
  std::ofstream(folder.file("bad.mps")) << "NAME x\nROWS\n Q what\nENDATA\n";
  BOOST_TEST(solver->readMps(folder.file("bad").c_str()) == 1);
  BOOST_TEST(solver->getNumCols() == 2);
  BOOST_TEST(close(optimum(*solver), 7.0));
  BOOST_CHECK_THROW(solver->writeMps((folder.file("no") + "/where").c_str()), CoinError);
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_file) {
  osi_cuda::testing::TemporaryFolder const folder;
  auto const solver = problem(1.0);
  solver->initialSolve();
  for (char const* name : {"a.mps", "a.lp", "a.bas"}) {
    std::string const path = folder.write(name, "old"), stem = folder.file("a");
    {
      osi_cuda::testing::FileSizeLimit const limit(16);
      if (path.ends_with(".bas"))
        BOOST_TEST(dynamic_cast<OsiCudaSolverInterface&>(*solver).writeBasisNative(path.c_str()) ==
                   1);
      else
        BOOST_CHECK_THROW(
            path.ends_with(".mps") ? solver->writeMps(stem.c_str()) : solver->writeLp(stem.c_str()),
            CoinError);
    }
    BOOST_TEST(osi_cuda::testing::readWholeFile(path) == "old", name);
  }
}

BOOST_AUTO_TEST_CASE(names_follow_their_rows_and_columns) {
  for (int const discipline : {0, 1, 2}) {
    auto const solver = problem(1.0);
    solver->setIntParam(OsiNameDiscipline, discipline);
    CoinPackedVector row;
    row.insert(0, 1.0);
    solver->addRow(row, 0.0, 9.0, std::string("third"));
    int const first = 0;
    solver->deleteRows(1, &first);
    solver->deleteCols(1, &first);
    switch (discipline) {
      case 0:
        BOOST_TEST(solver->getRowName(0) == "R0000000");
        BOOST_TEST(solver->getRowNames().empty());
        solver->setIntParam(OsiNameDiscipline, 1);  // what was hidden went along all the same
        BOOST_TEST(solver->getRowName(0) == "water");
        BOOST_TEST(solver->getColName(0) == "pears");
        break;
      case 1:
        BOOST_TEST(solver->getRowNames().size() == 2u);
        BOOST_TEST(solver->getRowName(1) == "third");
        BOOST_TEST(solver->getColName(0) == "pears");
        break;
      default:
        BOOST_TEST(solver->getRowNames().size() == 3u);  // and the objective
        BOOST_TEST(solver->getRowNames()[2] == "profit");
        BOOST_TEST(solver->getColNames()[0] == "pears");
    }
    double const none = 0.0;
    CoinBigIndex const starts[] = {0, 0};
    int const index = 0;
    solver->setIntParam(OsiNameDiscipline, 1);
    solver->loadProblem(1, 1, starts, &index, &none, nullptr, nullptr, nullptr, nullptr, nullptr);
    BOOST_TEST(solver->getColName(0) == "C0000000");  // a new problem, new names
  }
}

BOOST_AUTO_TEST_CASE(parameters_have_ranges) {
  OsiCudaSolverInterface solver;
  int number = 0;
  double value = 0.0;
  std::string text;
  BOOST_TEST(!solver.setIntParam(OsiNameDiscipline, 3));
  BOOST_TEST(!solver.setIntParam(OsiMaxNumIteration, -1));
  BOOST_TEST(!solver.setIntParam(OsiLastIntParam, 1));
  BOOST_TEST(!solver.getIntParam(OsiLastIntParam, number));
  BOOST_TEST(!solver.setDblParam(OsiPrimalTolerance, 0.5));
  BOOST_TEST(!solver.setDblParam(OsiDualTolerance, 1e-13));
  BOOST_TEST(!solver.setDblParam(OsiLastDblParam, 1.0));
  BOOST_TEST(!solver.getDblParam(OsiLastDblParam, value));
  BOOST_TEST(solver.getDblParam(OsiPrimalTolerance, value));
  BOOST_TEST(value == 1e-7);
  BOOST_TEST(!solver.setStrParam(OsiSolverName, "another"));
  BOOST_TEST(!solver.setStrParam(OsiLastStrParam, "x"));
  BOOST_TEST(solver.getStrParam(OsiSolverName, text));
  BOOST_TEST(text == "osicuda");
  BOOST_CHECK_THROW(solver.setHintParam(OsiDoCrash, true, OsiForceDo), CoinError);
  BOOST_TEST(solver.setHintParam(OsiDoPresolveInInitial, true, OsiForceDo));
  BOOST_TEST(solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintIgnore));
  int mark = 0;
  BOOST_TEST(solver.setHintParam(OsiDoDualInResolve, true, OsiForceDo, &mark));
  bool yes = false;
  OsiHintStrength strength = OsiHintIgnore;
  void* information = nullptr;
  BOOST_TEST(solver.getHintParam(OsiDoDualInResolve, yes, strength, information));
  BOOST_TEST(yes);
  BOOST_TEST((strength == OsiForceDo));
  BOOST_TEST(information == &mark);
  solver.setSolverOption("pricing", "devex");
  BOOST_TEST(solver.getSolverOption("pricing") == "devex");
  BOOST_CHECK_THROW(solver.setSolverOption("pricing", "wild"), CoinError);
  BOOST_CHECK_THROW(solver.setSolverOption("prizing", "devex"), CoinError);
  BOOST_CHECK_THROW(solver.getSolverOption("prizing"), CoinError);
}

BOOST_AUTO_TEST_CASE(wrong_use_is_a_coin_error) {
  auto const solver = problem(1.0);
  CoinPackedVector outside;
  outside.insert(7, 1.0);
  BOOST_CHECK_THROW(solver->addRow(outside, 0.0, 1.0), CoinError);
  BOOST_CHECK_THROW(solver->addCol(outside, 0.0, 1.0, 1.0), CoinError);
  BOOST_CHECK_THROW(solver->setColUpper(2, 1.0), CoinError);
  BOOST_CHECK_THROW(solver->setRowType(0, 'X', 1.0, 1.0), CoinError);
  BOOST_CHECK_THROW(solver->solveFromHotStart(), CoinError);
  BOOST_TEST(close(optimum(*solver), -7.0));
  int const indices[] = {0, 9};
  double const values[] = {1.0, 2.0};
  BOOST_CHECK_THROW(solver->addRow(2, indices, values, 0.0, 1.0), CoinError);
  BOOST_TEST(close(optimum(*solver), -7.0));
  BOOST_TEST(solver->getNumRows() == 2);
  int const inside[] = {0, 1};
  double const noNumbers[] = {1.0, std::nan("")};
  auto const saysCoefficient = [](CoinError const& e) {
    return e.message().find("a coefficient") == 0;
  };
  BOOST_CHECK_EXCEPTION(solver->addRow(2, inside, noNumbers, 0.0, 1.0), CoinError, saysCoefficient);
  CoinPackedMatrix matrix = *solver->getMatrixByCol();
  matrix.modifyCoefficient(0, 0, std::nan(""));
  BOOST_CHECK_EXCEPTION(solver->replaceMatrix(matrix), CoinError, saysCoefficient);
  BOOST_TEST(close(optimum(*solver), -7.0));
  solver->setObjCoeff(0, std::nan(""));
  BOOST_CHECK_THROW(solver->resolve(), CoinError);
}

// Methods that Osi 3.0 adds, whichever Osi this is.
BOOST_AUTO_TEST_CASE(methods_of_osi_3) {
  Folder const folder;
  auto const made = problem(1.0);
  auto& solver = dynamic_cast<OsiCudaSolverInterface&>(*made);
  double const before = optimum(solver);
  BOOST_TEST(solver.writeBasisNative(folder.file("a.bas").c_str()) == 0);
  BOOST_TEST(std::filesystem::file_size(folder.file("a.bas")) > 0u);
  BOOST_TEST(solver.writeBasisNative((folder.file("no") + "/where").c_str()) == 1);
  double const entry = solver.getMatrixByCol()->getCoefficient(0, 1);
  solver.modifyCoefficient(0, 1, 5.0 * entry);
  solver.resolve();
  BOOST_TEST(solver.getMatrixByRow()->getCoefficient(0, 1) == 5.0 * entry);
  BOOST_TEST(!close(solver.getObjValue(), before));
  solver.modifyCoefficient(0, 1, entry);
  BOOST_TEST(close(optimum(solver), before));
  BOOST_CHECK_THROW(solver.modifyCoefficient(2, 0, 1.0), CoinError);
  BOOST_CHECK_THROW(solver.modifyCoefficient(0, 0, std::nan("")), CoinError);
  solver.modifyByIndicators();
  BOOST_CHECK_THROW(solver.modifyByIndicators(std::fabs(entry)), CoinError);
}

// x + y >= 2 of two columns in [0, 1]: neither may be 0; a third may be anything.
BOOST_AUTO_TEST_CASE(solves_from_a_hot_start_fix_columns) {
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  for (int j = 0; j < 3; ++j) solver.addCol(0, nullptr, nullptr, 0.0, 1.0, 1.0);
  int const both[] = {0, 1}, all[] = {0, 1, 2};
  double const ones[] = {1.0, 1.0};
  solver.addRow(2, both, ones, 2.0, COIN_DBL_MAX);
  solver.initialSolve();
  solver.markHotStart();
  BOOST_TEST(solver.solvesFromHotStart(3, all, 1) == 2);
  BOOST_TEST(solver.getColLower()[1] == 1.0);
  BOOST_TEST(solver.getColUpper()[2] == 1.0);
  BOOST_CHECK_THROW(solver.solvesFromHotStart(1, all, 1), CoinError);
  solver.unmarkHotStart();
}

BOOST_AUTO_TEST_SUITE_END()
