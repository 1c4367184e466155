// SPDX-License-Identifier: EPL-2.0
#include "shell/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <system_error>

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

fs::path folderOf(fs::path const& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A new, empty file in the folder of `target`; removed unless it has taken the target's place.
class TemporaryFile {
 public:
  TemporaryFile(fs::path const& target, std::string const& shownPath) : shownPath_(shownPath) {
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
      path_ = folderOf(target) / (".osi-cuda-" + std::to_string(getpid()) + "-" +
                                  std::to_string(i) + "." + target.filename().string());
      int const file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file < 0 && errno == EEXIST) continue;
      if (file < 0) fail(shownPath, errno);
      close(file);
      return;
    }
    fail(shownPath, EEXIST);
  }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }

  fs::path const& path() const { return path_; }

  void replace(fs::path const& target) {
    struct stat old {};
    if (stat(target.c_str(), &old) == 0) chmod(path_.c_str(), old.st_mode & 07777);
    int const file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    bool const stored = file >= 0 && fsync(file) == 0;  // a rename must not overtake the content
    int const code = errno;
    if (file >= 0) close(file);
    if (!stored) fail(shownPath_, code);
    if (rename(path_.c_str(), target.c_str()) != 0) fail(shownPath_, errno);
    path_.clear();
    storeFolder(folderOf(target));
  }

 private:
  // So that the new name survives a crash of the system as well. The file itself is stored: where a
  // file system can't do this, nothing has failed.
  static void storeFolder(fs::path const& folder) {
    int const file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
  }

  std::string shownPath_;
  fs::path path_;
};

bool isStandardOutput(std::string const& path) {
  return path == "-" || path == "/dev/stdout";
}

void writeTo(fs::path const& file, std::string const& shownPath,
             std::function<void(fs::path const& file)> const& write) {
  try {
    write(file);
  } catch (Failure const&) {
    throw;
  } catch (std::exception const& error) {
    std::string const sentence = error.what();
    std::string const prefix = file.string() + ": ";  // the reason without the temporary name
    bool const hasPrefix = sentence.rfind(prefix, 0) == 0;
    fail(shownPath, hasPrefix ? sentence.substr(prefix.size()) : sentence);
  }
}

}  // namespace

void checkWritable(std::string const& path) {
  if (isStandardOutput(path)) return;
  struct stat about {};
  if (stat(path.c_str(), &about) == 0) {
    if (S_ISDIR(about.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(about.st_mode)) return;
  }
  // A new file takes the place of an old one, so it is the folder that must be writable.
  std::error_code ignored;
  fs::path const target = fs::weakly_canonical(path, ignored);
  if (path.empty()) fail(path, ENOENT);
  if (access(folderOf(target).c_str(), W_OK | X_OK) != 0) fail(path, errno);
}

void writeFile(std::string const& path, std::function<void(fs::path const& file)> const& write) {
  if (isStandardOutput(path)) {
    std::cout.flush();
    writeTo("-", path, write);
    return;
  }
  checkWritable(path);
  struct stat about {};
  if (stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    writeTo(path, path, write);
    return;
  }
  std::error_code ignored;
  fs::path const target = fs::weakly_canonical(path, ignored);  // a link stays one
  TemporaryFile temporary(target, path);
  writeTo(temporary.path(), path, write);
  temporary.replace(target);
}

void writeTextFile(std::string const& path, std::string const& text) {
  writeFile(path, [&](fs::path const& file) {
    if (file == "-") {
      std::cout << text;
      return;
    }
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) fail(path, errno != 0 ? errno : EIO);
  });
}

}  // namespace osi_cuda::shell
