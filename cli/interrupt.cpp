// SPDX-License-Identifier: EPL-2.0
#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

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

}  // namespace osi_cuda::cli
