// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/tree_certificate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/tree_lines.hpp"
#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/rational.hpp"

namespace osi_cuda {
namespace {

using rational::Rational;

/// A bound of a variable: `scale` times a statement says it.
struct ProvedSide {
  Rational value;
  int statement = -1;  ///< -1: infinite
  Rational scale{1.0};
};

Rational stepOfCosts(LinearProgram const& lp) {
  Rational step;
  for (int j = 0; j < lp.columns(); ++j) {
    if (lp.objective[at(j)] == 0.0) continue;
    if (lp.integer.empty() || !lp.integer[at(j)]) return {};
    Rational const cost(lp.objective[at(j)]);
    fmpq_gcd(step.get(), step.get(), Rational(cost).get());
  }
  return step;
}

class TreeDeriver {
 public:
  TreeDeriver(LinearProgram const& lp, std::function<bool()> const& stop, std::size_t mostBytes)
      : lp_(lp),
        stop_(stop),
        mostBytes_(mostBytes),
        numbers_(lp),
        byRows_(lp.matrix.transposed()),
        matrix_(lp.matrix.transposed().transposed()),
        sign_(lp.sense == Sense::maximize ? -1.0 : 1.0),
        step_(stepOfCosts(lp)),
        next_(numbers_.all) {}

  TreeCertificate derive(std::string_view lines) {
    if (lines.size() > mostBytes_) tooLarge();
    tree_ = readTree(lines);
    if (!tree_.claim || *tree_.claim == -infinity)
      throw NoTreeProof("no search of its own proved a bound of the objective");
    for (int v = 0; v < lp_.columns() + lp_.rows(); ++v) {
      lower_.push_back(sideOf(v, false));
      upper_.push_back(sideOf(v, true));
    }
    takeImplied();
    if (tree_.claim && !std::isfinite(*tree_.claim)) tree_.claim.reset();
    std::vector<std::array<int, 3>> fixed;  // its assumption, the leaf beyond, that one's
    for (auto const& [change, multipliers] : tree_.fixes) {
      LineChange const beyond{change.column, !change.upper, change.value + (change.upper ? 1 : -1)};
      int const assumption = assume(beyond);
      ProvedSide const before = tighten(beyond, assumption);
      std::optional<int> const leaf = bounded(multipliers);
      if (!leaf) unproved();
      side(beyond) = before;
      int const kept = assume(change);
      tighten(change, kept);
      fixed.push_back({kept, *leaf, assumption});
    }
    int last = derivedNodes();
    for (auto f = fixed.rbegin(); f != fixed.rend(); ++f)
      last = unsplit(last, (*f)[0], (*f)[1], (*f)[2]);
    made_.derived = next_ - numbers_.all;
    if (tree_.claim) made_.bound = claimText();
    return std::move(made_);
  }

 private:
  [[noreturn]] void tooLarge() const {
    throw NoTreeProof(
        concat("it would exceed ", mostBytes_ >> 20, " MiB; a .tree file is smaller"));
  }
  [[noreturn]] static void unproved() {
    throw NoTreeProof("a leaf of the tree has no proof in rational numbers");
  }

  // ---- statements -------------------------------------------------------------------------------

  std::string& text() {
    constexpr int often = 64;
    if (next_ % often == 0 && stop_ && stop_()) throw NoTreeProof("there was not time enough");
    if (made_.derivations.size() > mostBytes_) tooLarge();
    return made_.derivations;
  }
  /// "d7 G 3 " and what follows.
  int begin(bool fromBelow, std::string const& value) {
    text() += 'd' + std::to_string(next_) + (fromBelow ? " G " : " L ") + value;
    return next_++;
  }
  using Terms = std::vector<std::pair<int, Rational>>;
  void addTerms(Terms const& terms) {
    text() += ' ' + std::to_string(terms.size());
    for (auto const& [k, weight] : terms) text() += ' ' + std::to_string(k) + ' ' + weight.text();
  }
  void reason(char const* name, Terms const& terms) {
    text() += name;
    addTerms(terms);
    text() += " } -1\n";
  }
  int assume(LineChange const& change) {
    int const k = begin(!change.upper, Rational(change.value).text());
    text() += " 1 " + std::to_string(change.column) + " 1 { asm } -1\n";
    return k;
  }
  int unsplit(int a, int ofA, int b, int ofB) {
    int const k = beginGoal();
    text() += " { uns";
    for (int const index : {a, ofA, b, ofB}) text() += ' ' + std::to_string(index);
    text() += " } -1\n";
    return k;
  }

  // ---- the box ----------------------------------------------------------------------------------

  bool isInteger(int column) const { return !lp_.integer.empty() && lp_.integer[at(column)]; }

  ProvedSide& side(LineChange const& change) {
    return (change.upper ? upper_ : lower_)[at(change.column)];
  }
  /// Returns what it replaces.
  ProvedSide tighten(LineChange const& change, int statement) {
    ProvedSide& now = side(change);
    ProvedSide before = now;
    Rational const value(change.value);
    if (now.statement < 0 || (change.upper ? value < now.value : value > now.value))
      now = {value, statement, Rational(1.0)};
    return before;
  }

