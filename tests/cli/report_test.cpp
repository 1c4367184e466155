// SPDX-License-Identifier: EPL-2.0
// What is shown: the log, sizes of memory, failures, results without a solve.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <new>
#include <sstream>
#include <string>

#include "cli/log.hpp"
#include "cli/result.hpp"
#include "osi_cuda/base/errors.hpp"
#include "readers/read_error.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {
namespace {

using std::chrono::milliseconds;

Progress progressAt(double seconds) {
  Progress progress;
  progress.seconds = seconds;
  progress.iterations = 1234;
  progress.objective = -464.75;
  progress.infeasibility = 0.5;
  progress.stage = Stage::dual2;
  return progress;
}

BOOST_AUTO_TEST_SUITE(log)

BOOST_AUTO_TEST_CASE(aStreamGetsALineInFiveSeconds) {
  std::ostringstream out;
  Log log(out, Verbosity::normal, Sink::stream);
  auto const start = Log::Clock::now();
  log.progress(progressAt(0.0), start + milliseconds(100));
  BOOST_TEST(out.str() == "");
  log.progress(progressAt(6.0), start + milliseconds(6000));
  log.progress(progressAt(7.0), start + milliseconds(7000));
  BOOST_TEST(out.str() == progressLine(progressAt(6.0)) + "\n");
  BOOST_TEST(progressLine(progressAt(6.0)) ==
             "    6.0 s     1234 pivots dual 2    -4.6475000000e+02  primal infeas. 5.0e-01");
}

BOOST_AUTO_TEST_CASE(aProgressLineFitsEightyColumnsAndNamesItsInfeasibility) {
  Progress progress = progressAt(12345.6);
  progress.iterations = 12'345'678;
  for (Stage const stage :
       {Stage::primal1, Stage::primal2, Stage::dual1, Stage::dual2, Stage::push, Stage::barrier}) {
    progress.stage = stage;
    std::string const line = progressLine(progress);
    bool const dual = stage == Stage::primal2;
    BOOST_TEST(line.find(dual ? "dual infeas." : "primal infeas.") != std::string::npos, line);
    if (stage == Stage::barrier) continue;  // which makes some hundred iterations
    BOOST_TEST(line.size() < 80u, line);
  }
  progress.iterations = 100;
  BOOST_TEST(progressLine(progress).size() < 80u, progressLine(progress));
  SearchProgress search;
  search.seconds = 12345.6;
  search.nodes = 1'234'567;
  search.objective = search.bound = -1.25e-10;
  BOOST_TEST(progressLine(search).size() < 80u, progressLine(search));
}

BOOST_AUTO_TEST_CASE(aNarrowTerminalCutsTheLine) {
  std::ostringstream out;
  Log log(out, Verbosity::normal, Sink::terminal, 40);
  log.progress(progressAt(0.2), Log::Clock::now() + milliseconds(200));
  BOOST_TEST(out.str() == "\r" + progressLine(progressAt(0.2)).substr(0, 39) + "\x1b[K");
}

BOOST_AUTO_TEST_CASE(aTerminalLineIsTakenOffBeforeOthers) {
  std::ostringstream out;
  {
    Log log(out, Verbosity::normal, Sink::terminal);
    auto const start = Log::Clock::now();
    log.progress(progressAt(0.2), start + milliseconds(200));
    log.notice("Something.");
    BOOST_TEST(out.str() == "\r" + progressLine(progressAt(0.2)) + "\x1b[K\r\x1b[KSomething.\n");
    log.progress(progressAt(0.4), start + milliseconds(400));
    out.str("");
  }
  BOOST_TEST(out.str() == "\r\x1b[K");  // and at the end
}

BOOST_AUTO_TEST_CASE(verbosityDecidesWhatIsShown) {
  for (Verbosity const verbosity : {Verbosity::quiet, Verbosity::normal, Verbosity::verbose}) {
    std::ostringstream out;
    Log log(out, verbosity, Sink::stream);
    log.notice("notice");
    log.detail("detail");
    log.progress(progressAt(9.0), Log::Clock::now() + milliseconds(9000));
    bool const quiet = verbosity == Verbosity::quiet;
    BOOST_TEST((out.str().find("notice") != std::string::npos) == !quiet);
    BOOST_TEST((out.str().find("pivots") != std::string::npos) == !quiet);
    BOOST_TEST((out.str().find("detail") != std::string::npos) ==
               (verbosity == Verbosity::verbose));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(report)

template <class Error>
FailureReport reportOf(Error const& error) {
  return shell::report(std::make_exception_ptr(error));
}

BOOST_AUTO_TEST_CASE(everyFailureHasItsStatus) {
  auto const status = [](auto const& error) { return static_cast<int>(reportOf(error).status); };
  BOOST_TEST(status(Failure(ExitStatus::disagreement, "")) == 4);
  BOOST_TEST(status(readers::ReadError("f", 1, 1, "a", "b")) == 65);
  BOOST_TEST(status(readers::OpenError("f", 2)) == 66);
  BOOST_TEST(status(readers::WriteError("f")) == 73);
  BOOST_TEST(status(EngineUnavailable("no device")) == 69);
  BOOST_TEST(status(std::bad_alloc()) == 69);
  BOOST_TEST(status(std::logic_error("impossible")) == 70);
  BOOST_TEST(status(17) == 70);
  BOOST_TEST(reportOf(std::logic_error("impossible")).line ==
             "osi-cuda: internal error: impossible");
  BOOST_TEST(reportOf(readers::ReadError("f", 3, 4, "a", "b")).line ==
             "f:3:4: expected a, found b");
  BOOST_TEST(reportOf(std::bad_alloc()).line.rfind("osi-cuda: not enough memory: ", 0) == 0u);
  BOOST_TEST(status(NotEnoughMemory("much is needed")) == 69);
  BOOST_TEST(reportOf(NotEnoughMemory("much is needed")).line ==
             "osi-cuda: not enough memory: much is needed");
}

BOOST_AUTO_TEST_CASE(everyStatusHasItsExit) {
  auto const status = [](Status of) { return static_cast<int>(exitStatusOf(of)); };
  BOOST_TEST(status(Status::optimal) == 0);
  BOOST_TEST(status(Status::infeasible) == 1);
  BOOST_TEST(status(Status::unbounded) == 1);
  BOOST_TEST(status(Status::objectiveLimit) == 2);
  BOOST_TEST(status(Status::iterationLimit) == 2);
  BOOST_TEST(status(Status::timeLimit) == 2);
  BOOST_TEST(status(Status::interrupted) == 2);
  BOOST_TEST(status(Status::numerical) == 3);
}

BOOST_AUTO_TEST_CASE(numbersThatAreNoneAreNull) {
  LinearProgram lp;
  Result result;
  result.problem = &lp;
  result.solution.status = Status::numerical;
  result.solution.message = "lost";
  result.solution.objective = std::numeric_limits<double>::quiet_NaN();
  result.solution.residuals.dual = std::numeric_limits<double>::infinity();
  nlohmann::ordered_json const json = toJson(result);
  BOOST_TEST(json["message"] == "lost");
  BOOST_TEST(json["objective"].is_null());
  BOOST_TEST(json["residuals"]["primal"].is_null());  // there is no point without an objective
  result.solution.objective = 1.0;
  BOOST_TEST(toJson(result)["residuals"]["dual"].is_null());
  BOOST_TEST(toJson(result)["residuals"]["primal"] == 0.0);
}

BOOST_AUTO_TEST_CASE(theErrorOfAnObjectiveIsShownWhereItIsLarge) {
  LinearProgram lp;
  Result result;
  result.problem = &lp;
  result.solution.status = Status::optimal;
  result.solution.objective = 100.0;
  nlohmann::ordered_json json = toJson(result);
  for (char const* key : {"objective_lower", "objective_upper", "objective_error"})
    BOOST_TEST(json[key].is_null());
  BOOST_TEST(toSummary(result).find("error") == std::string::npos);

  result.solution.objectiveEnclosure = {99.99995, 100.00005};
  json = toJson(result);
  BOOST_TEST(json["objective_lower"] == 99.99995);
  BOOST_TEST(json["objective_upper"] == 100.00005);
  BOOST_TEST(json["objective_error"].get<double>() >= 100.00005 - 100.0);
  BOOST_TEST(toSummary(result).find("error") == std::string::npos);  // 5e-7 of the objective

  result.solution.objectiveEnclosure = {99.5, 100.25};
  BOOST_TEST(toSummary(result).find("error       at most 5.00e-01: the optimum is between 99.5 and "
                                    "100.25\n") != std::string::npos);
  result.solution.objectiveEnclosure.upper = std::numeric_limits<double>::infinity();
  json = toJson(result);
  BOOST_TEST(json["objective_lower"] == 99.5);
  BOOST_TEST(json["objective_upper"].is_null());
  BOOST_TEST(json["objective_error"].is_null());
  BOOST_TEST(toSummary(result).find("error") == std::string::npos);
  // A proof that there is no optimum leaves nothing to enclose.
  result.solution.status = Status::infeasible;
  BOOST_TEST(toJson(result)["objective_lower"].is_null());
}

// Names in MPS files are bytes of any encoding.
BOOST_AUTO_TEST_CASE(bytesThatAreNoUtf8AreReplaced) {
  nlohmann::ordered_json json;
  json["name"] = "caf\xe9";
  BOOST_TEST(toText(json) == "{\n  \"name\": \"caf\xef\xbf\xbd\"\n}");
}

BOOST_AUTO_TEST_CASE(largeObjectivesShowTheirDigitsOnly) {
  LinearProgram lp;
  Result result;
  result.problem = &lp;
  result.solution.status = Status::optimal;
  result.solution.objective = -464.75314285714285;
  BOOST_TEST(toSummary(result).find("objective   -464.7531428571\n") != std::string::npos);
  result.solution.objective = 1.25e18;
  BOOST_TEST(toSummary(result).find("objective   1.2500000000000000e+18\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::cli
