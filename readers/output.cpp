// SPDX-License-Identifier: EPL-2.0
#include "readers/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 18;

[[noreturn]] void failWith(std::string const& path, int code) {
  throw WriteError(path + ": " + std::generic_category().message(code));
}

/// With the slash at its end.
std::string folderOf(std::string const& path) {
  std::size_t const slash = path.rfind('/');
  return slash == path.npos ? "./" : path.substr(0, slash + 1);
}

}  // namespace

// By the system's calls: <filesystem> has a std::quoted, which would be taken for ours.
std::string replacedFile(std::string const& path) {
  struct stat about {};
  if (path.empty() || path == "-") return {};
  if (stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) return {};
  constexpr int mostLinks = 40;  // the kernel's number
  std::string file = path;
  for (int link = 0; link < mostLinks; ++link) {
    std::string folder = folderOf(file);
    if (char* const canonical = realpath(folder.c_str(), nullptr)) {
      folder = canonical;
      if (folder.back() != '/') folder += '/';
      file = folder + file.substr(file.rfind('/') + 1);  // npos + 1 is 0
      std::free(canonical);
    }
    // A system where /dev/stdout is no link keeps what stands there.
    if (file.starts_with("/proc/") || (file.starts_with("/dev/") && !file.starts_with("/dev/shm/")))
      return {};
    char next[PATH_MAX];
    ssize_t const length = readlink(file.c_str(), next, sizeof next);
    if (length < 0) return file;
    std::string const target(next, at(length));
    file = target.starts_with('/') ? target : folder + target;
  }
  return {};
}

template <class Real>
std::string shortestOf(Real value) {
  char digits[60];
  auto const [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  return code == std::errc{} ? std::string(digits, end) : std::string();
}
std::string shortest(double value) {
  return shortestOf(value);
}
std::string shortest(long double value) {
  return shortestOf(value);
}

Output::Output(std::string const& path) : path_(path == "-" ? "standard output" : path) {
  if (path == "-" || path == "/dev/stdout") {
    file_ = stdout;
    return;
  }
  target_ = replacedFile(path);
  if (target_.empty())
    file_ = std::fopen(path.c_str(), "we");
  else
    openBeside();
  if (!file_) failWith(path_, errno);
}

Output::~Output() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

/// Leaves file_ null, with the reason in errno, where there can be none.
void Output::openBeside() {
  if (access(target_.c_str(), W_OK) != 0 && errno != ENOENT) return;
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    std::string const name = concat(folderOf(target_), ".osi-cuda-", getpid(), "-", i);
    int const file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return;
    beside_ = name;
    file_ = fdopen(file, "w");
    if (!file_) ::close(file);
    return;
  }
}

/// Once the text is in the file beside.
void Output::takePlace() {
  int const file = fileno(file_);
  struct stat old {};
  if (stat(target_.c_str(), &old) == 0) {
    bool const sameOwner = fchown(file, old.st_uid, old.st_gid) == 0;
    fchmod(file, old.st_mode & (sameOwner ? 07777 : 0777));
  }
  if (fsync(file) != 0) failWith(path_, errno);  // the rename must not overtake the content
  std::FILE* const whole = std::exchange(file_, nullptr);
  if (std::fclose(whole) != 0) failWith(path_, errno);
  if (rename(beside_.c_str(), target_.c_str()) != 0) failWith(path_, errno);
  beside_.clear();
  // So that the new name survives a crash of the system as well; where a file system can't do this,
  // nothing has failed.
  int const folder = open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  ::close(folder);
}

Output& Output::operator<<(std::string_view text) {
  if (file_ && text.size() >= blockSize) {  // not copied: a whole file may come at once
    flush();
    writeOut(text);
    return *this;
  }
  buffer_ += text;
  if (file_ && buffer_.size() >= blockSize) flush();
  return *this;
}

Output& Output::operator<<(char c) {
  return *this << std::string_view(&c, 1);
}

Output& Output::operator<<(double value) {
  return *this << shortest(value);
}

Output& Output::operator<<(int value) {
  return *this << std::to_string(value);
}

void Output::writeOut(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failWith(path_, errno);
}

void Output::flush() {
  writeOut(buffer_);
  buffer_.clear();
}

void Output::close() {
  if (!file_) return;
  flush();
  if (std::fflush(file_) != 0) failWith(path_, errno);
  if (!beside_.empty()) return takePlace();
  std::FILE* const file = std::exchange(file_, nullptr);
  if (file != stdout && std::fclose(file) != 0) failWith(path_, errno);
}

void writeWhole(std::string const& path, std::string_view text) {
  Output out(path);
  out << text;
  out.close();
}

}  // namespace osi_cuda::readers
