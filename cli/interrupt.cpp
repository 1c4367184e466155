// SPDX-License-Identifier: EPL-2.0
#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace osi_cuda::cli {
namespace {

std::atomic<bool> signalSeen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

extern "C" void onSignal(int number) {
  constexpr int shellBase = 128;  // how shells report a program that a signal has ended
  if (signalSeen.exchange(true)) _exit(shellBase + number);
}

}  // namespace

void catchInterrupts() {
  struct sigaction action {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return signalSeen.load(std::memory_order_relaxed);
}

}  // namespace osi_cuda::cli
