// SPDX-License-Identifier: EPL-2.0
#include "shell/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "readers/output.hpp"
#include "readers/read_error.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::shell {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string const& path, std::string const& reason) {
  throw Failure(ExitStatus::cannotWrite, "can't write '" + path + "': " + reason);
}

[[noreturn]] void fail(std::string const& path, int code) {
  fail(path, std::generic_category().message(code));
}

/// Both are files that are replaced, and the same one.
bool isSame(std::string const& a, std::string const& b) {
  std::string const first = readers::replacedFile(a), second = readers::replacedFile(b);
  std::error_code none;
  return !first.empty() && (first == second || fs::equivalent(first, second, none));
}

void checkDiffer(NamedFile const& a, NamedFile const& b) {
  if (isSame(a.path, b.path))
    throw Failure(ExitStatus::usage,
                  a.name + " and " + b.name + " are the same file, '" + b.path + "'");
}

}  // namespace

void checkDistinct(std::vector<NamedFile> const& inputs, std::vector<NamedFile> const& outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (NamedFile const& input : inputs)
      if (!isSame(input.path, input.successor)) checkDiffer(input, *output);
    for (auto other = outputs.begin(); other != output; ++other) checkDiffer(*other, *output);
  }
}

void checkOutputs(std::vector<NamedFile> const& inputs, std::vector<NamedFile> const& outputs) {
  checkDistinct(inputs, outputs);
  for (NamedFile const& output : outputs)
    if (!output.path.empty()) checkWritable(output.path);
}

void checkWritable(std::string const& path) {
  std::error_code none;
  if (path.empty()) fail(path, ENOENT);
  if (fs::is_directory(path, none)) fail(path, EISDIR);
  std::string const target = readers::replacedFile(path);
  if (target.empty()) return;
  // A new file takes the place of an old one: it is the folder, too, that must be writable.
  bool const has = access(fs::path(target).parent_path().c_str(), W_OK | X_OK) == 0;
  if (!has || (access(target.c_str(), W_OK) != 0 && errno != ENOENT)) fail(path, errno);
}

void writeFile(std::string const& path, std::function<void()> const& write) {
  try {
    write();
  } catch (readers::WriteError const& error) {
    std::string const sentence = error.what();
    std::string const prefix = path + ": ";
    fail(path, sentence.starts_with(prefix) ? sentence.substr(prefix.size()) : sentence);
  }
}

void writeTextFile(std::string const& path, std::string const& text) {
  writeFile(path, [&] { readers::writeWhole(path, text); });
}

}  // namespace osi_cuda::shell
