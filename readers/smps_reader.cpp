// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include "osi_cuda/model/large_bounds.hpp"
#include "readers/mps_fields.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/smps.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::int64_t mostScenarios = 1'000'000;
constexpr std::int64_t mostNumbers = 100'000'000;  // changes and nodes of all scenarios
constexpr double sumTolerance = 1e-3;  // probabilities are mostly rounded to a few digits

/// What changes by itself: an entry of INDEP, or a block.
struct Random {
  std::string what;  // for messages
  int period;
  std::vector<Scenario> values;  // without nodes
};

/// The state of reading the two files that belong to a core.
class TreeReader {
 public:
  TreeReader(ReadResult const& core, double infiniteFrom)
      : lp_(core.lp),
        rightHandSides_(core.rightHandSides),
        infiniteFrom_(infiniteFrom),
        rows_(lp_.rows(), [&](int i) { return lp_.rowName(i); }),
        columns_(lp_.columns(), [&](int j) { return lp_.columnName(j); }) {}

  ScenarioTree read(LineSource& time, LineSource& stoch) {
    source_ = &time;
    readTime();
    tree_.file = stoch.name();
    source_ = &stoch;
    readStoch();
    tree_.periods = periods_.release();
    return std::move(tree_);
  }

 private:
  using Kind = Change::Kind;
  enum class Section { none, periods, rows, columns, independent, blocks, scenarios };
  enum class Mode { replace, add, multiply };

  /// The lines up to ENDATA: `header` takes the fields of those that begin a section.
  void readLines(auto const& header, auto const& data) {
    while (source_->next()) {
      std::string_view const line = source_->line();
      if (trimmed(line).empty() || line[0] == '*') continue;
      MpsFields const fields = splitFree(line);
      if (fields.full()) source_->fail(fields[MpsFields::most - 1], "the end of the line");
      if (isBlank(line[0])) {
        data(fields);
      } else if (equalsIgnoringCase(fields[0], "ENDATA")) {
        return;
      } else {
        header(fields);
      }
    }
    source_->failAtEnd("ENDATA");
  }

  [[noreturn]] void refuse(std::string expected, std::string found) const {
    source_->fail(source_->line().data(), std::move(expected), std::move(found));
  }
  [[noreturn]] void refuseLine(std::string expected) const {
    source_->fail(trimmed(source_->line()), std::move(expected));
  }

  int rowOf(std::string_view name) const {
    int const row = rows_.find(name);
    if (row == NameTable::absent) source_->fail(name, "a row of the core");
    return row;
  }
  int columnOf(std::string_view name) const {
    int const column = columns_.find(name);
    if (column == NameTable::absent) source_->fail(name, "a column of the core");
    return column;
  }
  int periodOf(std::string_view name) const {
    int const period = periods_.find(name);
    if (period == NameTable::absent) source_->fail(name, "a period of the time file");
    return period;
  }
  int periodOf(Change const& change) const {
    return change.row >= 0 ? tree_.rowPeriods[change.row] : tree_.columnPeriods[change.column];
  }
  double numberOf(std::string_view word) const {
    Number const number = parseNumber(word);
    if (number.fault != NumberFault::none) source_->fail(word, describe(number.fault));
    return number.value;
  }
  double probabilityOf(std::string_view word) const {
    double const value = numberOf(word);
    if (value < 0.0 || value > 1.0) source_->fail(word, "a probability from 0 to 1");
    return value;
  }

  // ---- the time file

