// SPDX-License-Identifier: EPL-2.0
#include "shell/output_file.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "shell/failure.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

std::ptrdiff_t filesIn(fs::path const& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

BOOST_AUTO_TEST_SUITE(output_file)

BOOST_AUTO_TEST_CASE(isWholeOrAsBefore) {
  TemporaryFolder const folder;
  std::string const path = folder.write("result.txt", "old");
  auto const fails = [&](fs::path const& file) {
    testing::readWholeFile(file);  // it is there
    throw std::runtime_error("no more paper");
  };
  auto const saysWhy = [&](shell::Failure const& failure) {
    return failure.status() == shell::ExitStatus::cannotWrite &&
           failure.what() == "can't write '" + path + "': no more paper";
  };
  BOOST_CHECK_EXCEPTION(shell::writeFile(path, fails), shell::Failure, saysWhy);
  BOOST_TEST(readWholeFile(path) == "old");
  shell::writeTextFile(path, "new");
  BOOST_TEST(readWholeFile(path) == "new");
  BOOST_TEST(filesIn(folder.path()) == 1);
}

BOOST_AUTO_TEST_CASE(keepsPermissionsAndLinks) {
  TemporaryFolder const folder;
  std::string const path = folder.write("result.txt", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::path const link = folder.path() / "link";
  fs::create_symlink("result.txt", link);
  shell::writeTextFile(link.string(), "new");
  BOOST_TEST(fs::is_symlink(link));
  BOOST_TEST(readWholeFile(path) == "new");
  BOOST_TEST((fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(keepsTheEndingOfTheName) {
  TemporaryFolder const folder;
  shell::writeFile(folder.file("a.sol.gz"), [](fs::path const& file) {
    BOOST_TEST(file.extension() == ".gz");
    BOOST_TEST(file.filename() != "a.sol.gz");
  });
  BOOST_TEST(fs::exists(folder.file("a.sol.gz")));
}

BOOST_AUTO_TEST_CASE(whatCantBeWrittenIsRefusedBeforeTheSolve) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  std::string const nowhere = folder.file("none/a.sol");
  for (char const* option : {"--solution", "--basis-out"}) {
    ProgramResult const missing = runOsiCuda({"solve", lp, option, nowhere});
    BOOST_TEST(missing.status == 73);
    BOOST_TEST(missing.errors ==
               "osi-cuda: can't write '" + nowhere + "': No such file or directory\n");
    std::string const itself = folder.path().string();
    ProgramResult const isFolder = runOsiCuda({"solve", lp, option, itself});
    BOOST_TEST(isFolder.status == 73);
    BOOST_TEST(isFolder.errors == "osi-cuda: can't write '" + itself + "': Is a directory\n");
  }
  BOOST_TEST(filesIn(folder.path()) == 1);
}

BOOST_AUTO_TEST_CASE(aFullDiskIsNoticed, *osi_cuda::testing::needsFile("/dev/full")) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  ProgramResult const file = runOsiCuda({"solve", lp, "--quiet", "--solution", "/dev/full"});
  BOOST_TEST(file.status == 73);
  BOOST_TEST(file.errors == "osi-cuda: can't write '/dev/full': No space left on device\n");
  testing::Program out(
      {"sh", "-c", "exec \"$0\" solve \"$1\" --quiet > /dev/full", testing::osiCudaProgram(), lp});
  BOOST_TEST(out.wait() == 73);
  BOOST_TEST(out.errors() == "osi-cuda: can't write standard output\n");
}

BOOST_AUTO_TEST_CASE(standardOutputCanBeTheFile) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  for (char const* name : {"-", "/dev/stdout"}) {
    ProgramResult const result = runOsiCuda({"solve", lp, "--quiet", "--basis-out", name});
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.output.rfind("NAME", 0) == 0u, result.output);
    BOOST_TEST(result.output.find("ENDATA\nproblem ") != std::string::npos, result.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
