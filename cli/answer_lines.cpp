// SPDX-License-Identifier: EPL-2.0
#include "cli/answer_lines.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "readers/solution_file.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

constexpr std::size_t longestExcerpt = 40;  // bytes of a line in an error message

bool isFinished(Status status) {
  return status != Status::timeLimit && status != Status::interrupted;
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double numberAt(nlohmann::ordered_json const& line, char const* key) {
  auto const place = line.find(key);
  return place != line.end() && place->is_number() ? place->get<double>() : nothing;
}
std::string textAt(nlohmann::ordered_json const& line, char const* key) {
  auto const place = line.find(key);
  return place != line.end() && place->is_string() ? place->get<std::string>() : std::string();
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
  read(readers::LineSource::ofFile(path));
}

void FinishedAnswers::read(readers::LineSource lines) {
  while (lines.next()) {
    std::string const line(lines.line());
    auto const json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("index") || !json["index"].is_number_unsigned() ||
        !json.contains("status") || !json["status"].is_string())
      lines.failAt(lines.lineNumber(), 1, "an answer of osi-cuda batch",
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
    throw Failure(ExitStatus::badInput, "the answers are of another list: problem ", k, " is '",
                  place->second.label, "' there and '", label, "' here");
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
      text.append(piece.data(), at(got));
    }
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    if (ftruncate(file_, static_cast<off_t>(text.size())) != 0) fail();
    finished_.read(readers::LineSource::ofText(text, path_));
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
    if (written > 0) done += at(written);
  }
}

ResultArrays::ResultArrays(std::string const& path, std::size_t count, std::size_t columns,
                           std::size_t rows)
    : path_(path),
      columns_(columns),
      rows_(rows),
      names_(count),
      status_(count),
      proof_(count),
      objective_(count, nothing),
      residual_(count, nothing),
      x_(count * columns, nothing),
      y_(count * rows, nothing),
      iterations_(count, 0) {
  relaxed_.fill(std::vector<std::int64_t>(count, 0));
}

void ResultArrays::put(std::size_t k, std::string const& name, nlohmann::ordered_json const& line,
                       std::vector<double> const& x, std::vector<double> const& y) {
  std::lock_guard const lock(mutex_);
  names_[k] = name;
  status_[k] = textAt(line, "status");
  proof_[k] = textAt(line, "proof");
  objective_[k] = numberAt(line, "objective");
  residual_[k] = numberAt(line, "residual");
  iterations_[k] = line.value("iterations", std::int64_t{0});
  for (std::size_t r = 0; r < relaxed_.size(); ++r)
    relaxed_[r][k] = line.value(relaxedCounts[r].key, std::int64_t{0});
  if (x.size() == columns_) std::ranges::copy(x, x_.begin() + std::ptrdiff_t(k * columns_));
  if (y.size() == rows_) std::ranges::copy(y, y_.begin() + std::ptrdiff_t(k * rows_));
}

void ResultArrays::write() {
  std::size_t const count = status_.size();
  readers::NpzFile file(path_);
  file.add("status", status_);
  file.add("objective", {count}, objective_);
  file.add("iterations", {count}, iterations_);
  file.add("proof", proof_);
  file.add("residual", {count}, residual_);
  file.add("names", names_);
  for (std::size_t r = 0; r < relaxed_.size(); ++r)
    file.add(relaxedCounts[r].key, {count}, relaxed_[r]);
  if (columns_ > 0) file.add("x", {count, columns_}, x_);
  if (rows_ > 0) file.add("y", {count, rows_}, y_);
  file.close();
}

}  // namespace osi_cuda::cli
