// SPDX-License-Identifier: EPL-2.0
#include "readers/random_access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "readers/input.hpp"

namespace osi_cuda::readers {
namespace {

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
      space = space.subspan(static_cast<std::size_t>(count));
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