  void readTime() {
    tree_.rowPeriods.assign(at(lp_.rows()), NameTable::absent);
    tree_.columnPeriods.assign(at(lp_.columns()), NameTable::absent);
    Section section = Section::none;
    bool isExplicit = false;
    int row = 0, column = 0;
    readLines(
        [&](MpsFields const& fields) {
          std::string_view const word = fields[0];
          section = isOneOf(word, "PERIODS")   ? Section::periods
                    : isOneOf(word, "ROWS")    ? Section::rows
                    : isOneOf(word, "COLUMNS") ? Section::columns
                    : isOneOf(word, "TIME")
                        ? Section::none
                        : (source_->fail(word, "TIME, PERIODS, ROWS, COLUMNS or ENDATA"), section);
          isExplicit |= section == Section::periods && isOneOf(fields[1], "EXPLICIT");
        },
        [&](MpsFields const& fields) {
          if (section == Section::periods) {
            int const last = isExplicit ? 0 : 2;
            if (!isExplicit && fields.count() != 3) refuseLine("COLUMN ROW PERIOD");
            int const period = periods_.add(fields[last]);
            if (period == NameTable::absent) source_->fail(fields[last], "a new period");
            if (!isExplicit) beginPeriod(period, fields, row, column);
          } else if (section != Section::none && fields.count() == 2) {
            placeLine(section == Section::rows, fields);
          } else {
            refuseLine("a section");
          }
        });
    if (periods_.size() == 0) refuse("PERIODS", "none");
    checkPeriods();
  }

  /// COLUMN ROW PERIOD: from them on all belongs to the period, until the next one begins.
  void beginPeriod(int period, MpsFields const& fields, int& row, int& column) {
    int const j = columnOf(fields[0]);
    int const i = fields[1] == lp_.objectiveName ? 0 : rowOf(fields[1]);
    bool const isFirst = period == 0;
    if (isFirst ? j > 0 || i > 0 : j <= column || i < row)
      refuseLine("periods in the order of the core's rows and columns, from its first on");
    row = i;
    column = j;
    std::fill(tree_.rowPeriods.begin() + i, tree_.rowPeriods.end(), period);
    std::fill(tree_.columnPeriods.begin() + j, tree_.columnPeriods.end(), period);
  }

  void placeLine(bool isRow, MpsFields const& fields) {
    int const period = periodOf(fields[1]);
    if (!isRow) {
      tree_.columnPeriods[columnOf(fields[0])] = period;
    } else if (fields[0] != lp_.objectiveName) {
      tree_.rowPeriods[rowOf(fields[0])] = period;
    }
  }

  void checkPeriods() const {
    for (int i = 0; i < lp_.rows(); ++i)
      if (tree_.rowPeriods[i] < 0) refuse("a period for row " + lp_.rowName(i), "none");
    for (int j = 0; j < lp_.columns(); ++j) {
      if (tree_.columnPeriods[j] < 0) refuse("a period for column " + lp_.columnName(j), "none");
      for (auto const [i, value] : lp_.matrix.column(j))
        if (tree_.columnPeriods[j] > tree_.rowPeriods[i])
          refuse("rows without columns of later periods",
                 concat("column ", lp_.columnName(j), " in row ", lp_.rowName(i)));
    }
  }

  // ---- the stoch file

  void readStoch() {
    Section section = Section::none;
    std::vector<Change>* target = nullptr;  // of the last BL or SC
    int period = 0;
    roots_.assign(at(periods_.size()), NameTable::absent);
    readLines(
        [&](MpsFields const& fields) {
          target = nullptr;
          section = sectionOf(fields);
        },
        [&](MpsFields const& fields) {
          if (section == Section::independent) {
            takeIndependent(fields);
          } else if (section == Section::blocks && isOneOf(fields[0], "BL")) {
            target = beginBlock(fields, period);
          } else if (section == Section::scenarios && isOneOf(fields[0], "SC")) {
            target = beginScenario(fields, period);
          } else if (target) {
            take(fields, fields.count(), period, *target);
          } else {
            refuseLine("a section, or BL or SC");
          }
        });
    if (!tree_.scenarios.empty() && !randoms_.empty())
      refuse("SCENARIOS alone, or INDEP and BLOCKS", "both");
    if (tree_.scenarios.empty()) {
      combine();
    } else {
      checkSum("the scenarios", tree_.scenarios);
    }
  }

