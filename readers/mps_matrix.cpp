// SPDX-License-Identifier: EPL-2.0
//
// The sections ROWS and COLUMNS.
#include <algorithm>

#include "osi_cuda/model/large_memory.hpp"
#include "readers/mps_columns.hpp"
#include "readers/mps_parser.hpp"
#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

MpsParser::RowLine MpsParser::parseRow(MpsFields const& fields) const {
  std::string_view const type = fields[0];
  constexpr std::string_view types = "NELGnelg";
  if (type.size() != 1 || types.find(type[0]) == types.npos)
    source_.fail(type, "a row type (N, E, L or G)");
  if (fields.count() < 2) source_.fail(fields[1], "the name of a row");
  expectEnd(fields, 2);
  constexpr char toUpper = 'a' - 'A';
  bool const isLower = type[0] >= 'a';
  return {static_cast<char>(isLower ? type[0] - toUpper : type[0]), fields[1]};
}

void MpsParser::applyRow(RowLine const& row) {
  checkName(row.name, "row");
  if (rowNames_.add(row.name) == NameTable::absent) source_.fail(row.name, "a new row name");
  rowTypes_.push_back(row.type);
}

/// All rows are known: the objective is the row that OBJNAME names, or the first of type N.
void MpsParser::chooseObjective() {
  int objective = NameTable::absent;
  if (wantedObjective_) {
    objective = rowNames_.find(*wantedObjective_);
    if (objective == NameTable::absent || rowTypes_[objective] != 'N')
      throw ReadError(source_.name(), wantedObjectiveLine_, wantedObjectiveColumn_,
                      "the name of a row of type N", quoted(*wantedObjective_));
  } else {
    auto const first = std::ranges::find(rowTypes_, 'N');
    if (first != rowTypes_.end()) objective = static_cast<int>(first - rowTypes_.begin());
  }
  if (objective == NameTable::absent) {
    notice("there is no row of type N; the objective is zero.");
  } else {
    result_.lp.objectiveName = rowNames_[objective];
  }

  int modelRows = 0;
  int dropped = 0;
  for (int row = 0; row < rowNames_.size(); ++row) {
    bool const isFree = rowTypes_[row] == 'N' && row != objective;
    if (row == objective) {
      modelRows_.push_back(objectiveRow);
    } else if (isFree && freeRows_ == FreeRows::drop) {
      modelRows_.push_back(droppedRow);
      ++dropped;
    } else {
      modelRows_.push_back(modelRows++);
      result_.lp.rowNames.push_back(rowNames_[row]);
    }
  }
  if (dropped > 0)
    notice(concat("rows of type N besides the objective are dropped (", dropped, ")."));
  result_.lp.matrix.rows = modelRows;
  lastColumn_.assign(rowNames_.size(), NameTable::absent);
  rhs_.assign(rowNames_.size(), 0.0);
  ranges_.assign(rowNames_.size(), {});
  hasRhs_.assign(rowNames_.size(), 0);
  hasRange_.assign(rowNames_.size(), 0);
}

MpsParser::Pairs MpsParser::parseColumn(MpsFields const& fields) {
  if (fields[1] == "'MARKER'") return parseMarker(fields);
  Pairs line;
  line.name = fields[0];
  line.pairs[line.count++] = parsePair(fields, 1, false);
  if (fields.count() > 3) line.pairs[line.count++] = parsePair(fields, 3, false);
  expectEnd(fields, 5);
  return line;
}

MpsParser::Pairs MpsParser::parseMarker(MpsFields const& fields) const {
  Pairs marker;
  marker.isMarker = true;
  std::string_view kind = fields[2];
  if (kind.size() > 2 && kind.front() == '\'' && kind.back() == '\'')
    kind = kind.substr(1, kind.size() - 2);
  if (kind == "SOSORG" || kind == "SOSEND")
    source_.fail(fields[2].data(), "a linear program", "a marker of special ordered sets");
  if (kind != "INTORG" && kind != "INTEND") source_.fail(fields[2], "'INTORG' or 'INTEND'");
  expectEnd(fields, 3);
  marker.startsIntegers = kind == "INTORG";
  return marker;
}

