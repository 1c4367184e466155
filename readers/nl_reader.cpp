// SPDX-License-Identifier: EPL-2.0
#include "readers/nl_reader.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "osi_cuda/model/large_bounds.hpp"
#include "readers/basis_file.hpp"
#include "readers/input.hpp"
#include "readers/nl_expressions.hpp"
#include "readers/number.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

constexpr char segments[] = "a segment (F, S, V, C, O, d, x, r, b, k, J or G)";
constexpr int isReal = 4;       // added to the kind of a suffix whose values are no integers
constexpr int suffixKinds = 3;  // the lowest bits of a kind: variables, constraints, ...

class NlReader {
 public:
  NlReader(std::string_view bytes, std::string const& name, NlOptions const& options)
      : name_(name),
        options_(options),
        tokens_(bytes, name),
        large_(options.infiniteFrom, fileInfinity) {
    file_.header = readNlHeader(tokens_);
    n_ = file_.header.variables;
    m_ = file_.header.constraints;
    counts_.emplace(tokens_, file_.header);
    std::uint64_t const bytesAllowed = expansionLimit(options.expansionLimit, bytes.size());
    expressions_.emplace(tokens_, n_, file_.header.commonExpressions,
                         bytesAllowed / sizeof(NlAffine::Term));
    if (options.objective > file_.header.objectives && file_.header.objectives > 0)
      throw ReadError(name, "objectives", concat("objective ", options.objective),
                      concat(file_.header.objectives, " objective(s)"));
  }

  NlFile read() {
    auto const n = at(n_), m = at(m_);
    bodies_.resize(m);
    LinearProgram& problem = lp();
    problem.objective.assign(n, 0.0);
    problem.integer = file_.header.integerMarks();
    while (!tokens_.atEnd()) segment();
    counts_->complete(expressions_->firstUndefined());
    objective();
    rows();
    start();
    if (file_.header.objectives > 1)
      file_.notices.push_back(concat(
          "Of ", file_.header.objectives, " objectives ",
          (options_.objective > 0 ? concat("number ", options_.objective) : std::string("none")),
          " is taken."));
    if (std::string large = large_.notice(); !large.empty())
      file_.notices.push_back(std::move(large));
    return std::move(file_);
  }

 private:
  LinearProgram& lp() { return file_.lp; }

  /// To be called for everything of which there may be many.
  void poll() {
    constexpr unsigned between = 4096;
    if (++polled_ % between == 1 && options_.interrupted && options_.interrupted())
      throw ReadInterrupted();
  }

  void segment() {
    poll();
    char const kind = tokens_.letter(segments);
    if (std::string_view("dxrbk").find(kind) != std::string_view::npos) counts_->segment(kind);
    switch (kind) {
      case 'F':
        return function();
      case 'S':
        return suffix();
      case 'V':
        return expressions_->readCommon();
      case 'C': {
        int const number = row();
        counts_->segment('C', number);
        NlAffine const found = expressions_->read();
        return bodies_[at(number)].add(found, 1.0);
      }
      case 'L':
        tokens_.fail("linear constraints", "a logical one");
      case 'O':
        return objectiveBody();
      case 'd':
        guesses("the number of a constraint", m_);
        return;
      case 'x':
        file_.guess = guesses("the number of a variable", n_);
        return;
      case 'r':
        return rowBounds();
      case 'b':
        return bounds(n_, lp().columnLower, lp().columnUpper);
      case 'K':
        counts_->segment('k');
        [[fallthrough]];
      case 'k':
        return columnCounts(kind == 'k');
      case 'J': {
        int const number = row();
        counts_->segment('J', number);
        return terms(bodies_[at(number)], [this](int column) { counts_->entry(column); });
      }
      case 'G': {
        int const number = index("the number of an objective", file_.header.objectives);
        counts_->segment('G', number);
        NlAffine others;
        return terms(number + 1 == options_.objective ? costs_ : others,
                     [this](int) { counts_->gradientEntry(); });
      }
      default:
        tokens_.fail(segments, quoted(std::string(1, kind)));
    }
  }

  int index(char const* expected, int size) {
    int const value = tokens_.integer(expected);
    if (value < 0 || value >= size)
      tokens_.fail(concat(expected, " below ", size), std::to_string(value));
    return value;
  }

  int row() { return index("the number of a constraint", m_); }

  int count(char const* expected) {
    int const value = tokens_.integer(expected);
    if (value < 0) tokens_.fail(std::string(expected) + " >= 0", std::to_string(value));
    return value;
  }

  double finite(char const* expected) {
    double const value = tokens_.number(expected);
    if (!std::isfinite(value)) tokens_.fail("a finite number", "another one");
    return value;
  }

