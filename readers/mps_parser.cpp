// SPDX-License-Identifier: EPL-2.0
#include "readers/mps_parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "readers/words.hpp"

namespace osi_cuda::readers {

ReadResult readMps(LineSource& source, MpsLayout layout, ReadOptions const& options) {
  return MpsParser(source, layout, options).read();
}

ReadResult MpsParser::read() {
  bool const byPieces = source_.readAhead().threads > 0;
  while (!ended_) {
    // Where COLUMNS begins, and with each piece of it: lines in bulk.
    bool const inColumns = byPieces && section_ == Section::columns;
    if (inColumns && (!columnPieces_ || source_.rest().empty())) takeColumnPieces();
    if (!source_.next()) break;
    std::string_view const line = source_.line();
    if (line.empty() || line[0] == '*' || trimmed(line).empty()) continue;
    if (isBlank(line[0])) {
      dataLine();
    } else {
      sectionLine();
    }
  }
  if (!ended_) source_.failAtEnd("ENDATA");
  finishRows();
  finishBounds();
  result_.lp.columnNames = columnNames_.release();
  result_.rightHandSides = rhsSets_.first.value_or("");
  afterEnd();
  if (std::string large = large_.notice(); !large.empty())
    result_.notices.push_back(std::move(large));
  return std::move(result_);
}

/// A line that begins in column 1: the name of a section, and for some what belongs to it.
void MpsParser::sectionLine() {
  struct Keyword {
    std::string_view name;
    Section section;
  };
  static constexpr std::array<Keyword, 9> plain{{{"ROWS", Section::rows},
                                                 {"COLUMNS", Section::columns},
                                                 {"RHS", Section::rhs},
                                                 {"RANGES", Section::ranges},
                                                 {"BOUNDS", Section::bounds},
                                                 {"SOS", Section::orderedSets},
                                                 {"SOS1", Section::orderedSets},
                                                 {"SOS2", Section::orderedSets},
                                                 {"SETS", Section::orderedSets}}};
  MpsFields const fields = splitFree(source_.line());
  std::string_view const keyword = fields[0];
  for (auto const& [name, section] : plain) {
    if (!equalsIgnoringCase(keyword, name)) continue;
    expectEnd(fields, 1);
    return enter(section, keyword);
  }
  if (equalsIgnoringCase(keyword, "NAME")) return nameLine();
  if (equalsIgnoringCase(keyword, "OBJSENSE")) {
    enter(Section::objectiveSense, keyword);
    if (fields.count() > 1) senseLine(fields[1]);
    return expectEnd(fields, 2);
  }
  if (equalsIgnoringCase(keyword, "OBJNAME")) {
    enter(Section::objectiveName, keyword);
    if (fields.count() > 1) dataLine();
    return;
  }
  if (equalsIgnoringCase(keyword, "ENDATA")) {
    bool const complete = (sectionsSeen_ & (1u << static_cast<int>(Section::columns))) != 0;
    if (!complete) source_.fail(keyword, "sections ROWS and COLUMNS before ENDATA");
    finishColumn();
    columnPieces_.reset();
    ended_ = true;
    return;
  }
  constexpr std::string_view joined = "OBJSENSE";  // OBJSENSEMAX, as lp_solve writes it
  bool const isJoined = keyword.size() > joined.size() &&
                        equalsIgnoringCase(keyword.substr(0, joined.size()), joined);
  std::string_view const sense = isJoined ? keyword.substr(joined.size()) : keyword;
  if (isJoined || section_ == Section::objectiveSense || isOneOf(sense, "MAX MIN"))
    return senseLine(sense);
  refuseUnsupported(keyword);
  source_.fail(keyword, "the name of a section");
}

void MpsParser::enter(Section section, std::string_view keyword) {
  if (section_ == Section::objectiveSense && !hasSense_) source_.fail(keyword, "MAX or MIN");
  auto const bit = [](Section which) { return 1u << static_cast<int>(which); };
  bool const mayRepeat = section == Section::orderedSets;  // SOS1 and SOS2
  if ((sectionsSeen_ & bit(section)) && !mayRepeat) source_.fail(keyword, "each section only once");
  bool const hasRows = sectionsSeen_ & bit(Section::rows);
  bool const hasColumns = sectionsSeen_ & bit(Section::columns);
  if (section >= Section::columns && !hasRows) source_.fail(keyword, "section ROWS");
  // The arrays per row exist once COLUMNS has fixed which row is the objective.
  if (section > Section::columns && !hasColumns) source_.fail(keyword, "section COLUMNS");
  if (section == Section::objectiveName && hasColumns)
    source_.fail(keyword, "OBJNAME before COLUMNS");
  if (section_ == Section::columns) finishColumn();
  columnPieces_.reset();
  sectionsSeen_ |= bit(section);
  section_ = section;
  if (section == Section::columns) chooseObjective();
}

/// Sections that belong to problems which are not linear programs: to skip one would be to solve
/// another problem than the file's.
void MpsParser::refuseUnsupported(std::string_view keyword) const {
  struct Unsupported {
    std::string_view names;
    char const* meaning;
  };
  static constexpr Unsupported unsupported[] = {
      {"QUADOBJ QMATRIX", "a quadratic objective"},
      {"QSECTION", "quadratic terms"},
      {"QCMATRIX", "a quadratic constraint"},
      {"CSECTION", "a cone"},
      {"SOS SOS1 SOS2 SETS", "special ordered sets"},
      {"INDICATORS INDICATOR", "indicator constraints"},
      {"GENCONS", "general constraints"},
      {"PWLOBJ PWLNAM", "a piecewise linear objective"},
      {"LAZYCONS", "lazy constraints"},
      {"USERCUTS", "user cuts"},
      {"MODELCUTS", "model cuts"},
      {"SCENARIOS STOCH", "a stochastic program, whose core file is to be read as smps"},
  };
  for (auto const& [names, meaning] : unsupported)
    if (isOneOf(keyword, names))
      source_.fail(keyword.data(), "a linear program",
                   concat("section ", keyword, " (", meaning, ")"));
}

/// The rest of the line is the problem's name. A last word FREE announces free format, IEEE (behind
/// a name) or FREEIEEE numbers as CoinUtils encodes them. What speaks of the objective only may
/// stand before it, as some writers put it.
void MpsParser::nameLine() {
  constexpr auto bit = [](Section which) { return 1u << static_cast<int>(which); };
  auto const before = bit(Section::objectiveSense) | bit(Section::objectiveName);
  if ((sectionsSeen_ & ~before) != 0 || !result_.lp.name.empty())
    source_.fail(source_.line().substr(0, 4), "NAME as the first section");
  std::string_view name = trimmed(source_.line().substr(4));
  std::size_t const lastBlank = name.find_last_of(" \t");
  std::string_view const last = lastBlank == name.npos ? "" : name.substr(lastBlank + 1);
  if (last == "FREE" || last == "FREEIEEE" || last == "IEEE") {
    name = trimmed(name.substr(0, lastBlank));
    encoded_ = last != "FREE";
    if (last != "IEEE" && layout_ == MpsLayout::detect) layout_ = MpsLayout::free;
  }
  if (section_ == Section::objectiveSense && !hasSense_)
    source_.fail(source_.line().substr(0, 4), "MAX or MIN");
  section_ = Section::none;
  result_.lp.name = name;
}

/// Applies a rule to the fields of the current line, in the layout that the line makes sense in.
template <class Rule>
auto MpsParser::parse(Rule rule) {
  std::string_view const line = source_.line();
  auto const apply = [&](MpsFields fields) {
    cutComment(fields);
    return rule(fields);
  };
  // A line that does not keep to the columns (tabs, long names) can't hold names with blanks.
  if (layout_ == MpsLayout::fixed) return apply(splitFixed(line).value_or(splitFree(line)));
  if (layout_ == MpsLayout::free) return apply(splitFree(line));
  return parseEitherWay(line, apply, [this] { layout_ = MpsLayout::fixed; });
}

void MpsParser::dataLine() {
  switch (section_) {
    case Section::none:
      source_.fail(trimmed(source_.line()), "the name of a section in column 1");
    case Section::objectiveSense: {
      MpsFields const fields = splitFree(source_.line());
      senseLine(fields[0]);
      return expectEnd(fields, 1);
    }
    case Section::objectiveName: {
      std::string_view name = trimmed(source_.line());
      if (!isBlank(source_.line()[0]))
        name = trimmed(name.substr(std::string_view("OBJNAME").size()));
      if (wantedObjective_) source_.fail(name, "one objective row");
      wantedObjective_ = name;
      wantedObjectiveLine_ = source_.lineNumber();
      wantedObjectiveColumn_ = name.data() - source_.line().data() + 1;
      return;
    }
    case Section::rows:
      return applyRow(parse([this](MpsFields const& fields) { return parseRow(fields); }));
    case Section::columns:
      return applyColumn(parse([this](MpsFields const& fields) { return parseColumn(fields); }));
    case Section::rhs:
      return applyRhs(parse([this](MpsFields const& f) { return parseSetPairs(f, false); }));
    case Section::ranges:
      return applyRanges(parse([this](MpsFields const& f) { return parseSetPairs(f, true); }));
    case Section::bounds:
      return applyBound(parse([this](MpsFields const& fields) { return parseBound(fields); }));
    case Section::orderedSets:
      return applyOrderedSet(parse([this](MpsFields const& f) { return parseOrderedSet(f); }));
  }
}

void MpsParser::senseLine(std::string_view word) {
  bool const isMaximum = isOneOf(word, "MAX MAXIMIZE MAXIMISE MAXIMUM");
  if (!isMaximum && !isOneOf(word, "MIN MINIMIZE MINIMISE MINIMUM"))
    source_.fail(word, "MAX or MIN");
  result_.lp.sense = isMaximum ? Sense::maximize : Sense::minimize;
  hasSense_ = true;
}

/// A comment at the end of a line begins with $ or * in field 3 or later. A name that begins so
/// is a name, though, if it has been declared, and an encoded number may begin so.
void MpsParser::cutComment(MpsFields& fields) const {
  constexpr int firstPossible = 2;
  int const first = section_ == Section::columns ? firstPossible - 1 : firstPossible;
  for (int i = first; i < fields.count(); ++i) {
    char const start = fields[i][0];
    if (start != '$' && start != '*') continue;
    if (!isName(fields[i]) && !(encoded_ && parseEncoded(fields[i]))) return fields.truncate(i);
  }
}

bool MpsParser::isName(std::string_view word) const {
  return rowNames_.find(word) != NameTable::absent || columnNames_.find(word) != NameTable::absent;
}

void MpsParser::expectEnd(MpsFields const& fields, int count) const {
  if (fields.count() > count) source_.fail(fields[count], "the end of the line");
}

void MpsParser::checkName(std::string_view name, char const* kind) const {
  if (std::ranges::any_of(name, isControl))
    source_.fail(name, concat("a ", kind, " name without control characters"));
}

/// Does a line of the set `name` count? The first set of a section does.
bool MpsParser::isFirst(Sets& sets, std::string_view name, char const* section) {
  if (!sets.first) sets.first = name;
  if (*sets.first == name) return true;
  if (sets.ignored.emplace(name).second)
    notice(concat(section, " set ", quoted(name), " is ignored; the first one, ",
                  quoted(*sets.first), ", counts."));
  return false;
}

/// A word of the announced kind. IEEE may also be the end of a problem's name: what can't be an
/// encoded number is a decimal one.
Number MpsParser::number(std::string_view word) const {
  std::optional<double> const value = encoded_ ? parseEncoded(word) : std::nullopt;
  if (!value) return parseNumber(word);
  if (std::isnan(*value)) return {*value, NumberFault::nan};
  if (std::isinf(*value)) return {*value, NumberFault::infinite};
  return {*value, NumberFault::none};
}

void MpsParser::notice(std::string text) {
  result_.notices.push_back(concat("Line ", source_.lineNumber(), ": ", text));
}

/// Text behind ENDATA is no part of the problem, unless it is a section that would change it.
void MpsParser::afterEnd() {
  bool noticed = false;
  while (source_.next()) {
    std::string_view const line = source_.line();
    if (line.empty() || line[0] == '*' || trimmed(line).empty()) continue;
    std::string_view const keyword = splitFree(line)[0];
    if (!isBlank(line[0])) refuseUnsupported(keyword);
    if (!noticed) notice("text behind ENDATA is ignored.");
    noticed = true;
  }
}

}  // namespace osi_cuda::readers
