// SPDX-License-Identifier: EPL-2.0
// osi-cuda calibrate, its file, and who says which numbers are in use.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "osi_cuda/cost/machine.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

using testing::osiCudaProgram;
using testing::Program;
using testing::ProgramResult;
using testing::TemporaryFolder;

namespace fs = std::filesystem;

/// osi-cuda without a device, with its records in that folder. `variable`: OSI_CUDA_MACHINE.
ProgramResult runIn(TemporaryFolder const& cache, std::vector<std::string> arguments,
                    std::string const& variable = "") {
  std::vector<std::string> words{"env", "XDG_CACHE_HOME=" + cache.path().string(),
                                 "OSI_CUDA_MACHINE=" + variable,
                                 "OSI_CUDA_ENGINE_PATH=/nonexistent", osiCudaProgram()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

nlohmann::json machineOf(TemporaryFolder const& cache, std::string const& variable = "") {
  ProgramResult const result = runIn(cache, {"info", "--json"}, variable);
  BOOST_TEST(result.status == 0, result.errors);
  return nlohmann::json::parse(result.output)["machine"];
}

/// max of the sum of 200 columns in 200 rows, dense: too large for the numbers not to be asked for.
std::string denseModel(TemporaryFolder const& folder) {
  std::string text = "Maximize\n o:";
  constexpr int side = 200;
  auto const sum = [&](int row) {
    for (int j = 0; j < side; ++j)
      text += " + " + std::to_string(1 + (7 * row + 11 * j) % 13) + " x" + std::to_string(j) +
              (j % 10 == 9 ? "\n" : "");
  };
  sum(0);
  text += "Subject To\n";
  for (int i = 0; i < side; ++i) {
    text += " r" + std::to_string(i) + ":";
    sum(i);
    text += " <= 1000\n";
  }
  return folder.write("dense.lp", text + "End\n");
}

BOOST_AUTO_TEST_SUITE(calibrate)

BOOST_AUTO_TEST_CASE(measures_stores_prints_and_forgets) {
  TemporaryFolder cache;
  BOOST_TEST(machineOf(cache)["host"]["source"] == "built-in");
  ProgramResult const measured = runIn(cache, {"calibrate"});
  BOOST_TEST(measured.status == 0, measured.errors);
  BOOST_TEST(measured.output.find("host_dense ") != std::string::npos, measured.output);
  BOOST_TEST(measured.errors.find("no device is measured") != std::string::npos);

  std::string const source = machineOf(cache)["host"]["source"];
  BOOST_TEST(source.starts_with("calibrated 2"), source);
  BOOST_TEST(runIn(cache, {"info"}).output.find(source) != std::string::npos);
  ProgramResult const printed = runIn(cache, {"calibrate", "--print"});
  BOOST_TEST(printed.output == measured.output);
  BOOST_TEST(nlohmann::json::parse(runIn(cache, {"calibrate", "--print", "--json"}).output) ==
             machineOf(cache));

  BOOST_TEST(runIn(cache, {"calibrate", "--reset"}).status == 0);
  BOOST_TEST(machineOf(cache)["host"]["source"] == "built-in");
  BOOST_TEST(runIn(cache, {"calibrate", "--reset"}).status == 0);  // nothing to forget
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_is_a_status_of_its_own) {
  TemporaryFolder cache;
  cache.write("osi-cuda", "a file in the way");
  ProgramResult const result = runIn(cache, {"calibrate"});
  BOOST_TEST(result.status == 73);
  BOOST_TEST(result.errors.find("can't write '") != std::string::npos, result.errors);
  BOOST_TEST(runIn(cache, {"calibrate", "--print", "--reset"}).status == 64);
}

BOOST_AUTO_TEST_CASE(ctrl_c_leaves_what_there_was) {
  TemporaryFolder cache;
  Program program({"env", "XDG_CACHE_HOME=" + cache.path().string(),
                   "OSI_CUDA_ENGINE_PATH=/nonexistent", osiCudaProgram(), "calibrate"});
  BOOST_TEST(program.hasSaid("measuring"));
  program.signal(2);
  BOOST_TEST(program.wait() == 2);
  BOOST_TEST(program.errors().find("interrupted") != std::string::npos, program.errors());
  BOOST_TEST(fs::is_empty(cache.path()));
}

BOOST_AUTO_TEST_CASE(a_damaged_or_foreign_file_is_named_and_ignored) {
  TemporaryFolder cache;
  std::string const model = denseModel(cache);
  BOOST_TEST(runIn(cache, {"calibrate"}).status == 0);
  fs::path file;
  for (auto const& entry : fs::directory_iterator(cache.path() / "osi-cuda")) file = entry.path();
  std::string const good = testing::readWholeFile(file);
  ProgramResult const quiet = runIn(cache, {"solve", model, "--engine", "host"});
  BOOST_TEST(quiet.errors.find("calibrate") == std::string::npos, quiet.errors);

  std::string foreign = good;
  foreign.replace(foreign.find("\"host\": \"") + 9, 1, "?");
  for (auto const& [text, message] :
       {std::pair<std::string, std::string>(good.substr(0, 40), "expected"),
        std::pair<std::string, std::string>(foreign, "another machine")}) {
    cache.write((fs::path("osi-cuda") / file.filename()).string(), text);
    auto const machine = machineOf(cache);
    BOOST_TEST(machine["host"]["source"] == "built-in");
    std::string const fault = machine["fault"];
    BOOST_TEST(fault.find(message) != std::string::npos, fault);
    ProgramResult const solved = runIn(cache, {"solve", model, "--engine", "host"});
    BOOST_TEST(solved.status == quiet.status);
    BOOST_TEST(solved.errors.find(fault) != std::string::npos, solved.errors);
    BOOST_TEST(solved.errors.find(fault) == solved.errors.rfind(fault));
  }
}

BOOST_AUTO_TEST_CASE(the_variable_names_the_numbers) {
  TemporaryFolder cache;
  auto const card = machineOf(cache, "builtin:RTX 4090");
  BOOST_TEST(card["device"]["source"] == "built-in RTX 4090");
  BOOST_TEST(card["rates"]["device_fp64"].get<double>() < 2e12);
  BOOST_TEST(machineOf(cache, "builtin")["device"]["source"] == "built-in H200");
  std::string const fault = machineOf(cache, "builtin:RTX 9")["fault"];
  BOOST_TEST(fault.find("H200, H100, A100") != std::string::npos, fault);

  Machine machine = referenceMachine();
  machine.date = "2020-01-02";
  machine.hostName = "elsewhere";
  std::string const file = cache.write("other.json", machineText(machine));
  BOOST_TEST(machineOf(cache, file)["host"]["source"] == "calibrated 2020-01-02");
  std::string const missing = machineOf(cache, file + "x")["fault"];
  BOOST_TEST(missing.find("can't be read") != std::string::npos, missing);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
