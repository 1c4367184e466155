// SPDX-License-Identifier: EPL-2.0
// Where the program takes modules from: never from the current directory.
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

using namespace osi_cuda;

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(module_places)

/// A folder with a file called osi-cuda and, where modules of a program there would lie, poisoned
/// ones.
struct Poisoned {
  testing::TemporaryFolder const root;
  fs::path const bin = root.path() / "bin";
  std::string model;

  Poisoned() {
    fs::create_directories(bin);
    fs::create_directories(root.path() / "lib/osi-cuda");
    for (char const* name :
         {"OsiCudaEngine.so", "OsiCudaCbc.so", "OsiCudaBridge-glpk.so", "OsiCudaBridge-clp.so",
          "OsiCudaBridge-lp_solve.so", "OsiCudaBridge-highs.so", "libhighs.so.1", "libcuda.so.1"})
      for (fs::path const& folder : {bin, root.path() / "lib/osi-cuda"})
        fs::copy_file(OSI_CUDA_POISONED_MODULE, folder / name);
    root.write("bin/osi-cuda", "#!/bin/sh\necho the wrong program\n");
    fs::permissions(bin / "osi-cuda", fs::perms::owner_all);
    fs::permissions(root.path(), fs::perms(0755));
    model = root.write("model.lp", "max\n 3 x + 2 y\nst\n r: 2 x + 2 y <= 9\nInteger\n x y\nend\n");
  }

  /// A shell's command, from the folder; the program is found on PATH.
  testing::ProgramResult run(std::string const& command) const {
    testing::Program program({"sh", "-c",
                              "cd " + bin.string() + " && PATH=" +
                                  fs::path(testing::osiCudaProgram()).parent_path().string() +
                                  ":$PATH && " + command});
    int const status = program.wait();
    return {status, program.output(), program.errors()};
  }
};

bool isPoisoned(testing::ProgramResult const& result) {
  return result.errors.find("the poisoned module runs") != std::string::npos;
}

BOOST_FIXTURE_TEST_CASE(a_program_found_on_the_path_opens_nothing_of_the_current_directory,
                        Poisoned) {
  for (std::string const command :
       {"solve --integers --quiet ../model.lp", "solve --engine cuda ../model.lp", "info",
        "compare ../model.lp"}) {
    testing::ProgramResult const result = run("osi-cuda " + command);
    BOOST_TEST(!isPoisoned(result), command << ": " << result.errors);
    BOOST_TEST(result.output.find("the wrong program") == std::string::npos);
  }
  testing::ProgramResult const solved = run("osi-cuda solve --integers --quiet ../model.lp");
  BOOST_TEST(solved.status == 0, solved.errors);  // by the module beside the program
}

BOOST_FIXTURE_TEST_CASE(a_variable_names_an_absolute_path, Poisoned) {
  std::string const solve = " osi-cuda solve --integers --search cbc ../model.lp";
  for (char const* path : {"OsiCudaCbc.so", "./OsiCudaCbc.so", "."}) {
    testing::ProgramResult const refused = run(std::string("OSI_CUDA_CBC_PATH=") + path + solve);
    BOOST_TEST(refused.status == 69);
    BOOST_TEST(!isPoisoned(refused), refused.errors);
    BOOST_TEST(refused.errors.find(std::string("OSI_CUDA_CBC_PATH is '") + path +
                                   "', but has to be an absolute path") != std::string::npos,
               refused.errors);
  }
  testing::ProgramResult const highs = run("OSI_CUDA_HIGHS=./libhighs.so.1 osi-cuda info");
  BOOST_TEST(!isPoisoned(highs), highs.errors);
  // Whoever names it gets it.
  BOOST_TEST(isPoisoned(run("OSI_CUDA_CBC_PATH=" + bin.string() + solve)));
}

BOOST_FIXTURE_TEST_CASE(set_user_id_programs_ignore_the_variables, Poisoned) {
  fs::path const program = bin / "osi-cuda-of-another";
  fs::copy_file(testing::osiCudaProgram(), program);
  constexpr unsigned nobody = 65534;
  if (geteuid() != 0 || chown(program.c_str(), nobody, nobody) != 0 ||
      chmod(program.c_str(), 04755) != 0) {
    BOOST_TEST_MESSAGE("skipped: only root makes a program another user's");
    return;
  }
  fs::remove(bin / "OsiCudaCbc.so");  // whose place is that of this program's modules
  fs::remove(root.path() / "lib/osi-cuda/OsiCudaCbc.so");
  fs::remove(bin / "OsiCudaEngine.so");
  fs::remove(root.path() / "lib/osi-cuda/OsiCudaEngine.so");
  for (std::string const command :
       {"OSI_CUDA_CBC_PATH=MODULE PROGRAM solve --integers --search cbc ../model.lp",
        "OSI_CUDA_ENGINE_PATH=MODULE PROGRAM solve --engine cuda "
        "../model.lp"}) {
    auto const with = [&](std::string const& name) {
      std::string words = command;
      words.replace(words.find("MODULE"), 6, OSI_CUDA_POISONED_MODULE);
      return run(words.replace(words.find("PROGRAM"), 7, name));
    };
    BOOST_TEST(isPoisoned(with("osi-cuda")), "the variable counts for an ordinary program");
    testing::ProgramResult const result = with(program.string());
    BOOST_TEST(result.status == 69, result.errors);
    BOOST_TEST(!isPoisoned(result), result.errors);
  }
}

BOOST_AUTO_TEST_SUITE_END()