  void function() {  // a declaration, which does no harm
    counts_->segment('F', index("the number of a function", file_.header.functions));
    for (int k = 0; k < 2; ++k) tokens_.integer("a number of a function");
    tokens_.word("the name of a function");
  }

  /// A number of a list in which each may be once.
  int listed(char const* expected, int size) {
    poll();
    int const number = index(expected, size);
    counts_->listed(number);
    return number;
  }

  template <class Count>
  void terms(NlAffine& into, Count const& seen) {
    int const length = count("a number of terms");
    counts_->beginList(n_);
    for (int k = 0; k < length; ++k) {
      int const column = listed("the number of a variable", n_);
      seen(column);
      into.terms.push_back({column, finite("a coefficient")});
    }
  }

  void objectiveBody() {
    int const number = index("the number of an objective", file_.header.objectives);
    counts_->segment('O', number);
    int const sense = tokens_.integer("0 (minimise) or 1 (maximise)");
    if (sense != 0 && sense != 1)
      tokens_.fail("0 (minimise) or 1 (maximise)", std::to_string(sense));
    NlAffine const body = expressions_->read();
    if (number + 1 != options_.objective) return;
    lp().sense = sense == 0 ? Sense::minimize : Sense::maximize;
    costs_.add(body, 1.0);
  }

  /// First guesses of values, of which a search for integers makes use: all of them, or none.
  std::vector<double> guesses(char const* expected, int size) {
    int const length = count("a number of values");
    counts_->beginList(size);
    std::vector<std::pair<int, double>> listedValues;
    for (int k = 0; k < length; ++k) {
      int const number = listed(expected, size);
      listedValues.emplace_back(number, tokens_.number("a value"));
    }
    if (length != size) return {};
    std::vector<double> values(listedValues.size());
    for (auto const& [number, value] : listedValues) values[at(number)] = value;
    return values;
  }

  /// Entries in the segments J of all variables but the last: of each, or up to each.
  void columnCounts(bool sums) {
    int const length = count("a number of columns");
    if (length != std::max(n_ - 1, 0))
      tokens_.fail(concat(std::max(n_ - 1, 0), " columns, all but the last"),
                   std::to_string(length));
    std::vector<int> counts;
    int before = 0;
    for (int k = 0; k < length; ++k) {
      poll();
      int const value = count("a number of nonzeros");
      if (sums && value < before) tokens_.fail("sums that do not descend", std::to_string(value));
      counts.push_back(sums ? value - before : value);
      before = value;
    }
    counts_->columnCounts(std::move(counts));
  }

  void rowBounds() {
    bounds(m_, lp().rowLower, lp().rowUpper);
    for (std::size_t i = 0; i < lp().rowLower.size(); ++i)
      counts_->rowBounds(lp().rowLower[i], lp().rowUpper[i]);
  }

  void bounds(int size, std::vector<double>& lower, std::vector<double>& upper) {
    lower.reserve(at(size));
    upper.reserve(at(size));
    for (int k = 0; k < size; ++k) {
      poll();
      double low = -infinity, high = infinity;
      char const kind = tokens_.letter("a kind of bounds, 0 to 5");
      if (kind == '5')
        tokens_.fail("bounds of a linear constraint, 0 to 4", "a complementarity condition");
      if (kind < '0' || kind > '5')
        tokens_.fail("a kind of bounds, 0 to 5", quoted(std::string(1, kind)));
      if (kind == '0' || kind == '2' || kind == '4') low = bound();
      if (kind == '0' || kind == '1') high = bound();
      if (kind == '4') high = low;
      if (low == infinity || high == -infinity)
        tokens_.fail("bounds that can be reached (" + large_.meaning() + ")", "an infinite one");
      lower.push_back(low);
      upper.push_back(high);
    }
  }

  double bound() {
    double const value = large_(tokens_.number("a bound"));
    if (std::isnan(value)) tokens_.fail("a bound", "NaN");
    return value;
  }

  void suffix() {
    int const kind = tokens_.integer("a kind of suffix");
    int const length = count("a number of values");
    std::string const name(tokens_.word("the name of a suffix"));
    bool const ofVariables = (kind & suffixKinds) == 0, ofRows = (kind & suffixKinds) == 1,
               ofObjectives = (kind & suffixKinds) == 2;
    int const size = ofVariables ? n_ : ofRows ? m_ : ofObjectives ? file_.header.objectives : 1;
    bool const isBasis = name == "sstatus" && (ofVariables || ofRows);
    std::vector<int>& statuses = ofRows ? rowStatus_ : columnStatus_;
    if (isBasis) statuses.assign(at(size), 0);
    counts_->beginList(size);
    for (int k = 0; k < length; ++k) {
      int const place = listed("a place of the suffix", size);
      // Pyomo's suffixes are real unless they are declared as integers.
      double const value = kind & isReal ? tokens_.number("a value") : tokens_.integer("a value");
      if (ofVariables && name == "sosno") setOf_[place] = value;
      if (ofVariables && name == "ref") weights_[place] = value;
      bool const known = value >= 0.0 && value <= 6.0;  // AMPL's statuses: see start()
      if (isBasis && known) statuses[at(place)] = static_cast<int>(value);
    }
  }

