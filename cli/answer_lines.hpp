// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "readers/line_source.hpp"
#include "readers/npz_file.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

/// A share of a list, for several machines: every `of`-th problem from the `number`-th on.
struct Part {
  std::size_t number = 1, of = 1;

  bool has(std::size_t k) const { return k % of == number - 1; }
};

/// Reads I/N with 1 <= I <= N; empty is 1/1. Throws Failure(usage).
Part parsePart(std::string const& text);

/// What is printed of an answer of a batch, and kept.
struct BatchAnswer {
  nlohmann::ordered_json json;
  shell::ExitStatus status = shell::ExitStatus::optimal;
  std::vector<double> x = {}, y = {};  ///< where points are wanted and there is one

  /// Of a problem; `values`: whether points are wanted. `seconds` < 0: none.
  static BatchAnswer of(LinearProgram const& lp, Solution&& solution, bool hasObjective,
                        bool hasPoint, bool values, double seconds);
  /// Of one variant, from its place in the results.
  static BatchAnswer ofVariant(LinearProgram const& lp, BatchResults const& results, std::size_t k,
                               bool values);
  static BatchAnswer failed(std::string const& sentence, shell::ExitStatus status);

  /// The line of problem k; `label`, its file or name, stands there as `key` unless it is empty.
  std::string line(std::size_t k, char const* key, std::string const& label) const;
};

/// Answers of a batch that are finished: lines of JSON that earlier calls printed. Answers that a
/// limit, the user or a fault of a file ended are left out: their problems are to be solved again.
class FinishedAnswers {
 public:
  struct Answer {
    std::string line, label;
    Status status = Status::optimal;
  };

  /// Adds the lines of a file; a later one of the same index replaces an earlier one. Throws what
  /// readers throw: a fault's place is the line.
  void read(std::string const& path);
  void read(readers::LineSource lines);

  /// The answer of problem k, or null. Throws Failure(badInput) if `label`, its file or name, is
  /// another: the answers are of another list then.
  Answer const* find(std::size_t k, std::string const& label) const;

 private:
  std::map<std::size_t, Answer> answers_;
};

/// A file that gets a line an answer, the moment it is there: what a killed process has finished
/// stays. For one process at a time.
class AnswerFile {
 public:
  /// Opens or makes the file. A line that a killed process left unfinished is cut off. Throws
  /// Failure: cannotWrite, also where another process holds the file.
  explicit AnswerFile(std::string path);
  ~AnswerFile();
  AnswerFile(AnswerFile const&) = delete;
  AnswerFile& operator=(AnswerFile const&) = delete;

  /// Of earlier processes.
  FinishedAnswers const& finished() const { return finished_; }
  /// Any thread may call. Throws Failure(cannotWrite).
  void add(std::string const& line);

 private:
  [[noreturn]] void fail() const;

  std::string const path_;
  int file_ = -1;
  FinishedAnswers finished_;
  std::mutex mutex_;
};

/// Lines come in any order and go out in that of the problems.
class OrderedLines {
 public:
  explicit OrderedLines(std::size_t count) : lines_(count) {}

  void put(std::size_t k, std::string line) {
    std::lock_guard const lock(mutex_);
    lines_[k] = std::move(line);
  }
  /// Writes all lines that no earlier one is missing before.
  void write(std::ostream& out) {
    std::lock_guard const lock(mutex_);
    for (; next_ < lines_.size() && lines_[next_]; ++next_) {
      out << *lines_[next_] << '\n';
      lines_[next_]->clear();
    }
    out.flush();
  }

 private:
  std::vector<std::optional<std::string>> lines_;
  std::size_t next_ = 0;
  std::mutex mutex_;
};

/// The answers of a batch as arrays of a NumPy archive: `status`, `proof` and `names` are texts,
/// `objective` and `residual` numbers with NaN where there is none, `iterations` integers, all of
/// length K; `x` (K x n) and `y` (K x m), where they are wanted, have NaN where there is no
/// optimum.
class ResultArrays {
 public:
  /// `columns` and `rows`, n and m, are 0 where no points are wanted.
  ResultArrays(std::string const& path, std::size_t count, std::size_t columns, std::size_t rows);

  /// Takes the answer of problem k. Any thread may call.
  void put(std::size_t k, std::string const& name, BatchAnswer const& answer);
  /// Throws WriteError.
  void write();

 private:
  std::string const path_;
  std::size_t const columns_, rows_;
  std::vector<std::string> names_, status_, proof_;
  std::vector<double> objective_, residual_, x_, y_;
  std::vector<std::int64_t> iterations_;
  std::array<std::vector<std::int64_t>, std::size(relaxedCounts)> relaxed_;
  std::mutex mutex_;
};

}  // namespace osi_cuda::cli