  Section sectionOf(MpsFields const& fields) {
    std::string_view const word = fields[0];
    if (isOneOf(word, "STOCH")) return Section::none;
    constexpr char const* expected =
        "INDEP, BLOCKS or SCENARIOS, DISCRETE with or without ADD, MULTIPLY, REPLACE";
    Section const section = isOneOf(word, "INDEP")       ? Section::independent
                            : isOneOf(word, "BLOCKS")    ? Section::blocks
                            : isOneOf(word, "SCENARIOS") ? Section::scenarios
                                                         : Section::none;
    bool const isDiscrete = fields.count() < 2 || isOneOf(fields[1], "DISCRETE");
    std::string_view const mode = fields.count() > 2 ? fields[2] : "REPLACE";
    if (section == Section::none || !isDiscrete || !isOneOf(mode, "ADD MULTIPLY REPLACE"))
      refuseLine(expected);
    mode_ = isOneOf(mode, "ADD")        ? Mode::add
            : isOneOf(mode, "MULTIPLY") ? Mode::multiply
                                        : Mode::replace;
    return section;
  }

  /// LO, UP or FX, a set and a column. A column may have such a name, too.
  bool isBound(MpsFields const& fields) const {
    return isOneOf(fields[0], "LO UP FX") && columns_.find(fields[0]) == NameTable::absent;
  }

  /// What the first `count` fields say: COLUMN ROW VALUE [ROW VALUE], or UP BOUNDS COLUMN VALUE.
  void take(MpsFields const& fields, int count, int period, std::vector<Change>& changes) {
    if (isBound(fields) && count == 4) {
      int const column = columnOf(fields[2]);
      if (!isOneOf(fields[0], "UP")) put({Kind::lower, -1, column, 0}, fields[3], period, changes);
      if (!isOneOf(fields[0], "LO")) put({Kind::upper, -1, column, 0}, fields[3], period, changes);
    } else if (count == 3 || count == 5) {
      for (int k = 1; k < count; k += 2)
        put(changeOf(fields[0], fields[k]), fields[k + 1], period, changes);
    } else {
      refuseLine("COLUMN ROW VALUE");
    }
  }

  Change changeOf(std::string_view column, std::string_view row) const {
    bool const isSet = column == rightHandSides_ || isOneOf(column, "RHS");
    if (isSet && columns_.find(column) == NameTable::absent) {
      int const i = rowOf(row);
      bool const isEquation = lp_.rowLower[i] == lp_.rowUpper[i];
      if (!isEquation && std::isfinite(lp_.rowLower[i]) == std::isfinite(lp_.rowUpper[i]))
        source_->fail(row, "a row with one right-hand side");
      return {Kind::rhs, i, -1, 0.0};
    }
    int const j = columnOf(column);
    if (row == lp_.objectiveName) return {Kind::cost, -1, j, 0.0};
    return {Kind::coefficient, rowOf(row), j, 0.0};
  }

  double presentOf(Change const& change) const {
    if (change.kind == Kind::cost) return lp_.objective[change.column];
    if (change.kind == Kind::lower) return lp_.columnLower[change.column];
    if (change.kind == Kind::upper) return lp_.columnUpper[change.column];
    if (change.kind == Kind::rhs)
      return std::isfinite(lp_.rowLower[change.row]) ? lp_.rowLower[change.row]
                                                     : lp_.rowUpper[change.row];
    auto const rows = lp_.matrix.columnIndices(change.column);
    auto const found = std::ranges::lower_bound(rows, change.row);
    return found != rows.end() && *found == change.row
               ? lp_.matrix.columnValues(change.column)[at(found - rows.begin())]
               : 0.0;
  }

  void put(Change change, std::string_view word, int period, std::vector<Change>& changes) {
    int const known = periodOf(change);
    double value = numberOf(word);
    if (known < period)
      source_->fail(word.data(), concat("a number of period ", periods_[period], " or later"),
                    "one of " + periods_[known]);
    if (change.kind == Kind::coefficient && tree_.columnPeriods[change.column] > known)
      source_->fail(word.data(), "rows without columns of later periods", "a new coefficient");
    if (mode_ == Mode::add) value += presentOf(change);
    if (mode_ == Mode::multiply) value *= presentOf(change);
    if (!std::isfinite(value)) source_->fail(word.data(), "a finite number", "one without a limit");
    bool const isLimit = change.kind == Kind::lower || change.kind == Kind::upper;
    if (isLimit || change.kind == Kind::rhs) value = withInfinity(value, infiniteFrom_);
    bool const isAbsent = isLimit && (value < 0.0) == (change.kind == Kind::lower);
    if (std::isinf(value) && !isAbsent) source_->fail(word, "a number that can be reached");
    change.value = value;
    changes.push_back(change);
    needRoom(1);
  }