  /// As the model has it: whole for integer columns, and at the multiples of what divides a row's
  /// coefficients.
  ProvedSide sideOf(int v, bool upper) {
    int const n = lp_.columns(), constraint = (upper ? numbers_.upper : numbers_.lower)[at(v)];
    if (constraint < 0) return {};
    auto const bound = [&](auto const& lower, auto const& greater, int k) {
      return Rational((upper ? greater : lower)[at(k)]);
    };
    Rational const value = v < n ? bound(lp_.columnLower, lp_.columnUpper, v)
                                 : bound(lp_.rowLower, lp_.rowUpper, v - n);
    Rational unit;
    Terms row;
    if (v < n) {
      if (isInteger(v)) row.emplace_back(v, unit = Rational(1.0));
    } else {
      for (auto const [j, a] : byRows_.column(v - n)) {
        if (a == 0.0) continue;
        if (!isInteger(j)) return {value, constraint, Rational(1.0)};
        Rational coefficient(a);
        fmpq_gcd(unit.get(), unit.get(), coefficient.get());
        row.emplace_back(j, std::move(coefficient));
      }
    }
    if (unit.sign() == 0) return {value, constraint, Rational(1.0)};
    Rational const multiple = value / unit, whole = upper ? multiple.floor() : multiple.ceil();
    if (whole == multiple) return {value, constraint, Rational(1.0)};
    for (auto& [j, a] : row) a /= unit;
    int const k = begin(!upper, whole.text());
    addTerms(row);
    reason(" { rnd", {{constraint, Rational(1.0) / unit}});
    return {whole * unit, k, unit};
  }

  /// The least or greatest sum of weights times variables in the box, with the terms that say so.
  std::optional<std::pair<Rational, Terms>> extreme(std::map<int, Rational> const& weights,
                                                    bool least) const {
    std::pair<Rational, Terms> result;
    for (auto const& [v, weight] : weights) {
      if (weight.sign() == 0) continue;
      ProvedSide const& bound = ((weight.sign() > 0) == least ? lower_ : upper_)[at(v)];
      if (bound.statement < 0) return std::nullopt;
      result.first += weight * bound.value;
      result.second.emplace_back(bound.statement, weight * bound.scale);
    }
    return result;
  }

  /// Bounds of columns that a row and the bounds of its other columns imply.
  void takeImplied() {
    std::vector<LineChange> left = std::move(tree_.implied);
    while (!left.empty()) {
      std::size_t const before = left.size();
      std::erase_if(left, [this](LineChange const& change) { return imply(change); });
      if (left.size() == before) unproved();
    }
  }
  bool imply(LineChange const& change) {
    for (auto const [i, a] : matrix_.column(change.column)) {
      if (a == 0.0) continue;
      std::map<int, Rational> weights;
      Rational const share = Rational(1.0) / Rational(a);
      for (auto const [k, b] : byRows_.column(i))
        if (k != change.column) weights[k] = -(Rational(b) * share);
      weights[lp_.columns() + i] = share;
      auto const found = extreme(weights, !change.upper);
      Rational const wanted(change.value);
      if (!found || (change.upper ? found->first > wanted : found->first < wanted)) continue;
      int const k = begin(!change.upper, wanted.text());
      text() += " 1 " + std::to_string(change.column) + " 1";
      reason(" { lin", found->second);
      tighten(change, k);
      return true;
    }
    return false;
  }

  // ---- leaves -----------------------------------------------------------------------------------

  /// Costs, or none, less A'y, and y of the rows.
  std::map<int, Rational> weightsOf(std::size_t k, bool costs) const {
    std::map<int, Rational> weights;
    for (int j = 0; costs && j < lp_.columns(); ++j)
      if (lp_.objective[at(j)] != 0.0) weights[j] = Rational(sign_ * lp_.objective[at(j)]);
    for (auto const& [i, number] : multipliersIn(tree_.multipliers.at(k))) {
      Rational const y(number);
      weights[lp_.columns() + i] = y;
      for (auto const [j, a] : byRows_.column(i)) weights[j] += -(y * Rational(a));
    }
    return weights;
  }

  Rational claim() const { return Rational(*tree_.claim); }
  std::string claimText() const { return (Rational(sign_) * claim()).text(); }
  bool minimises() const { return sign_ > 0.0; }

  /// The left side and sense of what is to be shown in each leaf.
  int beginGoal() {
    int const k = tree_.claim ? begin(minimises(), claimText()) : begin(true, "1");
    text() += tree_.claim ? " OBJ" : " 0";
    return k;
  }

