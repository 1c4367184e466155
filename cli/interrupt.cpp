// SPDX-License-Identifier: EPL-2.0
#include "cli/interrupt.hpp"

#include <linux/close_range.h>
#include <signal.h>
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "osi_cuda/base/concat.hpp"

namespace osi_cuda::cli {
namespace {

std::atomic<bool> signalSeen{false};
std::atomic<bool> checkpointWanted{false};
bool quickEndWanted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

extern "C" void onSignal(int number) {
  constexpr int shellBase = 128;  // how shells report a program that a signal has ended
  if (signalSeen.exchange(true)) _exit(shellBase + number);
}

extern "C" void onCheckpointRequest(int) {
  checkpointWanted = true;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void catchInterrupts() {
  handle(SIGINT, onSignal);
  handle(SIGTERM, onSignal);
}

void catchCheckpointRequests() {
  handle(SIGUSR1, onCheckpointRequest);
}

bool checkpointRequested() {
  // Asked often: the plain look first.
  return checkpointWanted.load(std::memory_order_relaxed) && checkpointWanted.exchange(false);
}

bool interrupted() {
  return signalSeen.load(std::memory_order_relaxed);
}

void endQuickly() {
  quickEndWanted = true;
}

bool endsQuickly() {
  return quickEndWanted;
}

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
  setenv(variable, concat(seconds, ' ', reason).c_str(), 1);
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
