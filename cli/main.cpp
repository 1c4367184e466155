// SPDX-License-Identifier: EPL-2.0
#include <cstdio>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/device_opening.hpp"
#include "shell/command.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::cli;
  osi_cuda::BlasThreads::owned();
  std::vector<std::string> const own = ownWords(count, words);
  std::vector<char const*> pointers;
  for (std::string const& word : own) pointers.push_back(word.c_str());
  int const status =
      runProgram("osi-cuda",
                 "Solves linear programs on CUDA devices or the processor and proves every status.",
                 commands(), static_cast<int>(pointers.size()), pointers.data());
  // A device that opens for a race that is over would hold the end up.
  if (!endsQuickly() && !osi_cuda::opensInBackground()) return status;
  std::fflush(nullptr);
  std::_Exit(status);
}
