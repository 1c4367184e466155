// SPDX-License-Identifier: EPL-2.0
#include "examples/response/saved_state.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "examples/common/failure.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;
using examples::Failure;

// The file: the magic line, then in the machine's order of bytes the file's length, the problem's
// checksum and words, the stage, and for each dataset its name and content, texts and contents
// after their lengths; at the end the checksum of all before it.
constexpr char magic[] = "response state 1\n";
constexpr std::size_t magicSize = sizeof magic - 1;

class Packer {
 public:
  void bytes(void const* data, std::size_t size) {
    auto const* const first = static_cast<char const*>(data);
    text_.append(first, size);
  }
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void block(void const* data, std::size_t size) {
    number(size);
    bytes(data, size);
  }
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

class Unpacker {
 public:
  Unpacker(std::string const& path, std::string const& text) : path_(path), text_(text) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::span<char const> block() {
    std::uint64_t const size = number();
    return {take(size), std::size_t(size)};
  }
  char const* take(std::uint64_t size) {
    if (size > text_.size() - at_)
      throw Failure(ExitStatus::badInput,
                    "'" + path_ + "': the saved state ends before its data do");
    at_ += size;
    return text_.data() + (at_ - size);
  }
  std::size_t left() const { return text_.size() - at_; }

 private:
  std::string const& path_;
  std::string const& text_;
  std::size_t at_ = 0;
};

std::uint64_t checksumOf(std::string const& text, std::size_t size) {
  Checksum sum;
  sum.add(std::as_bytes(std::span(text.data(), size)));
  return sum.value();
}

std::string contentOf(std::string const& path) {
  if (!std::filesystem::is_regular_file(path))
    throw Failure(ExitStatus::noInput, "can't read '" + path + "': it is no regular file");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    throw Failure(ExitStatus::noInput,
                  "can't read '" + path + "': " + std::generic_category().message(errno));
  return text;
}

}  // namespace

void Checksum::add(std::span<std::byte const> bytes) {
  constexpr std::uint64_t prime = 0x100000001b3ull;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    value_ = (value_ ^ word) * prime;
    value_ ^= value_ >> 32;  // high bits of a word reach the low ones of the sum
  }
  for (; at < bytes.size(); ++at) value_ = (value_ ^ std::uint64_t(bytes[at])) * prime;
}

void saveState(std::string const& path, Loop const& loop, int stage,
               ProblemIdentity const& problem) {
  Packer body;
  body.number(problem.checksum);
  body.block(problem.words.data(), problem.words.size());
  body.number(std::uint64_t(stage));
  std::vector<int> const live = loop.liveBefore(stage);
  body.number(live.size());
  for (int const k : live) {
    Dataset const& data = loop.datasets()[k];
    body.block(data.name.data(), data.name.size());
    body.block(data.memory.data(), data.memory.size());
  }
  Packer file;
  file.bytes(magic, magicSize);
  file.number(magicSize + sizeof(std::uint64_t) + body.text().size() + sizeof(std::uint64_t));
  file.bytes(body.text().data(), body.text().size());
  file.number(checksumOf(file.text(), file.text().size()));
  shell::writeTextFile(path, file.text());
}

int loadState(std::string const& path, Loop const& loop, ProblemIdentity const& problem) {
  auto const refuse = [&](std::string const& why) {
    throw Failure(ExitStatus::badInput, "'" + path + "': " + why);
  };
  std::string const text = contentOf(path);
  if (text.compare(0, magicSize, magic) != 0) refuse("this is no saved state of response run");
  Unpacker unpacker(path, text);
  unpacker.take(magicSize);
  std::uint64_t sum = 0;
  if (unpacker.number() > text.size() || unpacker.left() < sizeof sum)
    refuse("the saved state ends before its data do");
  std::memcpy(&sum, text.data() + text.size() - sizeof sum, sizeof sum);
  if (sum != checksumOf(text, text.size() - sizeof sum))
    refuse("the saved state was changed since it was written: its checksum does not fit");
  std::uint64_t const checksum = unpacker.number();
  auto const words = unpacker.block();
  if (checksum != problem.checksum)
    refuse("the state belongs to another problem (" + std::string(words.begin(), words.end()) +
           "; this one is " + problem.words + ")");
  auto const stage = unpacker.number(), count = unpacker.number();
  std::vector<std::pair<std::span<char const>, std::span<char const>>> found;
  for (std::uint64_t k = 0; k < count; ++k) {
    auto const name = unpacker.block();
    found.emplace_back(name, unpacker.block());
  }
  if (stage >= loop.stages().size()) refuse("the saved state stands at no stage of the loop");
  std::vector<int> const live = loop.liveBefore(int(stage));
  bool fits = live.size() == found.size();
  for (std::size_t k = 0; fits && k < live.size(); ++k) {
    Dataset const& data = loop.datasets()[live[k]];
    fits = std::string(found[k].first.begin(), found[k].first.end()) == data.name &&
           found[k].second.size() == data.memory.size();
  }
  if (!fits) refuse("the saved state has other data than the loop needs there");
  for (std::size_t k = 0; k < live.size(); ++k)
    std::memcpy(loop.datasets()[live[k]].memory.data(), found[k].second.data(),
                found[k].second.size());
  return int(stage);
}

}  // namespace osi_cuda::response
