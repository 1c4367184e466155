// SPDX-License-Identifier: EPL-2.0
#include "cli/answer_lines.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "cli/result.hpp"
#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "readers/solution_file.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longestExcerpt = 40;  // bytes of a line in an error message

bool isFinished(Status status) {
  return status != Status::timeLimit && status != Status::interrupted;
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double numberAt(Json const& line, char const* key) {
  auto const place = line.find(key);
  return place != line.end() && place->is_number() ? place->get<double>() : nothing;
}
std::string textAt(Json const& line, char const* key) {
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

BatchAnswer BatchAnswer::of(LinearProgram const& lp, Solution&& s, bool hasObjective, bool hasPoint,
                            bool values, double seconds) {
  BatchAnswer answer;
  Json& json = answer.json;
  json["status"] = toString(s.status);
  if (s.relaxed != RelaxedColumns()) addRelaxed(json, s.relaxed);
  if (!s.message.empty()) json["message"] = s.message;
  json["objective"] = hasObjective ? numberOrNull(s.objective) : Json(nullptr);
  json["iterations"] = s.iterations;
  if (seconds >= 0.0) json["seconds"] = seconds;
  json["proof"] = toString(s.proof);
  json["residual"] = hasPoint ? numberOrNull(s.residuals.largest()) : Json(nullptr);
  if (values && hasPoint) {
    json["columns"] = nonzeros(s.columnValues, [&](int j) { return lp.columnName(j); });
    json["duals"] = nonzeros(s.rowDuals, [&](int i) { return lp.rowName(i); });
  }
  if (values && s.status == Status::optimal) {
    answer.x = std::move(s.columnValues);
    answer.y = std::move(s.rowDuals);
  }
  answer.status = exitStatusOf(s.status);
  return answer;
}

BatchAnswer BatchAnswer::ofVariant(LinearProgram const& lp, BatchResults const& results,
                                   std::size_t k, bool values) {
  auto const note = std::ranges::find(results.notes, k, &BatchNote::problem);
  std::string const sentence = note == results.notes.end() ? "" : note->sentence;
  if (results.status[k] == BatchStatus::invalid) return failed(sentence, ExitStatus::badInput);
  auto const piece = [k](std::vector<double> const& array, std::vector<std::size_t> const& start) {
    return std::vector<double>(array.begin() + std::ptrdiff_t(start[k]),
                               array.begin() + std::ptrdiff_t(start[k + 1]));
  };
  Solution s;
  s.status = static_cast<Status>(results.status[k]);
  s.message = sentence;
  s.relaxed = results.relaxed;
  s.objective = results.objective[k];
  s.iterations = results.iterations[k];
  s.proof = results.proof[k];
  s.residuals.primal = results.residual[k];
  s.columnValues = piece(results.x, results.columnStart);
  s.rowDuals = piece(results.y, results.rowStart);
  bool const optimal = s.status == Status::optimal;
  bool const stopped = s.status == Status::iterationLimit;
  return of(lp, std::move(s), optimal || stopped, optimal, values, -1.0);
}

BatchAnswer BatchAnswer::failed(std::string const& sentence, ExitStatus status) {
  return {{{"status", "error"}, {"message", sentence}, {"exit_status", static_cast<int>(status)}},
          status};
}

std::string BatchAnswer::line(std::size_t k, char const* key, std::string const& label) const {
  Json all;
  all["index"] = k;
  if (!label.empty()) all[key] = label;
  all.update(json);
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
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

void ResultArrays::put(std::size_t k, std::string const& name, BatchAnswer const& answer) {
  Json const& line = answer.json;
  std::lock_guard const lock(mutex_);
  names_[k] = name;
  status_[k] = textAt(line, "status");
  proof_[k] = textAt(line, "proof");
  objective_[k] = numberAt(line, "objective");
  residual_[k] = numberAt(line, "residual");
  iterations_[k] = line.value("iterations", std::int64_t{0});
  for (std::size_t r = 0; r < relaxed_.size(); ++r)
    relaxed_[r][k] = line.value(relaxedCounts[r].key, std::int64_t{0});
  if (answer.x.size() == columns_)
    std::ranges::copy(answer.x, x_.begin() + std::ptrdiff_t(k * columns_));
  if (answer.y.size() == rows_) std::ranges::copy(answer.y, y_.begin() + std::ptrdiff_t(k * rows_));
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
