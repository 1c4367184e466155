// SPDX-License-Identifier: EPL-2.0
#include "tests/support/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

extern char** environ;

namespace osi_cuda::testing {
namespace {

constexpr auto pollInterval = std::chrono::milliseconds(10);

int exitStatusOf(int waitStatus) {
  constexpr int shellBase = 128;
  return WIFEXITED(waitStatus) ? WEXITSTATUS(waitStatus) : shellBase + WTERMSIG(waitStatus);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "osi-cuda-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(std::string const& name, std::string const& text) const {
  std::ofstream out(path_ / name, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("can't write " + file(name));
  return file(name);
}

std::string readWholeFile(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("can't read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Program::Program(std::vector<std::string> const& words, std::string const& input) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  int const create = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, 0, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, folder_.file("out").c_str(), create, 0600);
  posix_spawn_file_actions_addopen(&files, 2, folder_.file("err").c_str(), create, 0600);
  std::vector<std::string> copies = words;
  std::vector<char*> pointers;
  pointers.reserve(copies.size() + 1);
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int const fault = posix_spawnp(&process_, pointers[0], &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (fault != 0) throw std::system_error(fault, std::generic_category(), words[0]);
}

Program::~Program() {
  if (!running()) return;
  signal(SIGKILL);
  wait();
}

int Program::threads() const {
  std::filesystem::directory_iterator const tasks("/proc/" + std::to_string(process_) + "/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

void Program::signal(int number) const {
  kill(process_, number);
}

bool Program::running() {
  if (status_ >= 0) return false;
  int waitStatus = 0;
  if (waitpid(process_, &waitStatus, WNOHANG) != process_) return true;
  status_ = exitStatusOf(waitStatus);
  return false;
}

bool Program::hasSaid(std::string const& text) {
  auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    bool const stillRunning = running();
    if (errors().find(text) != std::string::npos) return true;
    if (!stillRunning) return false;
    std::this_thread::sleep_for(pollInterval);
  }
  return false;
}

int Program::wait() {
  if (status_ >= 0) return status_;
  int waitStatus = 0;
  while (waitpid(process_, &waitStatus, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return status_ = exitStatusOf(waitStatus);
}

std::string osiCudaProgram() {
  return OSI_CUDA_PROGRAM;
}

ProgramResult runOsiCuda(std::vector<std::string> arguments, std::string const& input) {
  arguments.insert(arguments.begin(), osiCudaProgram());
  Program program(arguments, input);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

}  // namespace osi_cuda::testing
