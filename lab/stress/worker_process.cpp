// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

extern char** environ;

namespace osi_cuda::stress {

void WorkerProcess::start() {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to a worker");
  if (pipe2(up, O_CLOEXEC) != 0) {
    close(down[0]);
    close(down[1]);
    throw std::runtime_error("no pipe from a worker");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], 0);
  posix_spawn_file_actions_adddup2(&actions, up[1], 3);
  // Solvers print.
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : command_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int const fault =
      posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(down[0]);
  close(up[1]);
  requests_ = down[1];
  replies_ = up[0];
  pending_.clear();
  if (fault != 0) {
    process_ = -1;
    end();
    throw std::runtime_error("the worker " + command_[0] + " can't be started");
  }
}

void WorkerProcess::end() {
  if (requests_ >= 0) close(requests_);
  if (replies_ >= 0) close(replies_);
  requests_ = replies_ = -1;
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = -1;
}

WorkerProcess::Reply WorkerProcess::ask(std::string const& request, double seconds) {
  if (process_ < 0) start();
  using Clock = std::chrono::steady_clock;
  auto const deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(seconds));
  std::string const line = request + "\n";
  // A request is shorter than what a pipe takes at once.
  if (write(requests_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    end();
    return {Outcome::crashed, ""};
  }
  for (;;) {
    if (auto const found = pending_.find('\n'); found != std::string::npos) {
      Reply reply{Outcome::replied, pending_.substr(0, found)};
      pending_.erase(0, found + 1);
      return reply;
    }
    auto const left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{replies_, POLLIN, 0};
    int const ready = poll(&wait, 1, static_cast<int>(std::clamp<long long>(left, 0, 1000)));
    if (ready > 0) {
      char block[4096];
      auto const count = read(replies_, block, sizeof block);
      if (count <= 0) {
        end();
        return {Outcome::crashed, ""};
      }
      pending_.append(block, static_cast<std::size_t>(count));
    } else if (left <= 0) {
      end();
      return {Outcome::late, ""};
    }
  }
}

}  // namespace osi_cuda::stress
