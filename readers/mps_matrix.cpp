// SPDX-License-Identifier: EPL-2.0
//
// The sections ROWS and COLUMNS.
#include <algorithm>

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

}  // namespace osi_cuda::readers
