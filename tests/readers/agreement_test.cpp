// SPDX-License-Identifier: EPL-2.0
//
// Every file of the data folder and of Debian's samples by readers/, CoinUtils, GLPK and lp_solve.
// Whatever differs or is refused by somebody has to be in the list below, with its reason.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "readers/input.hpp"
#include "readers/read.hpp"
#include "tests/readers/coin_model.hpp"
#include "tests/readers/glpk_model.hpp"
#include "tests/readers/lp_solve_model.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/readers/test_data.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::testing {
namespace {

using Model = std::optional<LinearProgram>;
enum class Outcome { agrees, differs, weRefuse, theyRefuse, bothRefuse };

char const* nameOf(Outcome outcome) {
  static constexpr char const* names[] = {"agree", "differ", "we refuse", "they refuse",
                                          "both refuse"};
  return names[static_cast<int>(outcome)];
}

/// The expected outcomes other than agreement, "reader file".
std::map<std::string, Outcome> const& documented() {
  using enum Outcome;
  static std::map<std::string, Outcome> const all = {
      // Cones, quadratic terms: we refuse what is no linear program. lp_solve tells nobody its
      // sets.
      {"CoinMpsIO conic.mps", weRefuse},
      {"CoinMpsIO share2qp.mps", weRefuse},
      {"CoinMpsIO spec_sections.mps", weRefuse},
      {"GLPK conic.mps", bothRefuse},
      {"GLPK share2qp.mps", weRefuse},
      {"GLPK spec_sections.mps", bothRefuse},
      {"lp_solve share2qp.mps", weRefuse},
      {"lp_solve lpsolve-sos2.lp", differs},
      {"GLPK highs-qjh.lp", bothRefuse},
      {"CoinLpIO highs-qjh.lp", bothRefuse},
      // The right-hand side of the objective: minus the constant to us and to CoinMpsIO.
      {"GLPK e226.mps", differs},
      {"lp_solve e226.mps", differs},
      {"GLPK e226.mps.gz", differs},
      {"lp_solve e226.mps.gz", differs},
      // Integer columns without bounds: [0, 1], to lp_solve [0, inf).
      {"lp_solve exmip1.mps", differs},
      {"lp_solve exmip1.5.mps", differs},
      {"lp_solve coin-exmip1.mps", differs},
      {"lp_solve nw460.mps", differs},
      {"lp_solve pack1.mps", differs},
      {"lp_solve scOneInt.mps", differs},
      // Two BOUNDS sets: the first one counts; GLPK refuses the second, lp_solve applies both.
      {"GLPK infeasible greenbea.mps.gz", theyRefuse},
      {"lp_solve infeasible greenbea.mps.gz", differs},
      // Blanks at the beginning of names (lp_solve keeps them) and within (the others drop them).
      {"lp_solve d6cube.mps.gz", differs},
      {"lp_solve infeasible mondou2.mps.gz", differs},
      {"CoinMpsIO scip-forplan_begin.mps", differs},
      {"GLPK scip-forplan_begin.mps", differs},
      // Comments at line ends.
      {"CoinMpsIO highs-comment.mps", theyRefuse},
      {"GLPK highs-comment.mps", theyRefuse},
      {"lp_solve highs-comment.mps", theyRefuse},
      // Columns called like sections, OBJSENSE on one line.
      {"CoinMpsIO highs-silly-names.mps", theyRefuse},
      {"GLPK highs-silly-names.mps", theyRefuse},
      // A section OBJSENSE.
      {"GLPK scip-shortlines.mps", theyRefuse},
      // Coefficients that start with a point; +infinity as a bound.
      {"CoinLpIO glpk-plan.lp", theyRefuse},
      {"CoinLpIO moi-example_lo1.lp", theyRefuse},
      // No LP file; all on one line; two names for a row; a name that starts with a digit.
      {"GLPK highs-1448.lp", bothRefuse},
      {"GLPK highs-1449a.lp", bothRefuse},
      {"CoinLpIO highs-1449a.lp", bothRefuse},
      {"GLPK moi-invalid_constraint.lp", bothRefuse},
      {"CoinLpIO moi-invalid_constraint.lp", bothRefuse},
      {"GLPK moi-invalid_variable_name.lp", bothRefuse},
      {"CoinLpIO moi-invalid_variable_name.lp", bothRefuse},
      // A row called end; no rows at all; semicontinuous columns; an empty objective.
      {"GLPK highs-1451.lp", theyRefuse},
      {"CoinLpIO highs-1451.lp", theyRefuse},
      {"GLPK highs-fixed-binary.lp", theyRefuse},
      {"CoinLpIO highs-fixed-binary.lp", differs},
      {"GLPK highs-semi-continuous.lp", theyRefuse},
      {"GLPK zimpl-w215.lp", theyRefuse},
      // Rows without a name: R1, R2, ... by position; CoinLpIO counts from cons0, GLPK says r.3.
      {"GLPK highs-issue-2585.lp", differs},
      {"CoinLpIO highs-issue-2585.lp", differs},
      {"CoinLpIO highs-semi-continuous.lp", differs},
      // CoinLpIO negates the objective of a maximization.
      {"CoinLpIO scip-simple.lp", differs},
      // No max: or min:, which Debian's lp_solve takes for max:.
      {"lp_solve lpsolve-ex2.lp", differs}};
  return all;
}

class Comparison {
 public:
  void compare(std::string const& reader, std::string const& file, Model const& ours,
               Model const& theirs, Ignore ignore) {
    std::string difference;
    Outcome outcome = Outcome::bothRefuse;
    if (ours && theirs) {
      difference = firstDifference(*ours, *theirs, ignore);
      outcome = difference.empty() ? Outcome::agrees : Outcome::differs;
    } else if (ours) {
      outcome = Outcome::theyRefuse;
    } else if (theirs) {
      outcome = Outcome::weRefuse;
    }
    ++counts_[reader][outcome];
    auto const known = documented().find(reader + " " + file);
    Outcome const expected = known == documented().end() ? Outcome::agrees : known->second;
    BOOST_TEST((outcome == expected), reader << " " << file << ": " << nameOf(outcome) << " "
                                             << difference << ", expected " << nameOf(expected));
  }

