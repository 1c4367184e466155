// SPDX-License-Identifier: EPL-2.0
#include "cli/new_process.hpp"

#include <linux/close_range.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "cli/interrupt.hpp"

namespace osi_cuda::cli {

static constexpr char const* variable = "OSI_CUDA_BEGUN_AGAIN";  ///< "SECONDS REASON"

bool beginsAgain(Options& options, bool repeatable) {
  bool const again =
      repeatable && options.deviceLoss == DeviceLoss::automatic && predecessor().notice.empty();
  if (again) options.deviceLoss = DeviceLoss::stop;
  return again;
}

void beginAgain(std::string const& reason, double seconds) {
  if (interrupted()) return;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<char*> words;
  for (std::size_t k = 0; k < all.size(); k = all.find('\0', k) + 1) words.push_back(&all[k]);
  words.push_back(nullptr);
  std::cout.flush();
  setenv(variable, (std::to_string(seconds) + ' ' + reason).c_str(), 1);
  // What the driver holds of the devices goes with its files.
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  execv("/proc/self/exe", words.data());
  unsetenv(variable);
}

Predecessor const& predecessor() {
  static Predecessor const known = [] {
    Predecessor found;
    if (char const* const text = std::getenv(variable)) {
      char* rest = nullptr;
      found.seconds = std::strtod(text, &rest);
      found.notice = std::string(*rest == ' ' ? rest + 1 : rest) + "; begun again as a new process";
      unsetenv(variable);
    }
    return found;
  }();
  return known;
}

}  // namespace osi_cuda::cli
