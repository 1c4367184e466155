// SPDX-License-Identifier: EPL-2.0
#include <cstdio>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "osi_cuda/engine/device_opening.hpp"
#include "shell/command.hpp"

// OpenBLAS asks these two functions when it is loaded, and finds the program's own first. By itself
// it starts a thread for each core, all of which look for work for a tenth of a second and slow a
// short solve down; BlasThreads has them started once there is work.
extern "C" int openblas_num_threads_env() {
  return 1;
}

/// For how long an idle thread looks for work, as a power of two in ticks of the clock: about as
/// long as waking it takes.
extern "C" unsigned openblas_thread_timeout() {
  return 17;
}

int main(int count, char** words) {
  using namespace osi_cuda::cli;
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
