// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace osi_cuda::testing {

/// Runs a program that lies beside the built osi-cuda.
inline ProgramResult runBeside(std::string const& name, std::vector<std::string> words) {
  words.insert(words.begin(),
               (std::filesystem::path(osiCudaProgram()).parent_path() / name).string());
  Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

}  // namespace osi_cuda::testing
