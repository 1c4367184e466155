// SPDX-License-Identifier: EPL-2.0
//
// Bases on their way between this program and glpsol, lp_solve and Clp: an optimal one leaves
// nothing to do, here or there.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>

#include "readers/input.hpp"
#include "tests/readers/test_data.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::testing {
namespace {

using Words = std::vector<std::string>;

/// A solver that is called as a program.
struct Solver {
  std::string program;
  std::string ending;  ///< of its basis files
  std::function<Words(std::string const& mps, std::string const& basis)> writing;
  std::function<Words(std::string const& mps, std::string const& basis)> starting;
  std::regex iterations;  ///< in what it prints; the last match counts
};

std::vector<Solver> const& solvers() {
  static std::vector<Solver> const all = {
      {"clp", ".bas",
       [](auto const& mps, auto const& basis) {
         return Words{"clp", mps, "-dualsimplex", "-basisO", basis};
       },
       [](auto const& mps, auto const& basis) {
         return Words{"clp", mps, "-presolve", "off", "-basisI", basis, "-dualsimplex"};
       },
       std::regex("Optimal objective [^\n]* - ([0-9]+) iterations")},
      {"lp_solve", ".bas",
       [](auto const& mps, auto const& basis) {
         return Words{"lp_solve", "-mps", mps, "-S1", "-wbas", basis};
       },
       [](auto const& mps, auto const& basis) {
         return Words{"lp_solve", "-mps", mps, "-rbas", basis, "-S4", "-v5"};
       },
       std::regex("Optimal solution +[^\n]* after +([0-9]+) iter")},
      {"glpsol", ".glpsol",
       [](auto const& mps, auto const& basis) {
         return Words{"glpsol", "--mps", mps, "-w", basis};
       },
       [](auto const& mps, auto const& basis) {
         return Words{"glpsol", "--mps", mps, "--nopresol", "--ini", basis};
       },
       std::regex("([0-9]+): obj = ")}};
  return all;
}

bool isInstalled(std::string const& program) {
  if (Program({"sh", "-c", "command -v " + program}).wait() == 0) return true;
  testing::skipPart(program + " is not installed");
  return false;
}

/// The content of a file, compressed or not.
std::string contentOf(std::string const& path) {
  auto const input = readers::decompress(readers::openFile(path), 0);
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (std::size_t const count = input->read(block)) text.append(block.data(), count);
  return text;
}

/// Every kind of row and bound, one of each basic or not in the optimum.
std::string ownSample() {
  return "NAME          OWN\n"
         "ROWS\n N  COST\n L  MOST\n G  LEAST\n E  EXACT\n G  BETWEEN\n G  SLACK\n"
         "COLUMNS\n"
         "    A         COST      2.0            MOST      1.0\n"
         "    A         LEAST     1.0            EXACT     1.0\n"
         "    B         COST      -3.0           MOST      1.0\n"
         "    B         BETWEEN   1.0            SLACK     1.0\n"
         "    C         COST      1.0            EXACT     1.0\n"
         "    C         BETWEEN   -1.0\n"
         "    D         COST      -1.0           MOST      2.0\n"
         "    D         LEAST     1.0            BETWEEN   1.0\n"
         "    F         COST      0.5            EXACT     -1.0\n"
         "RHS\n"
         "    RHS       MOST      9.0            LEAST     1.5\n"
         "    RHS       EXACT     2.5            BETWEEN   -1.0\n"
         "    RHS       SLACK     -7.0\n"
         "RANGES\n    RNG       BETWEEN   4.0\n"
         "BOUNDS\n UP BND       A         4.0\n UP BND       B         6.0\n"
         " LO BND       D         -1.0\n UP BND       D         1.0\n FR BND       F\nENDATA\n";
}

struct Problem {
  std::string name;
  std::string text;
};

std::vector<Problem> problems() {
  std::vector<Problem> all{{"own sample", ownSample()}};
  for (char const* name : {"afiro.mps", "brandy.mps", "e226.mps"}) {
    std::filesystem::path const file = std::filesystem::path(coinSamples) / name;
    if (std::filesystem::exists(file)) all.push_back({name, contentOf(file.string())});
  }
  for (char const* name : {"adlittle", "bandm", "blend", "boeing1", "sc105", "scorpion", "seba",
                           "share1b", "share2b", "stair", "standgub", "vtp-base"}) {
    std::filesystem::path const file = dataFolder() / "netlib" / (std::string(name) + ".mps.gz");
    if (std::filesystem::exists(file)) all.push_back({name, contentOf(file.string())});
  }
  return all;
}

nlohmann::json solveHere(Words more) {
  Words words{"solve", "--json", "--engine", "host", "--threads", "1"};
  words.insert(words.end(), more.begin(), more.end());
  ProgramResult const result = runOsiCuda(words);
  BOOST_TEST_REQUIRE(result.status == 0, result.errors);
  return nlohmann::json::parse(result.output);
}

std::optional<int> iterationsOf(Solver const& solver, std::string const& output) {
  std::optional<int> last;
  for (std::sregex_iterator it(output.begin(), output.end(), solver.iterations), end; it != end;
       ++it) {
    last = std::stoi((*it)[1]);
  }
  return last;
}

/// The iterations that the other solver makes from this basis, if it finds an optimum.
std::optional<int> startedThere(Solver const& solver, std::string const& mps,
                                std::string const& basis) {
  Program starter(solver.starting(mps, basis));
  if (starter.wait() != 0) return std::nullopt;
  return iterationsOf(solver, starter.output() + starter.errors());
}

/// False if the way back can't be judged.
bool exchange(Solver const& solver, Problem const& problem) {
  TemporaryFolder const folder;
  std::string const mps = folder.write("problem.mps", problem.text);
  std::string const theirs = folder.file("theirs" + solver.ending);
  std::string const ours = folder.file("ours" + solver.ending);

  Program writer(solver.writing(mps, theirs));
  BOOST_TEST_REQUIRE(writer.wait() == 0, writer.output() + writer.errors());
  auto const fromTheirs = solveHere({mps, "--basis-in", theirs});
  BOOST_TEST(fromTheirs["iterations"] == 0);

  bool const isSolution = solver.ending == ".glpsol";
  auto const fromNothing = solveHere({mps, isSolution ? "--solution" : "--basis-out", ours});
  double const objective = fromNothing["objective"];
  BOOST_TEST(std::abs(fromTheirs["objective"].get<double>() - objective) <=
             1e-9 * std::max(1.0, std::abs(objective)));

  // lp_solve does not always find back from a basis that it wrote itself: from blend's, stair's and
  // standgub's it makes iterations, or ends elsewhere.
  std::optional<int> const fromOwn = startedThere(solver, mps, theirs);
  if (fromOwn != 0 && solver.program == "lp_solve") {
    BOOST_TEST_MESSAGE("lp_solve does not start from its own basis of " << problem.name);
    return false;
  }
  BOOST_TEST((fromOwn == 0));
  BOOST_TEST((startedThere(solver, mps, ours) == 0));
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cross)

BOOST_AUTO_TEST_CASE(optimal_bases_of_others_and_for_others) {
  for (Solver const& solver : solvers()) {
    if (!isInstalled(solver.program)) continue;
    int judged = 0;
    for (Problem const& problem : problems()) {
      BOOST_TEST_CONTEXT(solver.program << " on " << problem.name) {
        judged += exchange(solver, problem) ? 1 : 0;
      }
    }
    BOOST_TEST(judged > 0, solver.program);
    BOOST_TEST_MESSAGE(solver.program << ": " << judged << " problems both ways");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
