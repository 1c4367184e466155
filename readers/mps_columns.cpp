// SPDX-License-Identifier: EPL-2.0
#include "readers/mps_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "readers/fast_number.hpp"
#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::string_view markerWord = "'MARKER'";
constexpr std::uint32_t unmatched = 0;  // length of a name that match() leaves to find()

}  // namespace

void sortByRow(std::span<int> rows, std::span<double> values) {
  std::vector<std::pair<int, double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) entries.emplace_back(rows[k], values[k]);
  std::ranges::sort(entries, {}, &std::pair<int, double>::first);
  for (std::size_t k = 0; k < rows.size(); ++k) std::tie(rows[k], values[k]) = entries[k];
}

RowFinder::RowFinder(NameTable const& names) : names_(&names) {
  keys_.reserve(at(names.size()));
  for (int i = 0; i < names.size(); ++i) {
    std::string const& name = names[i];
    char start[8] = {};
    std::copy_n(name.data(), std::min(name.size(), sizeof start), start);
    std::uint64_t const mask = name.size() >= sizeof start
                                   ? ~std::uint64_t{0}
                                   : (std::uint64_t{1} << (8 * name.size())) - 1;
    // A row of that name is never meant: the word makes the line a mark.
    auto const length = name == markerWord ? unmatched : static_cast<std::uint32_t>(name.size());
    keys_.push_back({eightBytes(start), mask, length});
  }
}

char const* RowFinder::match(int row, char const* place, char const* end) const {
  Key const& key = keys_[at(row)];
  if ((eightBytes(place) & key.mask) != key.start || key.length == unmatched) return nullptr;
  if (key.length > 8) {
    std::string const& name = (*names_)[row];
    if (end - place < std::ssize(name) || std::memcmp(place, name.data(), name.size()) != 0)
      return nullptr;
  }
  return isBlank(place[key.length]) ? place + key.length : nullptr;
}

void ColumnPiece::clear(std::size_t textBytes) {
  // Two entries of a line have at least four bytes each, its name and blanks not counted.
  constexpr std::size_t fewestBytes = 4;
  std::size_t const most = textBytes / fewestBytes + 2;
  if (room_ < most) {
    rows = std::make_unique_for_overwrite<int[]>(most);
    values = std::make_unique_for_overwrite<double[]>(most);
    room_ = most;
  }
  runs.clear();
  firstRows.clear();
  lastRows.clear();
  entries = 0;
  bytes = 0;
  lines = 0;
  integers = Integers::asBefore;
}

void ColumnScanner::scan(std::string_view text, ColumnPiece& piece) {
  piece.clear(text.size());
  piece.layout = layout_;
  piece_ = &piece;
  place_ = text.data();
  end_ = text.data() + text.size();
  runRows_.clear();
  ascending_ = true;
  lastRow_ = NameTable::absent;
  while (place_ < end_) {
    char const* const start = place_;
    lineOffset_ = at(start - text.data());
    bool understood = true;
    if (*place_ == '*') {  // a comment
      place_ = static_cast<char const*>(std::memchr(place_, '\n', end_ - place_ + 1));
    } else if (!atLineEnd()) {
      understood = isBlank(*place_) && dataLine();
    }
    if (!understood) break;
    if (*place_ == '\r') ++place_;
    ++place_;
    piece.bytes = std::min(at(place_ - text.data()), text.size());
    ++piece.lines;
  }
  if (piece.runs.empty()) return;
  bool const isFirst = piece.runs.size() == 1;
  if (finishRun(true)) {
    piece.lastRows = std::move(runRows_);
    if (isFirst) piece.firstRows = piece.lastRows;
    return;
  }
  // The column is left to who says what is wrong with it.
  ColumnPiece::Run const wrong = piece.runs.back();
  piece.runs.pop_back();
  piece.entries = wrong.firstEntry;
  piece.bytes = wrong.offset;
  piece.lines = wrong.line;
  piece.integers = wrong.integers;
  piece.lastRows.clear();
}

/// The word at place_, to the next blank or the end of the line.
std::string_view ColumnScanner::word() {
  char const* const start = place_;
  while (!isBlank(*place_) && !atLineEnd()) ++place_;
  return {start, at(place_ - start)};
}

/// Reads and applies a line that begins with a blank; place_ is then at its end. False: nothing has
/// happened.
bool ColumnScanner::dataLine() {
  Line line;
  char const* const start = place_;
  skipBlanks();
  if (atLineEnd()) return true;
  if (layout_ == MpsLayout::fixed) place_ = start;
  return (layout_ == MpsLayout::fixed ? fixedLine(line) : freeLine(line)) && apply(line);
}

bool ColumnScanner::freeLine(Line& line) {
  // Mostly the name is that of the line before.
  if (!piece_->runs.empty()) {
    std::string_view const name = piece_->runs.back().name;
    line.sameColumn = end_ - place_ > std::ssize(name) && isBlank(place_[name.size()]) &&
                      std::memcmp(place_, name.data(), name.size()) == 0;
    if (line.sameColumn) line.name = name;
  }
  if (line.sameColumn) {
    place_ += line.name.size();
  } else {
    line.name = word();
  }
  if (!takePair(line)) return false;
  if (line.isMarker) return true;
  skipBlanks();
  if (atLineEnd()) return true;
  if (!takePair(line)) return false;
  skipBlanks();
  return atLineEnd();
}

