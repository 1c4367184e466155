// SPDX-License-Identifier: EPL-2.0
// The program with the modules of other solvers missing, unusable or of another build.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/three_problems.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;

namespace {

/// The program in a process of its own, with bridges from that folder: a module that was opened
/// stays.
testing::ProgramResult withBridges(std::string const& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"env", "OSI_CUDA_BRIDGE_PATH=" + folder, testing::osiCudaProgram()});
  testing::Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

struct Files : testing::TemporaryFolder {
  std::string feasible = write("feasible.mps", testing::feasibleMps);
  std::string empty = file("empty");
  Files() { std::filesystem::create_directory(empty); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bridge_modules, Files)

BOOST_AUTO_TEST_CASE(without_modules_info_says_what_is_missing_and_how_to_get_it) {
  auto const info = withBridges(empty, {"info", "--json"});
  BOOST_TEST(info.status == 0, info.errors);
  auto const json = nlohmann::json::parse(info.output);
  BOOST_TEST(json["bridges"].empty());
  for (auto const& [name, package] : {std::pair<std::string, std::string>{"glpk", "libglpk-dev"},
                                      {"lp_solve", "liblpsolve55-dev"},
                                      {"clp", "coinor-libclp-dev"},
                                      {"highs", "built everywhere"}}) {
    auto const reason = json["missing_bridges"].value(name, "");
    BOOST_TEST(contains(reason, "no file OsiCudaBridge-" + name + ".so was found"), reason);
    BOOST_TEST(contains(reason, package), reason);
  }
  auto const text = withBridges(empty, {"info"});
  BOOST_TEST(contains(text.output, "bridge      glpk: not usable, no file"), text.output);
}

BOOST_AUTO_TEST_CASE(without_modules_compare_goes_on_alone_and_says_so) {
  auto const compared = withBridges(empty, {"compare", feasible});
  BOOST_TEST(compared.status == 0, compared.errors);
  BOOST_TEST(contains(compared.output, "osi_cuda/auto"));
  BOOST_TEST(!contains(compared.output, "clp/"));
  BOOST_TEST(contains(compared.errors, "osi-cuda: solver clp is left out: no file"),
             compared.errors);
}

BOOST_AUTO_TEST_CASE(a_solver_that_is_named_and_missing_is_unavailable) {
  std::string const sentence =
      "osi-cuda: --with: solver glpk is not here: no file OsiCudaBridge-glpk.so was found; this "
      "module of osi-cuda is built where Debian's package libglpk-dev is installed\n";
  auto const compared = withBridges(empty, {"compare", feasible, "--with", "osi_cuda,glpk/all"});
  BOOST_TEST(compared.status == 69);
  BOOST_TEST(compared.errors == sentence);
  auto const list = write("list.csv", "file,objective\nfeasible.mps,-10.5\n");
  auto const regressed =
      withBridges(empty, {"regress", list, "--database", file("results.sqlite"), "--with", "glpk"});
  BOOST_TEST(regressed.status == 69);
  BOOST_TEST(regressed.errors == sentence);
  BOOST_TEST(withBridges(empty, {"compare", feasible, "--with", "nobody"}).status == 64);
}

BOOST_AUTO_TEST_CASE(a_module_without_its_library_says_which_and_how_to_get_it) {
  auto const compared =
      withBridges(OSI_CUDA_LONELY_BRIDGE, {"compare", feasible, "--with", "glpk"});
  BOOST_TEST(compared.status == 69);
  BOOST_TEST(contains(compared.errors, "libosi_cuda_absent_library.so"), compared.errors);
  BOOST_TEST(contains(compared.errors, "; on Debian, apt-get install libglpk40\n"));
}

BOOST_AUTO_TEST_CASE(a_module_of_another_build_is_refused) {
  auto const compared = withBridges(OSI_CUDA_STALE_BRIDGE, {"compare", feasible, "--with", "glpk"});
  BOOST_TEST(compared.status == 69);
  BOOST_TEST(contains(compared.errors,
                      " belongs to another build (0.1.0 0123456789abcdef instead of 0.1.0 "),
             compared.errors);
}

BOOST_AUTO_TEST_CASE(highs_is_looked_for_in_packages_of_python_and_says_what_it_tried) {
  std::string const library = "env/lib/python3.11/site-packages/highspy/_core.some.so";
  std::filesystem::create_directories(std::filesystem::path(file(library)).parent_path());
  std::filesystem::copy_file(OSI_CUDA_POISONED_MODULE, file(library));  // has no C interface
  auto const reasonWith = [&](std::string const& variable) {
    testing::Program program({"env", "OSI_CUDA_BRIDGE_PATH=" OSI_CUDA_BRIDGES, "HOME=" + empty,
                              variable, testing::osiCudaProgram(), "info", "--json"});
    BOOST_TEST(program.wait() == 0);
    auto const json = nlohmann::json::parse(program.output());
    return json["missing_bridges"].value("highs", "");
  };
  std::string const named = reasonWith("OSI_CUDA_HIGHS=" + file(library));
  BOOST_TEST(contains(named, file(library) + " has no C interface; OSI_CUDA_HIGHS names the"),
             named);
  std::string const searched = reasonWith("VIRTUAL_ENV=" + file("env"));
  if (searched.empty()) return;  // the system has HiGHS
  BOOST_TEST(contains(searched, "libhighs.so.1: "), searched);
  BOOST_TEST(contains(searched, file(library) + " has no C interface"), searched);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_module_is_refused) {
  write("empty/OsiCudaBridge-clp.so", "not a library\n");
  auto const compared = withBridges(empty, {"compare", feasible, "--with", "clp"});
  BOOST_TEST(compared.status == 69);
  BOOST_TEST(contains(compared.errors, "OsiCudaBridge-clp.so: "), compared.errors);
}

BOOST_AUTO_TEST_CASE(the_folder_of_the_program_has_modules_that_work) {
  auto const compared = withBridges(OSI_CUDA_BRIDGES, {"compare", feasible, "--with", "glpk"});
  BOOST_TEST(compared.status == 0, compared.errors);
  BOOST_TEST(contains(compared.output, "glpk/primal"));
}

BOOST_AUTO_TEST_SUITE_END()
