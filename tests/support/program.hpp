// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace osi_cuda::testing {

/// A folder of its own for the files of one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path path() const { return path_; }
  /// The path of a file in it, written with `text`.
  std::string write(std::string const& name, std::string const& text) const;
  std::string file(std::string const& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string readWholeFile(std::filesystem::path const& path);

/// A child process. What it writes goes into files, so that it never waits for its reader.
class Program {
 public:
  /// Starts `words[0]` (found along PATH) with an empty standard input, or with the bytes of the
  /// file `input`.
  explicit Program(std::vector<std::string> const& words, std::string const& input = "/dev/null");
  ~Program();  ///< kills it if it still runs
  Program(Program const&) = delete;
  Program& operator=(Program const&) = delete;

  void signal(int number) const;
  /// How many threads it has now.
  int threads() const;
  /// Waits until it has written `text` to standard error; false if it ended or a minute passed
  /// without.
  bool hasSaid(std::string const& text);
  /// Waits for its end. The exit status, or 128 + the signal that ended it.
  int wait();

  std::string output() const { return readWholeFile(folder_.file("out")); }
  std::string errors() const { return readWholeFile(folder_.file("err")); }

 private:
  bool running();

  TemporaryFolder folder_;
  int process_ = -1;
  int status_ = -1;
};

/// What a finished program has left.
struct ProgramResult {
  int status = -1;
  std::string output;
  std::string errors;
};

/// Runs the built osi-cuda with these arguments.
ProgramResult runOsiCuda(std::vector<std::string> arguments,
                         std::string const& input = "/dev/null");

/// Path of the built osi-cuda.
std::string osiCudaProgram();

}  // namespace osi_cuda::testing