/// The next two fields, the name of a row and a number.
bool ColumnScanner::takePair(Line& line) {
  skipBlanks();
  if (atLineEnd()) return false;
  int row = lastRow_ + 1;
  char const* behind = row < rowFinder_.size() ? rowFinder_.match(row, place_, end_) : nullptr;
  if (behind) {
    place_ = behind;
  } else {
    std::string_view const name = word();
    if (line.count == 0 && name == markerWord) {
      skipBlanks();
      std::string_view const kind = word();
      skipBlanks();
      return marker(kind, atLineEnd(), line);
    }
    if (name[0] == '$' || name[0] == '*') return false;  // a comment, unless a name begins so
    row = rowFinder_.find(name);
    if (row == NameTable::absent) return false;
  }
  lastRow_ = row;
  skipBlanks();
  double value = 0.0;
  if (atLineEnd() || !takeNumber(value)) return false;
  line.pairs[line.count++] = {row, value};
  return true;
}

bool ColumnScanner::takeNumber(double& value) {
  char const* const start = place_;
  if (!encoded_ && takeFastNumber(place_, value) && (isBlank(*place_) || atLineEnd())) return true;
  place_ = start;
  return number(word(), value);
}

/// The line by column positions, as MpsParser::parse takes it.
bool ColumnScanner::fixedLine(Line& line) {
  auto const* lineEnd = static_cast<char const*>(std::memchr(place_, '\n', end_ - place_ + 1));
  std::string_view text(place_, at(lineEnd - place_));
  if (text.ends_with('\r')) text.remove_suffix(1);
  place_ += text.size();
  MpsFields const fields = splitFixed(text).value_or(splitFree(text));
  for (int i = 1; i < fields.count(); ++i)
    if (fields[i][0] == '$' || fields[i][0] == '*') return false;
  line.name = fields[0];
  line.sameColumn = !piece_->runs.empty() && piece_->runs.back().name == line.name;
  if (fields[1] == markerWord) return marker(fields[2], fields.count() == 3, line);
  if (fields.count() != 3 && fields.count() != 5) return false;
  for (int i = 1; i < fields.count(); i += 2) {
    int const row = rowFinder_.find(fields[i]);
    double value = 0.0;
    if (row == NameTable::absent || !number(fields[i + 1], value)) return false;
    line.pairs[line.count++] = {row, value};
  }
  return true;
}

bool ColumnScanner::marker(std::string_view kind, bool isLast, Line& line) const {
  line.isMarker = true;
  line.startsIntegers = kind == "'INTORG'" || kind == "INTORG";
  return isLast && (line.startsIntegers || kind == "'INTEND'" || kind == "INTEND");
}

bool ColumnScanner::number(std::string_view word, double& value) const {
  if (std::optional<double> const known = encoded_ ? parseEncoded(word) : std::nullopt) {
    value = *known;
    return std::isfinite(value);
  }
  Number const found = parseNumber(word);
  value = found.value;
  return found.fault == NumberFault::none;
}

bool ColumnScanner::apply(Line const& line) {
  if (line.isMarker) {
    piece_->integers =
        line.startsIntegers ? ColumnPiece::Integers::begin : ColumnPiece::Integers::end;
    return true;
  }
  if (!line.sameColumn) {
    if (std::ranges::any_of(line.name, isControl)) return false;
    if (!piece_->runs.empty() && !finishRun(false)) return false;
    startRun(line.name);
  }
  ColumnPiece::Run& run = piece_->runs.back();
  for (int k = 0; k < line.count; ++k) {
    auto const [row, value] = line.pairs[k];
    if (!runRows_.empty() && row <= runRows_.back()) ascending_ = false;
    runRows_.push_back(row);
    int const modelRow = modelRows_[at(row)];
    if (modelRow == objectiveRow) {
      run.cost = value;
      run.hasCost = true;
    } else if (modelRow != droppedRow && value != 0.0) {
      piece_->rows[piece_->entries] = modelRow;
      piece_->values[piece_->entries++] = value;
    }
  }
  return true;
}

void ColumnScanner::startRun(std::string_view name) {
  ColumnPiece::Run run;
  run.name = name;
  run.firstEntry = piece_->entries;
  run.offset = lineOffset_;
  run.line = piece_->lines;
  run.integers = piece_->integers;
  piece_->runs.push_back(run);
}

/// Makes the present run ready for others to follow. False: it mentions a row twice.
bool ColumnScanner::finishRun(bool isLast) {
  bool const isFirst = piece_->runs.size() == 1;
  if (!ascending_) {
    std::vector<int> sorted = runRows_;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
    if (!isFirst && !isLast) {  // a whole column: it is put into the order of rows
      std::int64_t const first = piece_->runs.back().firstEntry;
      auto const count = at(piece_->entries - first);
      sortByRow({piece_->rows.get() + first, count}, {piece_->values.get() + first, count});
    }
  }
  if (isLast) return true;
  if (isFirst) piece_->firstRows = runRows_;
  runRows_.clear();
  ascending_ = true;
  return true;
}

}  // namespace osi_cuda::readers
