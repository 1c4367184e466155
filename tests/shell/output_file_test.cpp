// SPDX-License-Identifier: EPL-2.0
#include "shell/output_file.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "readers/output.hpp"
#include "shell/failure.hpp"
#include "tests/support/file_size_limit.hpp"
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
  {
    readers::Output unfinished(path);
    unfinished << std::string(std::size_t{1} << 20, 'x');
    BOOST_TEST(readWholeFile(path) == "old");
    BOOST_TEST(filesIn(folder.path()) == 2);
  }
  BOOST_TEST(readWholeFile(path) == "old");
  shell::writeTextFile(path, "new");
  BOOST_TEST(readWholeFile(path) == "new");
  BOOST_TEST(filesIn(folder.path()) == 1);
}

BOOST_AUTO_TEST_CASE(aFullDiskLeavesTheOldFile) {
  TemporaryFolder const folder;
  std::string const path = folder.write("result.txt", "old");
  auto const isFull = [&](shell::Failure const& failure) {
    return failure.status() == shell::ExitStatus::cannotWrite &&
           failure.what() == "can't write '" + path + "': File too large";
  };
  std::string const text(std::size_t{1} << 20, 'x');
  {
    testing::FileSizeLimit const limit(std::size_t{1} << 16);
    BOOST_CHECK_EXCEPTION(shell::writeTextFile(path, text), shell::Failure, isFull);
  }
  BOOST_TEST(readWholeFile(path) == "old");
  BOOST_TEST(filesIn(folder.path()) == 1);
  // A program, whose limit its shell sets.
  std::string const lp = folder.write("model.mps", testing::assignmentMps(40));
  for (std::string const& words : {"convert " + lp + " " + path + " --to free-mps",
                                   "solve --quiet " + lp + " --solution " + path,
                                   "solve --quiet " + lp + " --checkpoint " + path}) {
    testing::Program program(
        {"sh", "-c", "ulimit -f 1; exec \"$0\" " + words, testing::osiCudaProgram()});
    int const status = program.wait();
    bool const isCheckpoint = words.find("--checkpoint") != std::string::npos;
    BOOST_TEST(status == (isCheckpoint ? 0 : 73), words << ": " << program.errors());
    BOOST_TEST(readWholeFile(path) == "old", words);
    BOOST_TEST(filesIn(folder.path()) == 2, words);
  }
}

BOOST_AUTO_TEST_CASE(whatIsOpenAlreadyIsWrittenDirectly) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  std::string const link = folder.file("link");
  fs::create_symlink("/dev/stdout", link);
  for (std::string const& path : {std::string("/dev/stdout"), std::string("/dev/fd/1"), link}) {
    BOOST_TEST((readers::replacedFile(path).empty()), path);
    std::string const out = folder.file("out");  // a regular file behind the name
    testing::Program program({"sh", "-c",
                              "exec \"$0\" convert \"$1\" \"$2\" --to free-mps > \"$3\"",
                              testing::osiCudaProgram(), lp, path, out});
    BOOST_TEST(program.wait() == 0, program.errors());
    BOOST_TEST(readWholeFile(out).starts_with("NAME"), path);
  }
  BOOST_TEST(readers::replacedFile("/dev/null").empty());
  std::string const pipe = folder.file("pipe");
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  testing::Program reader({"cat", pipe});
  BOOST_TEST(runOsiCuda({"convert", lp, pipe, "--to", "free-mps"}).status == 0);
  BOOST_TEST(reader.wait() == 0);
  BOOST_TEST(reader.output().starts_with("NAME"));
}

