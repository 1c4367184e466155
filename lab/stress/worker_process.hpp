// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace osi_cuda::stress {

/// A worker (worker.hpp) in a process of its own, so that a solve that crashes or does not end
/// costs that solve and no more. One thread at a time.
class WorkerProcess {
 public:
  enum class Outcome { replied, crashed, late };
  struct Reply {
    Outcome outcome = Outcome::crashed;
    std::string line;
  };

  /// `command`: program and arguments of the worker; it is started when it is first needed.
  explicit WorkerProcess(std::vector<std::string> command) : command_(std::move(command)) {}
  ~WorkerProcess() { end(); }
  WorkerProcess(WorkerProcess const&) = delete;
  WorkerProcess& operator=(WorkerProcess const&) = delete;

  /// Sends a line and waits for the reply, at most so many seconds. After `crashed` and `late` the
  /// process is gone, and the next request starts a new one. Throws std::runtime_error where no
  /// process can be started.
  Reply ask(std::string const& request, double seconds);

 private:
  void start();
  void end();

  std::vector<std::string> command_;
  pid_t process_ = -1;
  int requests_ = -1, replies_ = -1;
  std::string pending_;
};

}  // namespace osi_cuda::stress
