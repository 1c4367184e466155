// SPDX-License-Identifier: EPL-2.0
#include "cli/answer_lines.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "readers/solution_text.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

constexpr std::size_t longestExcerpt = 40;  // bytes of a line in an error message

bool isFinished(Status status) {
  return status != Status::timeLimit && status != Status::interrupted;
}

}  // namespace

Part parsePart(std::string const& text) {
  Part part;
  if (text.empty()) return part;
  if (std::size_t const slash = text.find('/'); slash != text.npos) {
    part.number = readers::wholeNumber<std::size_t>(text.substr(0, slash)).value_or(0);
    part.of = readers::wholeNumber<std::size_t>(text.substr(slash + 1)).value_or(0);
    if (part.number >= 1 && part.number <= part.of) return part;
  }
  throw Failure(ExitStatus::usage, "--part: expected I/N with 1 <= I <= N, found '" + text + "'");
}

void FinishedAnswers::read(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw readers::OpenError(path, errno);
  read(text, path);
}

void FinishedAnswers::read(std::string_view text, std::string const& path) {
  for (int number = 1; !text.empty(); ++number) {
    std::size_t const length = std::min(text.find('\n'), text.size());
    std::string const line(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    auto const json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("index") || !json["index"].is_number_unsigned() ||
        !json.contains("status") || !json["status"].is_string())
      throw readers::ReadError(path, number, 1, "an answer of osi-cuda batch",
                               line.substr(0, longestExcerpt));
    auto const index = json["index"].get<std::size_t>();
    Answer answer{line, json.value(json.contains("file") ? "file" : "name", "")};
    answers_.erase(index);
    if (readers::parseStatus(json["status"].get<std::string>(), answer.status) &&
        isFinished(answer.status))
      answers_.emplace(index, std::move(answer));
  }
}

FinishedAnswers::Answer const* FinishedAnswers::find(std::size_t k,
                                                     std::string const& label) const {
  auto const place = answers_.find(k);
  if (place == answers_.end()) return nullptr;
  if (place->second.label != label)
    throw Failure(ExitStatus::badInput, "the answers are of another list: problem " +
                                            std::to_string(k) + " is '" + place->second.label +
                                            "' there and '" + label + "' here");
  return &place->second;
}

AnswerFile::AnswerFile(std::string path) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail();
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        throw Failure(ExitStatus::cannotWrite, path_ + ": another process writes answers to it");
      fail();
    }
    std::string text;
    std::array<char, 1 << 16> piece;
    for (ssize_t got = 0; (got = ::read(file_, piece.data(), piece.size())) != 0;) {
      if (got < 0) fail();
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    if (ftruncate(file_, static_cast<off_t>(text.size())) != 0) fail();
    finished_.read(text, path_);
  } catch (...) {
    close(file_);
    throw;
  }
}

AnswerFile::~AnswerFile() {
  close(file_);
}

void AnswerFile::fail() const {
  throw Failure(ExitStatus::cannotWrite, path_ + ": " + std::strerror(errno));
}

void AnswerFile::add(std::string const& line) {
  std::string const whole = line + '\n';
  std::lock_guard const lock(mutex_);
  for (std::size_t done = 0; done < whole.size();) {
    ssize_t const written = write(file_, whole.data() + done, whole.size() - done);
    if (written < 0 && errno != EINTR) fail();
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

}  // namespace osi_cuda::cli
