// SPDX-License-Identifier: EPL-2.0
#include "cli/regress.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "cli/compare.hpp"
#include "cli/report.hpp"
#include "readers/read_error.hpp"
#include "tests/cli/three_problems.hpp"
#include "tests/support/faulty_bridge.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cli;
using osi_cuda::testing::Fault;
using osi_cuda::testing::FaultyBridge;

namespace {

struct Outcome {
  ExitStatus status;
  std::string out, log;
};

Outcome run(RegressRequest const& request, std::vector<BridgePointer> const& solvers) {
  std::ostringstream out, log;
  auto const status = regress(request, solvers, out, log);
  return {status, out.str(), log.str()};
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

RunRecord record() {
  RunRecord run;
  run.status = "optimal";
  run.verdict = "agrees";
  run.proved = true;
  run.objective = 100.0;
  run.iterations = 1000;
  run.seconds = 1.0;
  run.host = "here";
  return run;
}

/// The one change between two records, with + for a regression; "" for none.
std::string change(RunRecord const& before, RunRecord const& now) {
  std::string text;
  for (auto const& one : changesSince(before, now, {}))
    text += (one.regression ? "+" : "-") + one.text;
  return text;
}

struct Workplace : testing::TemporaryFolder {
  Workplace() {
    write("feasible.mps", testing::feasibleMps);
    write("infeasible.mps", testing::infeasibleMps);
    write("unbounded.mps", testing::unboundedMps);
    request.list = write("list.csv",
                         "# a remark\n"
                         "name,file,objective\n"
                         "good,feasible.mps,-10.5\n"
                         "\"none, at all\",infeasible.mps,infeasible\n"
                         "unbounded,,unbounded\n");
    request.database = file("runs.sqlite");
    request.limits.secondsMore = 1e6;  // the machine may be busy
  }

  std::vector<RunRecord> stored() const {
    return RunDatabase(request.database, RunDatabase::Mode::read).allRuns();
  }

  RegressRequest request;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(regression_rules)

BOOST_AUTO_TEST_CASE(nothingChanged) {
  BOOST_TEST(change(record(), record()) == "");
}

BOOST_AUTO_TEST_CASE(statusLostFoundOrContradicted) {
  auto now = record();
  now.status = "time_limit";
  BOOST_TEST(change(record(), now) == "+status optimal -> time_limit");
  BOOST_TEST(change(now, record()) == "-status time_limit -> optimal");
  now.status = "infeasible";
  BOOST_TEST(change(record(), now) == "+status optimal -> infeasible");
}

BOOST_AUTO_TEST_CASE(objective) {
  auto now = record();
  now.objective = 100.0 + 5e-5;
  BOOST_TEST(change(record(), now) == "");
  now.objective = 100.01;
  BOOST_TEST(change(record(), now) == "+objective 100 -> 100.01");
}

BOOST_AUTO_TEST_CASE(proof) {
  auto now = record();
  now.proved = false;
  BOOST_TEST(change(record(), now) == "+no longer proved");
  BOOST_TEST(change(now, record()) == "-now proved");
}

BOOST_AUTO_TEST_CASE(amountsNeedAFactorAndADistance) {
  auto now = record();
  now.iterations = 1499;
  now.seconds = 1.9;
  BOOST_TEST(change(record(), now) == "");
  now.iterations = 1501;
  BOOST_TEST(change(record(), now) == "+iterations 1000 -> 1501");
  BOOST_TEST(change(now, record()) == "-iterations 1501 -> 1000");
  auto tiny = record(), tinyNow = record();
  tiny.iterations = 1;
  tinyNow.iterations = 20;
  BOOST_TEST(change(tiny, tinyNow) == "");
}

BOOST_AUTO_TEST_CASE(secondsCountOnTheSameMachineOnly) {
  auto now = record();
  now.seconds = 2.5;
  BOOST_TEST(change(record(), now) == "+seconds 1 -> 2.5");
  now.host = "there";
  BOOST_TEST(change(record(), now) == "");
}

BOOST_AUTO_TEST_CASE(whatTheListStates) {
  Instance expected;
  expected.status = "optimal";
  expected.objective = 100.0;
  BOOST_TEST(faultsOf(record(), expected, {}).empty());
  expected.objective = 99.0;
  BOOST_TEST(faultsOf(record(), expected, {}).at(0).text == "objective 100, the list states 99");
  expected.status = "infeasible";
  BOOST_TEST(faultsOf(record(), expected, {}).at(0).text ==
             "status optimal, the list states infeasible");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(regress_command, Workplace)

BOOST_AUTO_TEST_CASE(runsAreStoredAndComparedWithTheLast) {
  request.with = "osi_cuda@host/all,clp/primal";
  auto const first = run(request, allSolvers());
  BOOST_TEST(int(first.status) == 0, first.out);
  BOOST_TEST(contains(first.out, "15 runs stored"));
  BOOST_TEST(contains(first.out, "15 without an earlier one, 0 regressions"));
  BOOST_TEST(contains(first.log, "[15/15]"));
  auto const second = run(request, allSolvers());
  BOOST_TEST(int(second.status) == 0, second.out);
  BOOST_TEST(contains(second.out, "0 without an earlier one, 0 regressions"));
  auto const runs = stored();
  BOOST_TEST(runs.size() == 30u);
  auto const& one = runs.front();
  BOOST_TEST(one.solver == "osi_cuda@host");
  BOOST_TEST(one.engine == "host");
  BOOST_TEST(one.instance == "good");
  BOOST_TEST(one.checksum.starts_with("crc32:"));
  BOOST_TEST(one.status == "optimal");
  BOOST_TEST(one.proved);
  BOOST_TEST(one.objective.value() == -10.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(one.rows == 2);
  BOOST_TEST(one.nonzeros == 4);
  BOOST_TEST(one.time.size() == 20u);
  BOOST_TEST(!one.host.empty());
  BOOST_TEST(runs.back().batch == one.batch + 1);
}

BOOST_AUTO_TEST_CASE(instancesAreChosenBySize) {
  request.with = "osi_cuda@host/barrier";
  request.minCells = 5.0;
  auto const none = run(request, allSolvers());
  BOOST_TEST(contains(none.out, "0 runs stored"), none.out);
  request.minCells = 4.0;
  auto const outcome = run(request, allSolvers());
  BOOST_TEST(contains(outcome.out, "2 runs stored"), outcome.out);
  BOOST_TEST(stored().at(0).instance == "good");
  BOOST_TEST(stored().at(0).algorithm == "barrier");
}

BOOST_AUTO_TEST_CASE(aFaultySolverIsCaughtAtItsFirstRun) {
  auto solvers = allSolvers();
  solvers.push_back(std::make_shared<FaultyBridge>(Fault::objective));
  request.with = "clp/primal,faulty";
  auto const outcome = run(request, solvers);
  BOOST_TEST(int(outcome.status) == 4);
  BOOST_TEST(contains(outcome.out, "REGRESSION good faulty/only: wrong: claims objective"));
  BOOST_TEST(contains(outcome.out, "the list states -10.5"));
}

BOOST_AUTO_TEST_CASE(aSolverThatBecomesFaultyIsCaughtByTheDatabaseAlone) {
  request.list = write("bare.csv", "file\nfeasible.mps\n");
  request.with = "faulty";
  auto const faulty = std::make_shared<FaultyBridge>(Fault::none);
  BOOST_TEST(int(run(request, {faulty}).status) == 0);
  faulty->setFault(Fault::saysInfeasible);  // alone, and without a list that knows better
  auto const outcome = run(request, {faulty});
  BOOST_TEST(int(outcome.status) == 4);
  BOOST_TEST(
      contains(outcome.out, "REGRESSION feasible.mps faulty/only: status optimal -> infeasible"));
}

BOOST_AUTO_TEST_CASE(anInstanceThatChangedIsAnotherInstance) {
  request.list = write("bare.csv", "file\nfeasible.mps\n");
  request.with = "clp";
  run(request, allSolvers());
  write("feasible.mps", testing::infeasibleMps);
  auto const outcome = run(request, allSolvers());
  BOOST_TEST(int(outcome.status) == 0);
  BOOST_TEST(contains(outcome.out, "1 without an earlier one"));
}

BOOST_AUTO_TEST_CASE(otherOptionsAreAnotherRun) {
  request.with = "clp";
  run(request, allSolvers());
  request.optionText = "--seed 2";
  BOOST_TEST(contains(run(request, allSolvers()).out, "3 without an earlier one"));
  BOOST_TEST(contains(run(request, allSolvers()).out, "0 without an earlier one"));
}

BOOST_AUTO_TEST_CASE(anInterruptKeepsWhatIsFinished) {
  int answers = 0;
  class Counting final : public Bridge {
   public:
    explicit Counting(int& count) : count_(count) {}
    std::string name() const override { return "counting"; }
    std::string version() const override { return "1"; }
    std::vector<std::string> algorithms() const override { return {"only"}; }
    bool startsFromBasis(std::string const&) const override { return false; }

   protected:
    Solution run(LinearProgram const& lp, BridgeOptions const&) const override {
      ++count_;
      return findBridge(bridges(), "glpk")->solve(lp);
    }

   private:
    int& count_;
  };
  request.with = "counting,glpk";
  request.options.interrupted = [&] { return answers >= 2; };
  std::vector<BridgePointer> solvers = bridges();
  solvers.push_back(std::make_shared<Counting>(answers));
  auto const outcome = run(request, solvers);
  BOOST_TEST(int(outcome.status) == 2, outcome.out);
  BOOST_TEST(contains(outcome.out, "interrupted"));
  auto const runs = stored();
  BOOST_TEST(runs.size() == 3u);  // both of the first instance, the first of the second
  request.options.interrupted = nullptr;
  request.with = "glpk";
  BOOST_TEST(int(run(request, solvers).status) == 0);  // the database is whole
}

BOOST_AUTO_TEST_CASE(aStoppedRunIsContinued) {
  request.with = "clp/primal,clp/dual";
  run(request, allSolvers());  // of an earlier day
  request.options.interrupted = [&] { return stored().size() > 6; };
  BOOST_TEST(int(run(request, allSolvers()).status) == 2);
  auto const before = stored();
  BOOST_TEST(before.size() > 6u);
  BOOST_TEST(before.size() < 12u);
  request.options.interrupted = nullptr;
  request.carryOn = true;
  auto const outcome = run(request, allSolvers());
  BOOST_TEST(int(outcome.status) == 0);
  BOOST_TEST(contains(outcome.out, " 0 without an earlier one"), outcome.out);
  auto const after = stored();
  BOOST_TEST(after.size() == 12u);
  for (std::size_t k = 0; k < before.size(); ++k) BOOST_TEST(after[k].time == before[k].time);
  for (auto const& one : after) BOOST_TEST(one.batch == (one.id <= 6 ? 1 : 2));
  // All is there: another call adds nothing. Without the wish it is a run of its own.
  run(request, allSolvers());
  BOOST_TEST(stored().size() == 12u);
  request.carryOn = false;
  run(request, allSolvers());
  BOOST_TEST(stored().size() == 18u);
}

BOOST_AUTO_TEST_CASE(partsAreMerged) {
  request.with = "clp/primal";
  std::vector<std::string> words{"merge", file("all.sqlite")};
  for (char const* const part : {"1/2", "2/2"}) {
    request.part = part;
    request.database = file("part" + std::string(1, part[0]) + ".sqlite");
    run(request, allSolvers());
    words.push_back(request.database);
  }
  BOOST_TEST(stored().size() == 1u);  // the second of three instances
  auto const merged = testing::runOsiCuda(words);
  BOOST_TEST(merged.status == 0, merged.errors);
  request.database = file("all.sqlite");
  std::vector<std::string> names;
  for (auto const& one : stored()) names.push_back(one.instance + std::to_string(one.batch));
  std::vector<std::string> const expected{"good1", "unbounded1", "none, at all2"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
  BOOST_TEST(testing::runOsiCuda({"report", request.database}).status == 0);
  BOOST_TEST(testing::runOsiCuda({"merge", request.database, request.database}).status == 64);
  BOOST_TEST(testing::runOsiCuda({"merge", request.database, file("none.sqlite")}).status == 66);
  BOOST_TEST(testing::runOsiCuda({"merge", request.database, request.list}).status == 66);
  BOOST_TEST(stored().size() == 3u);
}

BOOST_AUTO_TEST_CASE(severalInstancesAtATime) {
  std::string list = "file,name\n";
  for (int k = 0; k < 40; ++k) list += "feasible.mps,copy" + std::to_string(k) + "\n";
  request.list = write("many.csv", list);
  request.jobs = 4;
  request.with = "glpk/all,clp,lp_solve";
  auto const outcome = run(request, allSolvers());
  BOOST_TEST(int(outcome.status) == 0, outcome.out);
  BOOST_TEST(stored().size() == 240u);
}

BOOST_AUTO_TEST_CASE(badFilesAndBadLists) {
  request.list = write("bad.csv", "file\nmissing.mps\nfeasible.mps\n");
  request.with = "clp";
  auto const outcome = run(request, allSolvers());
  BOOST_TEST(int(outcome.status) == 65);
  BOOST_TEST(contains(outcome.out, "1 files not read"));
  BOOST_TEST(stored().size() == 1u);
  auto const failure = [&](std::string const& text) {
    request.list = write("worse.csv", text);
    try {
      run(request, allSolvers());
    } catch (readers::ReadError const& error) {
      return std::string(error.what()).substr(file("worse.csv").size());
    }
    return std::string("no failure");
  };
  BOOST_TEST(failure("title\nx\n") ==
             ":1:1: expected a column called file or name, found \"title\"");
  BOOST_TEST(failure("file,objective\na.mps,1e\n") ==
             ":2:7: expected a number, optimal, infeasible or unbounded, found \"1e\"");
  BOOST_TEST(failure("file\na.mps,2\n") == ":2:1: expected 1 cells as in the header, found 2");
  BOOST_TEST(failure("file,status\na.mps,good\n") ==
             ":2:7: expected optimal, infeasible or unbounded, found \"good\"");
  request.list = write("good.csv", "file\nfeasible.mps\n");
  request.database = "/nowhere/at/all.sqlite";
  BOOST_CHECK_EXCEPTION(run(request, allSolvers()), Failure, [](Failure const& error) {
    return error.status() == ExitStatus::cannotWrite;
  });
}

BOOST_AUTO_TEST_CASE(theReportShowsEveryRunAndBothPlots) {
  auto solvers = allSolvers();
  solvers.push_back(std::make_shared<FaultyBridge>(Fault::point));
  request.with = "osi_cuda@host/all,glpk,clp/primal,faulty";
  run(request, solvers);
  RunDatabase database(request.database, RunDatabase::Mode::read);
  auto const html = htmlReport(database, "clp/primal");
  BOOST_TEST(contains(html, "none, at all"));
  BOOST_TEST(contains(html, "<svg id=\"profile\""));
  BOOST_TEST(contains(html, "Seconds against clp/primal"));
  BOOST_TEST(contains(html, "its point violates a bound"));
  BOOST_TEST(!contains(html, "http"));
  BOOST_TEST(!contains(html, "nan"));
  BOOST_CHECK_THROW(htmlReport(database, "cplex/dual"), Failure);
}

BOOST_AUTO_TEST_CASE(theCommandAddsThisSolverToOthers) {
  auto const ran = [&](std::string const& with) {
    std::string const database = file(with + ".sqlite");
    auto const result =
        testing::runOsiCuda({"regress", request.list, "--database", database, "--with", with});
    BOOST_TEST(result.status == 0, result.errors);
    std::string labels;
    for (RunRecord const& run : RunDatabase(database, RunDatabase::Mode::read).allRuns())
      if (run.instance == "good") labels += run.label() + ' ';
    return labels;
  };
  BOOST_TEST(ran("clp").starts_with("osi_cuda/primal osi_cuda/dual clp/"));
  BOOST_TEST(ran("osi_cuda@host") == "osi_cuda@host/auto ");
  BOOST_TEST(testing::runOsiCuda({"report", file("clp.sqlite"), "-o", file("page.html")}).status ==
             0);
  BOOST_TEST(contains(testing::readWholeFile(file("page.html")), "clp/"));
}

BOOST_AUTO_TEST_CASE(whatIsNotADatabaseIsRefused) {
  auto const text = write("not.sqlite", "a text that is long enough to be no database at all");
  BOOST_CHECK_THROW(RunDatabase(text, RunDatabase::Mode::read), Failure);
  BOOST_CHECK_THROW(RunDatabase(file("missing.sqlite"), RunDatabase::Mode::read), Failure);
}

BOOST_AUTO_TEST_SUITE_END()
