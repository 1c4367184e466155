// SPDX-License-Identifier: EPL-2.0
#include "readers/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

/// Owner of a file descriptor; standard input is borrowed.
class FileInput final : public Input {
 public:
  FileInput(std::string const& path, std::function<bool()> interrupted)
      : interrupted_(std::move(interrupted)) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
      return;
    }
    // To open a pipe that nobody writes to would wait for its writer, and nobody could end that.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) throw OpenError(path, errno);
    struct stat about {};
    if (::fstat(descriptor_, &about) == 0 && S_ISDIR(about.st_mode)) {
      ::close(descriptor_);
      throw OpenError(path, EISDIR);
    }
    if (S_ISREG(about.st_mode)) size_ = static_cast<std::uint64_t>(about.st_size);
  }
  FileInput(FileInput const&) = delete;
  FileInput& operator=(FileInput const&) = delete;
  ~FileInput() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(std::span<char> space) override {
    for (;;) {
      if (interrupted_ && interrupted_()) throw ReadInterrupted();
      waitForBytes();
      ssize_t const count = ::read(descriptor_, space.data(), space.size());
      if (count >= 0) return at(count);
      if (errno != EINTR && errno != EAGAIN)
        throw InputFault("readable data", std::generic_category().message(errno));
    }
  }

  std::uint64_t bytesExpected() const override { return size_; }

 private:
  /// Returns when a read would not block: there are bytes, or the last writer of a pipe has gone.
  void waitForBytes() const {
    int const milliseconds = interrupted_ ? 50 : -1;
    pollfd file{descriptor_, POLLIN, 0};
    for (;;) {
      int const ready = ::poll(&file, 1, milliseconds);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
      if (interrupted_ && interrupted_()) throw ReadInterrupted();
    }
  }

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::function<bool()> interrupted_;
};

class TextInput final : public Input {
 public:
  explicit TextInput(std::string_view text) : rest_(text), size_(text.size()) {}

  std::size_t read(std::span<char> space) override {
    std::size_t const count = std::min(space.size(), rest_.size());
    if (count > 0) std::memcpy(space.data(), rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }
  std::uint64_t bytesExpected() const override { return size_; }

 private:
  std::string_view rest_;
  std::uint64_t size_;
};

class FileBytes final : public RandomAccess {
 public:
  FileBytes(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
  FileBytes(FileBytes const&) = delete;
  FileBytes& operator=(FileBytes const&) = delete;
  ~FileBytes() override { ::close(descriptor_); }

  std::uint64_t size() const override { return size_; }
  void readAt(std::uint64_t offset, std::span<char> space) const override {
    while (!space.empty()) {
      ssize_t const count =
          ::pread(descriptor_, space.data(), space.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw InputFault("readable data", std::generic_category().message(errno));
      if (count == 0) throw InputFault("a file that does not change", "its end before its time");
      offset += static_cast<std::uint64_t>(count);
      space = space.subspan(at(count));
    }
  }

 private:
  int descriptor_;
  std::uint64_t size_;
};

class MemoryBytes final : public RandomAccess {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void readAt(std::uint64_t offset, std::span<char> space) const override {
    if (!space.empty()) std::memcpy(space.data(), bytes_.data() + offset, space.size());
  }

 private:
  std::string bytes_;
};

}  // namespace

std::unique_ptr<Input> openFile(std::string const& path, std::function<bool()> interrupted) {
  return std::make_unique<FileInput>(path, std::move(interrupted));
}

std::unique_ptr<Input> openText(std::string_view text) {
  return std::make_unique<TextInput>(text);
}

std::unique_ptr<RandomAccess> openRandomAccess(std::string const& path, std::string_view mark) {
  if (path == "-") return nullptr;
  // A pipe that was opened and closed again has lost what its writer wrote.
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return nullptr;
  int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  bool const isFile = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  auto file = std::make_unique<FileBytes>(descriptor, isFile ? about.st_size : 0);
  std::string start(mark.size(), '\0');
  if (file->size() < mark.size()) return nullptr;
  try {
    file->readAt(0, start);
  } catch (InputFault const&) {
    return nullptr;
  }
  return start == mark ? std::move(file) : nullptr;
}

std::unique_ptr<RandomAccess> randomAccessTo(std::string bytes) {
  return std::make_unique<MemoryBytes>(std::move(bytes));
}

}  // namespace osi_cuda::readers
