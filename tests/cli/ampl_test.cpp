// SPDX-License-Identifier: EPL-2.0
// osi-cuda STUB -AMPL: what it writes, which words it takes, and what it refuses.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

std::string sample(std::string const& name) {
  return readWholeFile(std::filesystem::path(OSI_CUDA_TEST_FOLDER) / "fuzz" / "corpus" / "nl" /
                       name);
}

/// A variable of the environment for the length of a test.
class Variable {
 public:
  Variable(char const* name, char const* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(Variable const&) = delete;
  Variable& operator=(Variable const&) = delete;

 private:
  char const* name_;
};

BOOST_AUTO_TEST_SUITE(ampl)

BOOST_AUTO_TEST_CASE(answersBesideTheProblem) {
  for (std::string const name : {"small.nl", "binary.nl"}) {
    TemporaryFolder const folder;
    folder.write("stub.nl", sample(name));
    ProgramResult const result = runOsiCuda({folder.file("stub"), "-AMPL", "engine=host"});
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.output + result.errors == "");
    std::string const answer = readWholeFile(folder.file("stub.sol"));
    BOOST_TEST(answer.starts_with("osi-cuda 0.1.0: optimal solution; objective 188\n"));
    std::string const begin = "\n\nOptions\n3\n1\n1\n0\n2\n2\n2\n2\n";
    BOOST_TEST(answer.find(begin) != answer.npos);
    BOOST_TEST(answer.find("\nobjno 0 0\nsuffix 0 2 8 ") != answer.npos);
  }
}

// AMPL and its like read the answer from the file alone.
BOOST_AUTO_TEST_CASE(aTimeLimitThatIsOverIsAnAnswer) {
  for (std::string const name : {"small.nl", "binary.nl"}) {
    TemporaryFolder const folder;
    folder.write("stub.nl", sample(name));
    BOOST_TEST(runOsiCuda({folder.file("stub"), "-AMPL", "time_limit=0"}).status == 0);
    std::string const answer = readWholeFile(folder.file("stub.sol"));
    BOOST_TEST(answer.find("the time limit was reached") != answer.npos, answer);
    BOOST_TEST(answer.find("\nobjno 0 400\n") != answer.npos, answer);
  }
}

BOOST_AUTO_TEST_CASE(theCommandIsTheSame) {
  TemporaryFolder const folder;
  folder.write("stub.nl", sample("small.nl"));
  BOOST_TEST(runOsiCuda({"ampl", folder.file("stub.nl"), "outlev=1"})
                 .output.starts_with("osi-cuda 0.1.0: optimal solution; objective 188\n"));
  BOOST_TEST(runOsiCuda({"-v"}).output == runOsiCuda({"--version"}).output);
  // The reader serves all commands.
  BOOST_TEST(runOsiCuda({"solve", folder.file("stub.nl"), "--quiet"}).output.find("188") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(keywords) {
  TemporaryFolder const folder;
  folder.write("stub.nl", sample("small.nl"));
  {
    Variable const options("osi_cuda_options", "iteration_limit 0 algorithm = primal");
    BOOST_TEST(runOsiCuda({folder.file("stub"), "-AMPL"}).status == 0);
    BOOST_TEST(readWholeFile(folder.file("stub.sol")).find("\nobjno 0 401\n") != std::string::npos);
    // The command line comes last.
    BOOST_TEST(runOsiCuda({folder.file("stub"), "-AMPL", "iteration-limit=none"}).status == 0);
    BOOST_TEST(readWholeFile(folder.file("stub.sol")).find("\nobjno 0 0\n") != std::string::npos);
  }
  auto const refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {folder.file("stub"), "-AMPL"});
    ProgramResult const result = runOsiCuda(words);
    BOOST_TEST(result.status == 64);
    return result.errors.substr(0, result.errors.find('\n'));
  };
  BOOST_TEST(refusal({"objno=x"}) ==
             "osi-cuda: ampl: objno: expected an integer from 0 to 99999999, found 'x'");
  BOOST_TEST(refusal({"relax"}) == "osi-cuda: ampl: relax: a value is missing");
  BOOST_TEST(refusal({"engine=gpu"}) ==
             "osi-cuda: ampl: option engine: expected auto, cuda or host, found 'gpu'");
  BOOST_TEST(refusal({"speed=1"}).starts_with("osi-cuda: ampl: there is no option"));
}

BOOST_AUTO_TEST_CASE(refusals) {
  TemporaryFolder const folder;
  auto const run = [&](std::vector<std::string> words = {}) {
    words.insert(words.begin(), {folder.file("stub"), "-AMPL"});
    return runOsiCuda(words);
  };
  ProgramResult result = run();
  BOOST_TEST(result.status == 66);
  folder.write("stub.nl", sample("nonlinear.nl"));
  result = run();
  BOOST_TEST(result.status == 65);
  BOOST_TEST(result.errors == folder.file("stub.nl") +
                                  ":12:2: expected a linear expression, since only linear problems "
                                  "are solved, found a power (operator 5)\n");
  folder.write("stub.nl", sample("all.nl"));
  BOOST_TEST(run({"relax=1"}).status == 0);
  BOOST_TEST(readWholeFile(folder.file("stub.sol"))
                 .find("The integrality of 1 variable(s) was relaxed.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(integersAreSearchedFor) {
  TemporaryFolder const folder;
  // That of small.nl with both variables integer, and 123 for 120 on the right.
  std::string text = sample("small.nl");
  for (auto const& [from, to] :
       {std::pair{std::string("\n 0 0 0 0 0"), std::string("\n 0 2 0 0 0")},
        std::pair{std::string("120"), std::string("123")}}) {
    std::size_t const at = text.find(from);
    BOOST_REQUIRE(at != text.npos);
    text.replace(at, from.size(), to);
  }
  folder.write("stub.nl", text);
  auto const answer = [&](std::vector<std::string> words = {}) {
    words.insert(words.begin(), {folder.file("stub"), "-AMPL"});
    BOOST_TEST(runOsiCuda(words).status == 0);
    return readWholeFile(folder.file("stub.sol"));
  };
  std::string const found = answer();
  BOOST_TEST(found.find("optimal solution; objective 188\n") != std::string::npos);
  BOOST_TEST(found.find("\nbound 188, gap 0, ") != std::string::npos);
  BOOST_TEST(found.find("relaxed") == std::string::npos);
  BOOST_TEST(answer({"relax=1"}).find("objective 189.2\n") != std::string::npos);
  BOOST_TEST(answer({"iteration_limit=0"}).find("the iteration limit was reached") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(aBasisStartsTheNextSolve) {
  TemporaryFolder const folder;
  std::string const small = sample("small.nl");
  // Pyomo's suffixes are real (4 is added to their kind) unless they are declared as integers.
  for (char const* const basis : {"S0 2 sstatus\n0 1\n1 1\nS1 2 sstatus\n0 4\n1 4\n",
                                  "S4 2 sstatus\n0 1\n1 1.0\nS5 2 sstatus\n0 4\n1 4.0\n"}) {
    folder.write("stub.nl", small + basis);
    BOOST_TEST(runOsiCuda({folder.file("stub"), "-AMPL"}).status == 0);
    BOOST_TEST(readWholeFile(folder.file("stub.sol")).find("objective 188\n0 iterations") !=
               std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