/// The row and the number in the fields `first` and `first` + 1.
MpsParser::Pairs::Pair MpsParser::parsePair(MpsFields const& fields, int first,
                                            bool mayBeInfinite) {
  std::string_view const name = fields[first];
  int const row = rowNames_.findNear(name, lastRow_);
  if (row == NameTable::absent)
    source_.fail(name, name.empty() ? "the name of a row" : "the name of a row in ROWS");
  lastRow_ = row;
  std::string_view const word = fields[first + 1];
  Number const found = number(word);
  bool const allowed =
      found.fault == NumberFault::none || (mayBeInfinite && found.fault == NumberFault::infinite);
  if (!allowed) source_.fail(word, describe(found.fault));
  return {row, found.value, name, word};
}

void MpsParser::applyColumn(Pairs const& line) {
  if (line.isMarker) {
    integers_ = line.startsIntegers;
    return;
  }
  LinearProgram& lp = result_.lp;
  bool const sameColumn =
      columnNames_.size() > 0 && columnNames_[columnNames_.size() - 1] == line.name;
  if (!sameColumn) startColumn(line.name);
  int const column = columnNames_.size() - 1;
  for (int k = 0; k < line.count; ++k) {
    auto const& [row, value, place, valuePlace] = line.pairs[k];
    if (lastColumn_[row] == column) source_.fail(place, "one entry per row and column");
    lastColumn_[row] = column;
    int const modelRow = modelRows_[row];
    if (modelRow == objectiveRow) {
      lp.objective.back() = value;
    } else if (modelRow != droppedRow && value != 0.0) {  // an explicit zero says nothing
      lp.matrix.indices.push_back(modelRow);
      lp.matrix.values.push_back(value);
    }
  }
}

void MpsParser::startColumn(std::string_view name) {
  if (columnNames_.size() > 0) finishColumn();
  checkName(name, "column");
  if (columnNames_.add(name) == NameTable::absent)
    source_.fail(name, "the entries of a column in one place");
  addColumn(0.0, integers_);
}

void MpsParser::addColumn(double cost, bool isInteger) {
  LinearProgram& lp = result_.lp;
  lp.objective.push_back(cost);
  lp.columnLower.push_back(0.0);
  lp.columnUpper.push_back(infinity);
  lp.integer.push_back(isInteger ? 1 : 0);
  boundsSeen_.push_back(0);
}

/// Closes the last column: its entries are all there.
void MpsParser::finishColumn() {
  SparseMatrix const& matrix = result_.lp.matrix;
  if (matrix.columns < columnNames_.size()) closeColumn(std::ssize(matrix.indices), false);
}

/// Closes the first open column, whose entries end before `end`, and puts them into the order of
/// rows unless they are known to be.
void MpsParser::closeColumn(std::int64_t end, bool isInOrder) {
  SparseMatrix& matrix = result_.lp.matrix;
  auto const first = at(matrix.starts.back());
  std::size_t const count = at(end) - first;
  std::span<int> const rows = std::span(matrix.indices).subspan(first, count);
  if (!isInOrder && !std::ranges::is_sorted(rows))
    sortByRow(rows, std::span(matrix.values).subspan(first, count));
  ++matrix.columns;
  matrix.starts.push_back(end);
}

//
// Section COLUMNS by pieces, put together in order.