BOOST_AUTO_TEST_CASE(outputsOverwriteNeitherInputsNorEachOther) {
  TemporaryFolder const folder;
  std::string const text = testing::smallMps();
  std::string const lp = folder.write("small.mps", text), list = folder.file("list.csv");
  folder.write("list.csv", "name,file\nsmall,small.mps\n");
  fs::create_directory(folder.path() / "sub");
  fs::create_symlink(lp, folder.path() / "soft.mps");
  fs::create_symlink("not-yet.sol", folder.path() / "soft.sol");
  fs::create_hard_link(lp, folder.path() / "hard.mps");
  std::string const other = folder.path().string() + "/sub/../small.mps";
  using Words = std::vector<std::string>;
  std::vector<std::pair<Words, std::string>> const cases = {
      {{"convert", lp, lp}, "IN and OUT"},
      {{"convert", lp, other}, "IN and OUT"},
      {{"convert", lp, folder.file("soft.mps")}, "IN and OUT"},
      {{"convert", lp, folder.file("hard.mps")}, "IN and OUT"},
      {{"convert", lp, folder.file("a.lp"), "--names-map", lp}, "IN and --names-map"},
      {{"convert", lp, folder.file("a.lp"), "--names-map", folder.file("sub/../a.lp")},
       "OUT and --names-map"},
      {{"solve", lp, "--solution", folder.file("soft.mps")}, "FILE and --solution"},
      {{"solve", lp, "--basis-out", other}, "FILE and --basis-out"},
      {{"solve", lp, "--checkpoint", lp}, "FILE and --checkpoint"},
      {{"solve", lp, "--trace", lp}, "FILE and --trace"},
      {{"solve", lp, "--ranging", lp}, "FILE and --ranging"},
      {{"solve", lp, "--iis", lp}, "FILE and --iis"},
      {{"solve", lp, "--relax", "sum", "--relaxed", lp}, "FILE and --relaxed"},
      {{"solve", lp, "--objective", list, "--solution", list}, "--objective and --solution"},
      {{"solve", lp, "--basis-in", list, "--solution", list}, "--basis-in and --solution"},
      {{"solve", lp, "--solution", folder.file("x"), "--basis-out", folder.file("x")},
       "--basis-out and --solution"},
      {{"solve", lp, "--solution", folder.file("soft.sol"), "--basis-out",
        folder.file("not-yet.sol")},
       "--basis-out and --solution"},
      {{"solve", lp, "--trace", folder.file("t"), "--basis-out", folder.file("t.bas")},
       "--basis-out and the basis of --trace"},
      {{"batch", list, "--output", list}, "LIST and --output"},
      {{"batch", list, "--output", lp}, "a file of LIST and --output"},
      {{"batch", list, "--results", other}, "a file of LIST and --results"},
      {{"batch", lp, "--changes", list, "--results", list}, "--changes and --results"},
      {{"regress", list, "--database", list}, "LIST and --database"},
      {{"report", lp, "--output", lp}, "DATABASE and --output"}};
  for (auto const& [words, names] : cases) {
    ProgramResult const result = runOsiCuda(words);
    std::string const shown = words[0] + ' ' + words.back() + ": " + result.errors;
    BOOST_TEST(result.status == 64, shown);
    BOOST_TEST(result.errors.find(names + " are the same file, '") != std::string::npos, shown);
    BOOST_TEST(result.output.empty(), shown);
    BOOST_TEST(readWholeFile(lp) == text, shown);
    BOOST_TEST(readWholeFile(list).starts_with("name,file"), shown);
  }
  std::string const proof = folder.write("small.json", "{}");
  BOOST_TEST(runOsiCuda({"solve", lp, "--start", proof, "--proof", proof})
                 .errors.find("--start and --proof are the same file") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(whatARunContinuesFromMayBeRenewed) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  for (auto const& [from, to] : {std::pair("--basis-in", "--basis-out"),
                                 {"--start", "--solution"},
                                 {"--resume", "--checkpoint"}}) {
    std::string const file = folder.file(to);
    BOOST_TEST(runOsiCuda({"solve", lp, to, file}).status == 0);
    ProgramResult const again = runOsiCuda({"solve", lp, from, file, to, file});
    BOOST_TEST(again.status == 0, again.errors);
  }
  BOOST_TEST(
      runOsiCuda({"solve", lp, "--solution", "/dev/null", "--basis-out", "/dev/null"}).status == 0);
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