  void needRoom(std::int64_t more) {
    numbers_ += more;
    if (numbers_ > mostNumbers)
      refuse(concat("at most ", mostNumbers, " numbers in all scenarios"), "more");
  }

  /// [TYPE SET] COLUMN ROW VALUE [PERIOD] PROBABILITY
  void takeIndependent(MpsFields const& fields) {
    int const own = isBound(fields) ? 4 : 3, count = fields.count();
    if (count != own + 1 && count != own + 2) refuseLine("COLUMN ROW VALUE [PERIOD] PROBABILITY");
    bool const isSaid = count == own + 2;
    int period = isSaid ? periodOf(fields[own]) : 0;
    Scenario value{probabilityOf(fields[count - 1]), {}, {}};
    take(fields, own, period, value.changes);
    if (!isSaid) period = periodOf(value.changes.front());
    std::string key = "I";
    for (Change const& c : value.changes)
      key += concat(' ', static_cast<int>(c.kind), ' ', c.row, ' ', c.column);
    std::string const what = concat(fields[own - 3], " ", fields[own - 2]);
    randomOf(key, what, period).values.push_back(std::move(value));
  }

  Random& randomOf(std::string const& key, std::string const& what, int period) {
    auto const [found, isNew] = places_.try_emplace(key, randoms_.size());
    if (isNew) randoms_.push_back({what, period, {}});
    return randoms_[found->second];
  }

  /// BL NAME PERIOD PROBABILITY; what is not said again is as in the first block of that name.
  std::vector<Change>* beginBlock(MpsFields const& fields, int& period) {
    if (fields.count() != 4) refuseLine("BL NAME PERIOD PROBABILITY");
    std::string const name(fields[1]);
    double const probability = probabilityOf(fields[3]);
    Random& random = randomOf("B" + name, "block " + name, periodOf(fields[2]));
    period = random.period;
    random.values.push_back(
        {probability,
         random.values.empty() ? std::vector<Change>() : random.values[0].changes,
         {}});
    needRoom(std::ssize(random.values.back().changes));
    return &random.values.back().changes;
  }

  /// SC NAME PARENT PROBABILITY PERIOD
  std::vector<Change>* beginScenario(MpsFields const& fields, int& period) {
    if (fields.count() != 5) refuseLine("SC NAME PARENT PROBABILITY PERIOD");
    period = periodOf(fields[4]);
    std::string_view parent = fields[2];
    while (!parent.empty() && (parent.front() == '\'' || parent.front() == '"'))
      parent.remove_prefix(1);
    while (!parent.empty() && (parent.back() == '\'' || parent.back() == '"'))
      parent.remove_suffix(1);
    Scenario scenario;
    scenario.probability = probabilityOf(fields[3]);
    std::vector<int>* above = &roots_;
    if (parent != "ROOT") {
      int const found = names_.find(parent);
      if (found == NameTable::absent)
        source_->fail(fields[2], "ROOT or a scenario before this one");
      above = &tree_.scenarios[found].nodes;
      scenario.changes = tree_.scenarios[found].changes;
    }
    if (names_.add(fields[1]) == NameTable::absent) source_->fail(fields[1], "a new name");
    for (int t = 0; t < periods_.size(); ++t) {
      int& shared = (*above)[t];
      if (t >= period || shared == NameTable::absent) {
        scenario.nodes.push_back(tree_.nodes++);
        if (t < period) shared = scenario.nodes.back();
      } else {
        scenario.nodes.push_back(shared);
      }
    }
    needRoom(std::ssize(scenario.changes) + periods_.size());
    tree_.scenarios.push_back(std::move(scenario));
    return &tree_.scenarios.back().changes;
  }