  /// Suffix sosno names the set of a variable, of type 1 by a positive number and of type 2 by a
  /// negative one; ref are the weights.
  void orderedSets() {
    std::map<double, OrderedSet> sets;
    for (auto const& [column, number] : setOf_) {
      if (number == 0.0) continue;
      auto const weight = weights_.find(column);
      double const value = weight == weights_.end() ? 0.0 : weight->second;
      if (!std::isfinite(number) || !std::isfinite(value))
        throw ReadError(name_, "suffixes", "finite numbers in sosno and ref", "another one");
      OrderedSet& set = sets[number];
      set.type = number > 0.0 ? 1 : 2;
      set.columns.push_back(column);
      set.weights.push_back(value);
    }
    for (auto& [number, set] : sets) lp().choices.sets.push_back(std::move(set));
    lp().choices.sortSets();
  }

  /// Sums that left the range of doubles are no coefficients.
  void needFinite(NlAffine const& sums, std::string const& part) const {
    bool sound = std::isfinite(sums.constant);
    for (NlAffine::Term const& term : sums.terms) sound = sound && std::isfinite(term.coefficient);
    if (!sound) throw ReadError(name_, part, "finite coefficients", "a sum beyond all doubles");
  }

  void objective() {
    orderedSets();
    costs_.compact();
    needFinite(costs_, "objective");
    for (NlAffine::Term const& term : costs_.terms)
      lp().objective[at(term.column)] = term.coefficient;
    lp().objectiveOffset = costs_.constant;
  }

  void rows() {
    SparseMatrix byRows;
    byRows.rows = n_;
    for (int i = 0; i < m_; ++i) {
      poll();
      NlAffine body = std::move(bodies_[at(i)]);
      body.compact();
      needFinite(body, concat("constraint ", i + 1));
      for (NlAffine::Term const& term : body.terms) byRows.add(term.column, term.coefficient);
      byRows.endColumn();
      // lower <= terms + constant <= upper
      for (double* const side : {&lp().rowLower[i], &lp().rowUpper[i]}) {
        bool const wasFinite = std::isfinite(*side);
        *side -= body.constant;
        if (wasFinite && !std::isfinite(*side))
          throw ReadError(name_, concat("constraint ", i + 1), "finite right-hand sides",
                          "a difference beyond all doubles");
      }
    }
    lp().matrix = byRows.transposed();
  }

  /// The basis of sstatus: what has none is new since then, and nonbasic if a variable, basic if a
  /// constraint.
  void start() {
    if (columnStatus_.empty() && rowStatus_.empty()) return;
    columnStatus_.resize(at(n_), 0);
    rowStatus_.resize(at(m_), 0);
    // None, basic, superbasic, at the lower and upper bound, fixed, between the bounds.
    constexpr VariableStatus known[] = {VariableStatus::atLower, VariableStatus::basic,
                                        VariableStatus::free,    VariableStatus::atLower,
                                        VariableStatus::atUpper, VariableStatus::atLower,
                                        VariableStatus::free};
    for (int const status : columnStatus_) file_.start.columns.push_back(known[status]);
    for (int const status : rowStatus_)
      file_.start.rows.push_back(status == 0 ? VariableStatus::basic : known[status]);
    settle(file_.start, file_.lp);
  }

  std::string const& name_;
  NlOptions const& options_;
  NlTokens tokens_;
  LargeBounds large_;
  NlFile file_;
  std::optional<NlExpressions> expressions_;  // made when the header is known, as the next
  std::optional<NlCounts> counts_;
  int n_ = 0;
  int m_ = 0;
  NlAffine costs_;
  std::vector<NlAffine> bodies_;
  std::vector<int> columnStatus_;
  std::vector<int> rowStatus_;
  std::map<int, double> setOf_, weights_;  // by variable: suffixes sosno and ref
  unsigned polled_ = 0;
};

}  // namespace

NlFile readNl(std::string_view bytes, std::string const& name, NlOptions const& options) {
  return NlReader(bytes, name, options).read();
}

}  // namespace osi_cuda::readers
