// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "osi_cuda/model/large_bounds.hpp"
#include "readers/formats.hpp"
#include "readers/mps_columns.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/set_members.hpp"

namespace osi_cuda::readers {

/// The state of reading one MPS file: what has been declared so far, and a rule per section.
///
/// A line is read in two steps: a rule turns its fields into what they say, or throws; only then
/// it is applied. So a line that makes no sense with fields between blanks can be tried again
/// with fields by column position, and nothing has happened in between.
class MpsParser {
 public:
  MpsParser(LineSource& source, MpsLayout layout, ReadOptions const& options)
      : source_(source),
        layout_(layout),
        freeRows_(options.freeRows),
        large_(options.infiniteFrom, fileInfinity) {}

  ReadResult read();

 private:
  enum class Section {
    none,
    objectiveSense,
    objectiveName,
    rows,
    columns,
    rhs,
    ranges,
    bounds,
    orderedSets
  };

  /// A line of COLUMNS, RHS or RANGES: up to two numbers, each for a row.
  struct Pairs {
    struct Pair {
      int row;  // index into rowNames_
      double value;
      std::string_view place;  // of the row's name
      std::string_view valuePlace;
    };
    std::string_view name;  // of the column or set; empty: none
    int count = 0;
    Pair pairs[2];
    bool isMarker = false;
    bool startsIntegers = false;  // of a marker
  };

  struct RowLine {
    char type;
    std::string_view name;
  };

  struct BoundLine {
    int rule;  // in the table of mps_bounds.cpp
    std::string_view set;
    int column;
    double value;
    std::string_view place;       // of the column's name
    std::string_view valuePlace;  // of the value
  };

  /// A line of a section of special ordered sets: one that begins a set, or a member of it.
  struct SetLine {
    std::string_view type;  // S1 or S2; empty: a member
    std::string_view name;
    int column = 0;
    double number = 0.0;  // priority or weight
    std::string_view place;
  };

  /// The sets of a section: the first one counts, the others are reported once each.
  struct Sets {
    std::optional<std::string> first;
    std::unordered_set<std::string> ignored;
  };

  // Which section, and whose line it is (mps_parser.cpp).
  void sectionLine();
  void enter(Section section, std::string_view keyword);
  void refuseUnsupported(std::string_view keyword) const;
  void nameLine();
  void dataLine();
  void senseLine(std::string_view word);
  void afterEnd();
  template <class Rule>
  auto parse(Rule rule);
  void cutComment(MpsFields& fields) const;
  bool isName(std::string_view word) const;
  void expectEnd(MpsFields const& fields, int count) const;
  void checkName(std::string_view name, char const* kind) const;
  bool isFirst(Sets& sets, std::string_view name, char const* section);
  Number number(std::string_view word) const;
  void notice(std::string text);

  // ROWS and COLUMNS (mps_matrix.cpp).
  RowLine parseRow(MpsFields const& fields) const;
  void applyRow(RowLine const& row);
  void chooseObjective();
  Pairs parseColumn(MpsFields const& fields);
  Pairs parseMarker(MpsFields const& fields) const;
  Pairs::Pair parsePair(MpsFields const& fields, int first, bool mayBeInfinite);
  void applyColumn(Pairs const& line);
  void startColumn(std::string_view name);
  void addColumn(double cost, bool isInteger);
  void finishColumn();
  void closeColumn(std::int64_t end, bool isInOrder);

  // COLUMNS by pieces (mps_matrix.cpp).
  void takeColumnPieces();
  void applyPiece(ColumnPiece const& piece);
  void reserveEntries(std::size_t count, std::size_t bytes);

  // RHS, RANGES, BOUNDS and SOS (mps_bounds.cpp).
  Pairs parseSetPairs(MpsFields const& fields, bool mayBeInfinite);
  void applyRhs(Pairs const& line);
  void applyRanges(Pairs const& line);
  BoundLine parseBound(MpsFields const& fields) const;
  void applyBound(BoundLine const& bound);
  SetLine parseOrderedSet(MpsFields const& fields) const;
  void applyOrderedSet(SetLine const& line);
  void finishBounds();
  void finishRows();

  // What a row of the file is in the model, other than a row index.
  static constexpr int objectiveRow = ColumnScanner::objectiveRow;
  static constexpr int droppedRow = ColumnScanner::droppedRow;

  LineSource& source_;
  MpsLayout layout_;
  FreeRows freeRows_;
  LargeBounds large_;
  ReadResult result_;
  Section section_ = Section::none;
  std::uint32_t sectionsSeen_ = 0;  // a bit per Section
  bool ended_ = false;
  bool hasSense_ = false;
  bool encoded_ = false;  // NAME announces numbers as CoinUtils encodes them

  NameTable rowNames_;          // all rows of the file, in its order
  std::vector<char> rowTypes_;  // per row of the file: N, E, L or G
  std::vector<int> modelRows_;  // per row of the file: row of the model, or one of the above
  std::optional<std::string> wantedObjective_;  // from OBJNAME
  std::int64_t wantedObjectiveLine_ = 0;
  std::int64_t wantedObjectiveColumn_ = 0;

  NameTable columnNames_;
  std::vector<int> lastColumn_;  // per row of the file: the last column with an entry in it
  int lastRow_ = NameTable::absent;
  bool integers_ = false;  // between INTORG and INTEND

  std::vector<double> rhs_;  // per row of the file
  struct Range {
    double value = 0.0;
    long double extended = 0.0L;  ///< with further bits
  };
  std::vector<Range> ranges_;
  std::vector<char> hasRhs_;
  std::vector<char> hasRange_;
  std::vector<std::uint16_t> boundsSeen_;  // per column: a bit per rule of bounds
  SetMembers setMembers_;
  Sets rhsSets_;
  Sets rangeSets_;
  Sets boundSets_;

  std::unique_ptr<MpsColumnPieces> columnPieces_;  // while COLUMNS is read
  std::size_t pieceBytes_ = 0;                     // of the pieces that were taken
};

}  // namespace osi_cuda::readers