  void checkSum(std::string const& what, std::vector<Scenario> const& scenarios) const {
    double const sum = std::accumulate(
        scenarios.begin(), scenarios.end(), 0.0,
        [](double total, Scenario const& scenario) { return total + scenario.probability; });
    if (std::fabs(sum - 1.0) > sumTolerance)
      refuse(concat("probabilities of ", what, " that sum to 1"), concat(sum));
  }

  /// All ways to combine what is independent, the last one changing fastest.
  void combine() {
    std::ranges::stable_sort(randoms_, {}, &Random::period);
    std::int64_t count = 1, changes = 0;
    for (Random const& random : randoms_) {
      checkSum(random.what, random.values);
      count *= std::ssize(random.values);
      if (count > mostScenarios) refuse(concat("at most ", mostScenarios, " scenarios"), "more");
      std::size_t most = 0;
      for (Scenario const& value : random.values) most = std::max(most, value.changes.size());
      changes += static_cast<std::int64_t>(most);
    }
    needRoom(count * (changes + periods_.size()));
    std::vector<int> known;  // per period: how many are
    for (int t = 0; t < periods_.size(); ++t)
      known.push_back(static_cast<int>(std::ranges::count_if(
          randoms_, [&](Random const& random) { return random.period <= t; })));
    std::vector<std::size_t> chosen(randoms_.size());
    std::vector<int> nodes(at(periods_.size()));
    for (int changed = -1;;) {
      for (int t = 0; t < periods_.size(); ++t)
        if (changed < known[t]) nodes[t] = tree_.nodes++;
      Scenario scenario{1.0, {}, nodes};
      for (std::size_t r = 0; r < randoms_.size(); ++r) {
        Scenario const& value = randoms_[r].values[chosen[r]];
        scenario.probability *= value.probability;
        scenario.changes.insert(scenario.changes.end(), value.changes.begin(), value.changes.end());
      }
      tree_.scenarios.push_back(std::move(scenario));
      changed = static_cast<int>(randoms_.size()) - 1;
      while (changed >= 0 && ++chosen[changed] == randoms_[changed].values.size())
        chosen[changed--] = 0;
      if (changed < 0) return;
    }
  }

  LinearProgram const& lp_;
  std::string const& rightHandSides_;
  double infiniteFrom_;
  NameTable rows_, columns_, periods_;
  LineSource* source_ = nullptr;
  ScenarioTree tree_;
  Mode mode_ = Mode::replace;
  NameTable names_;         // of scenarios
  std::vector<int> roots_;  // nodes of scenarios of ROOT before they are their own
  std::vector<Random> randoms_;
  std::map<std::string, std::size_t> places_;  // of what changes by itself
  std::int64_t numbers_ = 0;
};

/// `named`, or the file beside `core` with the first of these endings that is there.
std::string fileBeside(std::string const& core, std::string const& named,
                       std::initializer_list<char const*> endings) {
  if (!named.empty()) return named;
  std::error_code ignored;
  for (char const* const ending : endings) {
    std::string path = std::filesystem::path(core).replace_extension(ending).string();
    if (std::filesystem::exists(path, ignored)) return path;
  }
  throw OpenError(std::filesystem::path(core).replace_extension(*endings.begin()).string(), ENOENT);
}

}  // namespace

ScenarioTree readTree(ReadResult const& core, LineSource& time, LineSource& stoch,
                      ReadOptions const& options) {
  return TreeReader(core, options.infiniteFrom).read(time, stoch);
}

ScenarioTree readTree(ReadResult const& core, std::string const& path, ReadOptions const& options) {
  auto const open = [&](std::string const& file) {
    auto const input = [&] { return openFile(file, options.interrupted); };
    return LineSource(decompress(input(), options.decompressedLimit), file, options.interrupted);
  };
  LineSource time = open(fileBeside(path, options.time, {".tim", ".TIM", ".time", ".TIME"}));
  LineSource stoch = open(fileBeside(path, options.stoch, {".sto", ".STO", ".stoch", ".STOCH"}));
  return readTree(core, time, stoch, options);
}

}  // namespace osi_cuda::readers
