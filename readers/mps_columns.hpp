// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/name_table.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {

/// Puts the entries of a column, rows and values, into the order of rows.
void sortByRow(std::span<int> rows, std::span<double> values);

/// The rows of a file as the lines of COLUMNS ask for them: mostly the one after the last.
class RowFinder {
 public:
  RowFinder() = default;
  /// `names` must outlive the finder and not change.
  explicit RowFinder(NameTable const& names);

  int size() const { return static_cast<int>(keys_.size()); }
  /// Does the name of `row` stand at `place`, with a blank behind it? Bytes up to `end`, and eight
  /// more, can be read. Returns what is behind the name, or null.
  char const* match(int row, char const* place, char const* end) const;
  int find(std::string_view name) const { return names_->find(name); }

 private:
  struct Key {
    std::uint64_t start;  // the first eight bytes, zeros behind a shorter name
    std::uint64_t mask;   // of the bytes that count
    std::uint32_t length;
  };
  NameTable const* names_ = nullptr;
  std::vector<Key> keys_;
};

/// What some lines of section COLUMNS say, found out without the lines before them: columns as runs
/// of lines with one name, and their entries one after the other. Memory is kept for the next use.
class ColumnPiece {
 public:
  enum class Integers : char { asBefore, begin, end };

  struct Run {
    std::string_view name;
    std::int64_t firstEntry = 0;  ///< of the piece
    std::size_t offset = 0;       ///< of its first line in the piece, in bytes and in lines
    std::int64_t line = 0;
    double cost = 0.0;
    bool hasCost = false;                    ///< the objective row is mentioned
    Integers integers = Integers::asBefore;  ///< what the last mark in the piece before it says
  };

  std::vector<Run> runs;
  std::int64_t entries = 0;
  std::unique_ptr<int[]> rows;       ///< of the model, per entry
  std::unique_ptr<double[]> values;  ///< not 0
  /// All rows of the file that the first and the last run mention: they may be parts of a column.
  std::vector<int> firstRows, lastRows;
  std::size_t bytes = 0;  ///< of the text, whole lines that are understood; the next one is not
  std::int64_t lines = 0;
  Integers integers = Integers::asBefore;  ///< at the end
  MpsLayout layout = MpsLayout::free;      ///< the one it was read in

  void clear(std::size_t textBytes);
  std::int64_t firstEntryBehind(std::size_t run) const {
    return run + 1 < runs.size() ? runs[run + 1].firstEntry : entries;
  }

 private:
  std::size_t room_ = 0;  // entries that rows and values have room for
};

/// Reads lines of section COLUMNS that need no care. A line that makes no sense, that ends the
/// section, that has a comment behind its fields, or that repeats a row of its column ends the
/// piece: whoever knows the lines before it reads on from there and says what is wrong. So pieces
/// can be read in any order, and errors are those of reading line by line.
class ColumnScanner {
 public:
  /// What a row of the file is besides a row of the model.
  static constexpr int objectiveRow = -1;
  static constexpr int droppedRow = -2;

  /// `modelRows`: per row of the file its row in the model, or one of the above. `layout` is free
  /// or fixed; `encoded` numbers are those of CoinUtils. All must outlive the scanner.
  ColumnScanner(RowFinder const& rows, std::vector<int> const& modelRows, MpsLayout layout,
                bool encoded)
      : rowFinder_(rows), modelRows_(modelRows), layout_(layout), encoded_(encoded) {}

  /// `text` is whole lines with blockPadding readable bytes behind it, a line end the first of them
  /// or the last of the text.
  void scan(std::string_view text, ColumnPiece& piece);

 private:
  struct Pair {
    int row;
    double value;
  };
  struct Line {
    std::string_view name;
    bool sameColumn = false;
    bool isMarker = false;
    bool startsIntegers = false;
    int count = 0;
    Pair pairs[2];
  };

  bool dataLine();
  bool freeLine(Line& line);
  bool fixedLine(Line& line);
  bool takePair(Line& line);
  bool takeNumber(double& value);
  bool marker(std::string_view kind, bool isLast, Line& line) const;
  bool number(std::string_view word, double& value) const;
  bool apply(Line const& line);
  void startRun(std::string_view name);
  bool finishRun(bool isLast);

  bool atLineEnd() const { return *place_ == '\n' || (*place_ == '\r' && place_[1] == '\n'); }
  void skipBlanks() {
    while (*place_ == ' ' || *place_ == '\t') ++place_;
  }
  std::string_view word();

  RowFinder const& rowFinder_;
  std::vector<int> const& modelRows_;
  MpsLayout layout_;
  bool encoded_;

  char const* place_ = nullptr;
  char const* end_ = nullptr;
  ColumnPiece* piece_ = nullptr;
  std::size_t lineOffset_ = 0;  // of the present line in the piece
  std::vector<int> runRows_;    // rows of the file in the present run
  bool ascending_ = true;       // they are so far
  int lastRow_ = NameTable::absent;
};

/// The pieces of section COLUMNS, from the present place of a source on, each read by whichever
/// thread is free. They are handed out in order.
class MpsColumnPieces {
 public:
  /// All must outlive the object, and not change.
  MpsColumnPieces(LineSource& source, NameTable const& rows, std::vector<int> const& modelRows,
                  bool encoded)
      : source_(source), finder_(rows), modelRows_(modelRows), encoded_(encoded) {}

  /// What source.piece(0) says, of which nothing was taken since the last call.
  std::unique_ptr<ColumnPiece> take(MpsLayout layout);
  /// To use its memory again.
  void giveBack(std::unique_ptr<ColumnPiece> piece);

 private:
  std::unique_ptr<ColumnPiece> scanned(TextPiece const& text, MpsLayout layout);

  LineSource& source_;
  RowFinder finder_;
  std::vector<int> const& modelRows_;
  bool encoded_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ColumnPiece>> spare_;
  std::deque<std::future<std::unique_ptr<ColumnPiece>>> ahead_;  // the first: of source.piece(0)
  Workers workers_;  // last: ends before what its tasks use
};

}  // namespace osi_cuda::readers
