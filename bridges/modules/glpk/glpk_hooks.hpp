// SPDX-License-Identifier: EPL-2.0 OR GPL-3.0-or-later
#pragma once

#include <glpk.h>

#include <chrono>
#include <csetjmp>
#include <cstring>
#include <functional>

// How GLPK is stopped and how its fatal errors are caught. Not installed.

namespace osi_cuda {

/// What the hooks share with the solve they belong to. No constructors run between setjmp and
/// longjmp, so nothing here may need one there.
struct GlpkWatch {
  std::jmp_buf out;
  std::function<bool()> const* interrupted = nullptr;
  std::chrono::steady_clock::time_point deadline;
  bool timedOut = false;
  bool wasInterrupted = false;
  char lastLine[240] = {};
};

/// Called by GLPK's error handling; GLPK expects that it does not return.
inline void jumpOut(void* info) {
  std::longjmp(static_cast<GlpkWatch*>(info)->out, 1);
}

/// Called for every text GLPK prints, several times a second while it solves: the one place where
/// a solve can be asked to stop, interior point included. Never prints.
inline int listen(void* info, char const* text) {
  auto* watch = static_cast<GlpkWatch*>(info);
  if (text[0] != '\n' && text[0] != '\0')
    std::strncpy(watch->lastLine, text, sizeof watch->lastLine - 1);
  if (watch->timedOut || watch->wasInterrupted) return 1;  // on its way out
  if (watch->interrupted && *watch->interrupted && (*watch->interrupted)())
    watch->wasInterrupted = true;
  if (std::chrono::steady_clock::now() > watch->deadline) watch->timedOut = true;
  if (watch->timedOut || watch->wasInterrupted) glp_error("stopped\n");
  return 1;
}

/// Calls step(job) so that GLPK's fatal errors come back as false. Between setjmp and longjmp lie
/// only C frames and frames without destructors.
template <class Job>
bool guarded(GlpkWatch& watch, void (*step)(Job&), Job& job) {
  if (setjmp(watch.out) != 0) return false;
  step(job);
  return true;
}

}  // namespace osi_cuda
