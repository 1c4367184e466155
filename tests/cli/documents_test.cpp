// SPDX-License-Identifier: EPL-2.0
// README.md, docs/reference/program.md and docs/reference/options.md against the program they
// describe.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "cli/manual.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;
using testing::readWholeFile;
using testing::runOsiCuda;

fs::path const root = fs::path(OSI_CUDA_TEST_FOLDER).parent_path();

BOOST_AUTO_TEST_SUITE(documents)

BOOST_AUTO_TEST_CASE(pageOfOptionsHasTheTable) {
  std::string const page = readWholeFile(root / "docs/reference/options.md");
  std::string const table =
      "<!-- options -->\n" + cli::optionsMarkdown() + "<!-- end of options -->";
  BOOST_TEST(page.find(table) != std::string::npos,
             "docs/reference/options.md differs from `osi-cuda info --options-markdown`");
  BOOST_TEST(runOsiCuda({"info", "--options-markdown"}).output == cli::optionsMarkdown());
}

BOOST_AUTO_TEST_CASE(pageOfTheProgramHasEveryCommand) {
  std::string const page = readWholeFile(root / "docs/reference/program.md");
  for (cli::Command const& command : cli::commands()) {
    BOOST_TEST(page.find("osi-cuda " + command.name) != std::string::npos, command.name);
  }
}

BOOST_AUTO_TEST_CASE(everyKeyOfTheJsonIsDescribed) {
  std::string const page = readWholeFile(root / "docs/reference/program.md");
  testing::TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  auto const json = nlohmann::json::parse(runOsiCuda({"solve", lp, "--json"}).output);
  for (auto const& [key, value] : json.items()) {
    BOOST_TEST(page.find("`" + key + "`") != std::string::npos, key);
  }
}

// The README's first use, where Debian's sample is installed.
constexpr char sample[] = "/usr/share/coin/Data/Sample/afiro.mps";
BOOST_AUTO_TEST_CASE(readmesFirstUseGivesItsOptimum, *testing::needsFile(sample)) {
  auto const result = runOsiCuda({"solve", sample});
  BOOST_TEST(result.status == 0);
  std::string const line = "objective   -464.7531428571\n";
  BOOST_TEST(result.output.find(line) != std::string::npos, result.output);
  BOOST_TEST(readWholeFile(root / "README.md").find("    " + line) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(infoKnowsItsBuild) {
  auto const info = nlohmann::json::parse(runOsiCuda({"info", "--json"}).output);
  BOOST_TEST(info["version"] == OSI_CUDA_VERSION);
  BOOST_TEST(info["engines"][0]["name"] == "host");
  BOOST_TEST(info["engines"][0]["devices"].size() == 1u);
  BOOST_TEST(info["cuda_module"].is_boolean());
  for (char const* library : {"OpenBLAS", "zlib", "bzip2", "SQLite"}) {
    BOOST_TEST(info["libraries"].contains(library), library);
  }
  std::string const text = runOsiCuda({"info"}).output;
  BOOST_TEST(text.rfind("osi-cuda    " OSI_CUDA_VERSION "\n", 0) == 0u, text);
  BOOST_TEST(text.find("engine      host, device 0: ") != std::string::npos, text);
}

#if defined(__x86_64__) && !defined(OSI_CUDA_LINKED_BLAS)
// OpenBLAS alone takes its oldest kernels for a processor that it does not know.
BOOST_AUTO_TEST_CASE(productsAreMadeByTheKernelsOfWhatTheProcessorCanDo) {
  auto const kernels = [] {
    auto const info = nlohmann::json::parse(runOsiCuda({"info", "--json"}).output);
    auto const text = info["libraries"]["OpenBLAS"].get<std::string>();
    return text.substr(text.rfind(' ') + 1);
  };
  __builtin_cpu_init();
  bool const wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (wide || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
    BOOST_TEST(kernels() == (wide ? "SkylakeX" : "Haswell"));
  ::setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  BOOST_TEST(kernels() == "Nehalem");
  ::unsetenv("OPENBLAS_CORETYPE");
}
#endif

// The array takes 25.6 GB, the LU of the largest basis half of that.
BOOST_AUTO_TEST_CASE(infoTellsTheMemoryOfADenseProblem) {
  auto const needs =
      nlohmann::json::parse(runOsiCuda({"info", "--memory", "80000x40000", "--json"}).output);
  double const array = needs["array"].get<double>();
  BOOST_TEST(array == 25.6e9);
  BOOST_TEST(needs["simplex_host_array"].get<double>() < 1.55 * array);
  BOOST_TEST(needs["simplex"].get<double>() < 2.55 * array);
  BOOST_TEST(needs["barrier"].get<double>() < 2.6 * array);
  BOOST_TEST(needs["barrier"].get<double>() > 2.5 * array);
  std::string const text = runOsiCuda({"info", "--memory", "80000x40000"}).output;
  BOOST_TEST(text.rfind("array       25.6 GB\n", 0) == 0u, text);
  BOOST_TEST(text.find(" at most, however many problems\nvariants ") != std::string::npos, text);
  // 80 GB have room for all methods, 40 GB for the factors of pivots beside a tableau at least.
  auto const fits = [&](std::string const& card) {
    for (auto const& one : needs["cards"])
      if (one["name"] == card) return one["fits"].get<std::string>();
    return std::string("no such card");
  };
  BOOST_TEST(fits("H100") == "barrier and simplex");
  BOOST_TEST(fits("A100") == "simplex with the array in the host's memory");
  BOOST_TEST(fits("RTX 3060") == "nothing");
  BOOST_TEST(text.find("card        RTX 3060, 12.0 GB: nothing\n") != std::string::npos, text);
  auto const wrong = runOsiCuda({"info", "--memory", "80000"});
  BOOST_TEST(wrong.status == 64);
  BOOST_TEST(
      wrong.errors.find("expected a size as 80000x40000, found '80000'") != std::string::npos,
      wrong.errors);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