std::unique_ptr<ColumnPiece> MpsColumnPieces::scanned(TextPiece const& text, MpsLayout layout) {
  std::unique_ptr<ColumnPiece> piece;
  {
    std::lock_guard const lock(mutex_);
    if (!spare_.empty()) {
      piece = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (!piece) piece = std::make_unique<ColumnPiece>();
  ColumnScanner(finder_, modelRows_, layout, encoded_).scan(text.text, *piece);
  return piece;
}

std::unique_ptr<ColumnPiece> MpsColumnPieces::take(MpsLayout layout) {
  int const threads = source_.readAhead().threads;
  if (threads > 1 && source_.isLarge()) workers_.start(threads);
  // Enough that no thread waits for the one that puts pieces together.
  std::size_t const most = 1 + 2 * at(workers_.size());
  while (ahead_.size() < most) {
    TextPiece text = source_.piece(ahead_.size());
    if (text.text.empty()) break;
    ahead_.push_back(
        workers_.submit([this, text = std::move(text), layout] { return scanned(text, layout); }));
  }
  std::unique_ptr<ColumnPiece> piece = ahead_.front().get();
  ahead_.pop_front();
  if (piece->layout == layout) return piece;
  giveBack(std::move(piece));  // begun before a line showed that the format is fixed
  return scanned(source_.piece(0), layout);
}

void MpsColumnPieces::giveBack(std::unique_ptr<ColumnPiece> piece) {
  std::lock_guard const lock(mutex_);
  spare_.push_back(std::move(piece));
}

/// Takes pieces as long as their lines need no care. Afterwards the next line does, or there is
/// none: at the place where a piece could not be understood, or where it contradicts those before.
void MpsParser::takeColumnPieces() {
  if (!columnPieces_)
    columnPieces_ = std::make_unique<MpsColumnPieces>(source_, rowNames_, modelRows_, encoded_);
  MpsLayout const layout = layout_ == MpsLayout::fixed ? MpsLayout::fixed : MpsLayout::free;
  while (!source_.rest().empty() || source_.step()) {
    std::unique_ptr<ColumnPiece> piece = columnPieces_->take(layout);
    applyPiece(*piece);
    columnPieces_->giveBack(std::move(piece));
    if (!source_.rest().empty()) return;
  }
}

void MpsParser::applyPiece(ColumnPiece const& piece) {
  LinearProgram& lp = result_.lp;
  SparseMatrix& matrix = lp.matrix;
  std::vector<ColumnPiece::Run> const& runs = piece.runs;
  int const before = columnNames_.size();
  bool const continues =
      !runs.empty() && before > 0 && columnNames_[before - 1] == runs.front().name;
  if (continues) {
    bool const repeats = std::ranges::any_of(
        piece.firstRows, [&](int row) { return lastColumn_[row] == before - 1; });
    if (repeats) return;
  }

  std::size_t taken = 0;  // runs
  for (; taken < runs.size(); ++taken) {
    ColumnPiece::Run const& run = runs[taken];
    if (taken == 0 && continues) {
      if (run.hasCost) lp.objective.back() = run.cost;
      continue;
    }
    if (columnNames_.add(run.name) == NameTable::absent) break;
    addColumn(run.cost, run.integers == ColumnPiece::Integers::asBefore
                            ? integers_
                            : run.integers == ColumnPiece::Integers::begin);
  }

  std::int64_t const base = std::ssize(matrix.indices);
  std::int64_t const entries = taken > 0 ? piece.firstEntryBehind(taken - 1) : 0;
  reserveEntries(at(entries), piece.bytes);
  matrix.indices.insert(matrix.indices.end(), piece.rows.get(), piece.rows.get() + entries);
  matrix.values.insert(matrix.values.end(), piece.values.get(), piece.values.get() + entries);
  // Each run but one that goes on with a column ends the column before it.
  for (std::size_t k = continues ? 1 : 0; k < taken; ++k) {
    bool const isWhole = k >= 2;  // the one before is a run with others on both sides: in order
    if (k > 0 || before > 0) closeColumn(base + runs[k].firstEntry, isWhole);
  }
  if (taken < runs.size()) {  // the name was there before: the line says so
    return source_.skip(runs[taken].offset, runs[taken].line);
  }
  for (int const row : piece.lastRows) lastColumn_[row] = columnNames_.size() - 1;
  if (piece.integers != ColumnPiece::Integers::asBefore)
    integers_ = piece.integers == ColumnPiece::Integers::begin;
  source_.skip(piece.bytes, piece.lines);
}

/// Room for the entries of a piece, and as soon as pieces tell how many there may be, for all that
/// the rest of the file can hold.
void MpsParser::reserveEntries(std::size_t count, std::size_t bytes) {
  SparseMatrix& matrix = result_.lp.matrix;
  pieceBytes_ += bytes;
  std::size_t const needed = matrix.indices.size() + count;
  if (needed <= matrix.indices.capacity()) return;
  constexpr std::size_t enoughToTell = 1 << 16;
  std::size_t room = 2 * needed;
  if (needed > enoughToTell && source_.bytesExpected() > pieceBytes_) {
    constexpr double reserve = 1.05;  // memory that is never touched costs nothing
    room = at(reserve * static_cast<double>(needed) * static_cast<double>(source_.bytesExpected()) /
              static_cast<double>(pieceBytes_));
  }
  reserveLarge(matrix.indices, std::max(room, needed));
  reserveLarge(matrix.values, std::max(room, needed));
}

}  // namespace osi_cuda::readers