  void report() const {
    for (auto const& [reader, outcomes] : counts_) {
      for (auto const& [outcome, count] : outcomes) {
        BOOST_TEST_MESSAGE(reader << ": " << nameOf(outcome) << " " << count);
      }
    }
  }

 private:
  std::map<std::string, std::map<Outcome, int>> counts_;
};

Model readHere(std::string const& path) {
  try {
    return readers::read(path).lp;
  } catch (readers::ReadError const&) {
    return std::nullopt;
  }
}

/// The path of the file, or of a plain copy in `folder` if it is compressed.
std::string plainFile(std::filesystem::path const& file, TemporaryFolder const& folder) {
  if (file.extension() != ".gz") return file.string();
  auto const input = readers::decompress(readers::openFile(file.string()), 0);
  std::string const copy = folder.file("plain.mps");
  std::ofstream out(copy, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 18);
  while (std::size_t const count = input->read(block)) {
    out.write(block.data(), static_cast<std::streamsize>(count));
  }
  return copy;
}

void compareMps(Comparison& comparison, std::filesystem::path const& file) {
  TemporaryFolder const folder;
  bool const infeasible =
      file.parent_path().filename() == "netlib-infeasible";  // greenbea is in both
  std::string const name = (infeasible ? "infeasible " : "") + file.filename().string();
  std::string const plain = plainFile(file, folder);
  Model const ours = readHere(file.string());
  comparison.compare("CoinMpsIO", name, ours, readWithCoinMps(plain),
                     {.sense = true, .rounding = 5e-16});
  Model glpk = readWithGlpk(plain, GlpkFormat::fixedMps);
  if (!glpk) glpk = readWithGlpk(plain, GlpkFormat::freeMps);
  comparison.compare("GLPK", name, ours, glpk, {.rounding = 1e-15});
  if (name == "conic.mps" || name == "spec_sections.mps") return;  // lp_solve dies on them
  comparison.compare("lp_solve", name, ours, readMpsWithLpSolve(plain), {.rounding = 1e-11});
}

void compareLp(Comparison& comparison, std::filesystem::path const& file) {
  std::string const name = file.filename().string();
  Model const ours = readHere(file.string());
  if (name.starts_with("lpsolve")) {
    comparison.compare("lp_solve", name, ours, readWithLpSolve(file.string()), {.rounding = 1e-11});
    return;
  }
  comparison.compare("GLPK", name, ours, readWithGlpk(file.string(), GlpkFormat::cplexLp), {});
  if (name == "highs-1448.lp") return;  // CoinLpIO dies on it
  comparison.compare("CoinLpIO", name, ours, readWithCoinLp(file.string()), {.rounding = 5e-16});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(agreement_long)

BOOST_AUTO_TEST_CASE(every_file_by_everybody) {
  Comparison comparison;
  std::vector<std::filesystem::path> folders{coinSamples};
  for (char const* folder : {"netlib", "netlib-infeasible", "kennington", "lp-format"}) {
    folders.push_back(dataFolder() / folder);
  }
  for (auto const& folder : folders) {
    for (auto const& file : filesIn(folder)) {
      std::string const name = file.filename().string();
      if (name.ends_with(".mps") || name.ends_with(".mps.gz")) compareMps(comparison, file);
      if (name.ends_with(".lp")) compareLp(comparison, file);
    }
  }
  comparison.report();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