  /// The multipliers bound the objective in the box by the claim.
  std::optional<int> bounded(std::size_t number) {
    if (!tree_.claim) return std::nullopt;
    auto found = extreme(weightsOf(number, true), true);
    if (!found) return std::nullopt;
    auto& [least, terms] = *found;
    Rational const offset(lp_.objectiveOffset), needed = claim() - Rational(sign_) * offset;
    if (least < needed) {
      if (step_.sign() == 0) return std::nullopt;
      Rational const multiple = (least / step_).ceil();
      if (multiple * step_ < needed) return std::nullopt;
      for (auto& [k, weight] : terms) weight /= step_;
      Terms row;
      for (int j = 0; j < lp_.columns(); ++j)
        if (double const c = lp_.objective[at(j)]; c != 0.0)
          row.emplace_back(j, Rational(sign_ * c) / step_);
      int const rounded = begin(true, multiple.text());
      addTerms(row);
      reason(" { rnd", terms);
      terms = {{rounded, step_}};
    }
    for (auto& [k, weight] : terms) weight *= Rational(sign_);
    if (numbers_.offset >= 0) terms.emplace_back(numbers_.offset, offset);
    int const k = beginGoal();
    reason(" { lin", terms);
    return k;
  }

  int contradiction(Terms const& terms) {
    int const k = begin(true, "1");
    text() += " 0";
    reason(" { lin", terms);
    return k;
  }

  std::optional<int> crossed() {
    for (std::size_t v = 0; v < lower_.size(); ++v) {
      ProvedSide const &low = lower_[v], &high = upper_[v];
      if (low.statement >= 0 && high.statement >= 0 && low.value > high.value)
        return contradiction({{low.statement, low.scale}, {high.statement, -high.scale}});
    }
    return std::nullopt;
  }

  std::optional<int> leaf(TreeNode const& node) {
    if (std::optional<int> const k = crossed()) return k;
    if (node.contradiction) {
      auto const found = extreme(weightsOf(*node.contradiction, false), true);
      if (found && found->first.sign() > 0) return contradiction(found->second);
    }
    if (!node.children.empty()) return std::nullopt;
    // A node has the bounds of those above.
    for (TreeNode const* above = &node;; above = &tree_.nodes.at(above->parent)) {
      for (std::size_t const number : above->bounds)
        if (std::optional<int> const k = bounded(number)) return k;
      if (above->parent < 0) unproved();
    }
  }

  /// A node on the way down from the root.
  struct Entered {
    std::int64_t name;
    int assumption;
    ProvedSide before;
    std::vector<std::pair<int, int>> proved;  ///< of its children: statement, assumption
  };

  Entered enter(std::int64_t name) {
    Entered entered{name, -1, {}, {}};
    TreeNode const& node = tree_.nodes.at(name);
    if (node.parent < 0) return entered;
    entered.assumption = assume(node.change);
    entered.before = tighten(node.change, entered.assumption);
    return entered;
  }

  /// Returns the statement at the root.
  int derivedNodes() {
    tree_.nodes[0];
    std::vector<Entered> path;
    path.push_back(enter(0));
    for (;;) {
      Entered& now = path.back();
      TreeNode const& node = tree_.nodes.at(now.name);
      auto const& done = now.proved;
      std::optional<int> statement;
      if (done.empty()) statement = leaf(node);
      if (done.size() == 2)
        statement = unsplit(done[0].first, done[0].second, done[1].first, done[1].second);
      if (!statement) {
        if (node.children.size() != 2) unproved();
        path.push_back(enter(node.children[done.size()]));
        continue;
      }
      if (path.size() == 1) return *statement;
      side(node.change) = now.before;
      std::pair<int, int> const proved(*statement, now.assumption);
      path.pop_back();
      path.back().proved.push_back(proved);
    }
  }

  LinearProgram const& lp_;
  std::function<bool()> const& stop_;
  std::size_t const mostBytes_;
  ConstraintNumbers const numbers_;
  SparseMatrix const byRows_, matrix_;
  double const sign_;
  Rational const step_;

  TreeLines tree_;
  std::vector<ProvedSide> lower_, upper_;  ///< by variable, columns before rows
  int next_;
  TreeCertificate made_;
};

}  // namespace

TreeCertificate certificateOfTree(LinearProgram const& lp, std::string_view lines,
                                  Solution const& found, std::function<bool()> const& stop,
                                  std::size_t mostBytes) {
  TreeCertificate made = TreeDeriver(lp, stop, mostBytes).derive(lines);
  if (made.bound.empty() || found.status == Status::infeasible || found.basis.empty()) return made;
  LinearProgram fixed = lp;
  for (int j = 0; j < lp.columns(); ++j)
    if (!lp.integer.empty() && lp.integer[at(j)])
      fixed.columnLower[at(j)] = fixed.columnUpper[at(j)] = std::round(found.columnValues[at(j)]);
  Solution vertex = found;
  vertex.status = Status::optimal;
  ExactCertificate point = certificateOf(fixed, vertex, stop, ExactNumbers::doubles);
  if (!point.proved) return made;
  made.point = std::move(point.point);
  made.objective = std::move(point.objective);
  return made;
}

}  // namespace osi_cuda
