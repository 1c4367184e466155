// SPDX-License-Identifier: EPL-2.0
// The simplex over the rationals, and that it knows answers that were known before.
#include "tests/analysis/exact_lp.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <utility>

#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {
namespace {

using Row = std::vector<Rational>;

Bound boundOf(double value) {
  if (std::isinf(value)) return std::nullopt;
  return Rational(value);
}

/// min cost'z, rows z = right >= 0, z >= 0.
class Tableau {
 public:
  Tableau(std::vector<Row> rows, Row right, Row cost)
      : rows_(std::move(rows)), right_(std::move(right)), cost_(std::move(cost)) {
    std::size_t const own = cost_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (right_[i] < 0) {
        right_[i] = -right_[i];
        for (Rational& entry : rows_[i]) entry = -entry;
      }
      rows_[i].resize(own + rows_.size());
      rows_[i][own + i] = 1;
      basic_.push_back(own + i);
    }
    structurals_ = own;
  }

  Status solve() {
    Row artificial(structurals_ + rows_.size());
    std::fill(artificial.begin() + static_cast<std::ptrdiff_t>(structurals_), artificial.end(), 1);
    run(artificial, artificial.size());
    Rational left = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basic_[i] >= structurals_) left += right_[i];
    if (left > 0) return Status::infeasible;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (basic_[i] < structurals_) continue;
      for (std::size_t j = 0; j < structurals_; ++j)
        if (rows_[i][j] != 0) {
          pivot(i, j);
          break;
        }
    }
    Row cost = cost_;
    cost.resize(structurals_ + rows_.size());
    return run(cost, structurals_) ? Status::optimal : Status::unbounded;
  }

  Row point() const {
    Row z(structurals_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basic_[i] < structurals_) z[basic_[i]] = right_[i];
    return z;
  }

 private:
  /// False: unbounded. Columns from `most` on do not enter.
  bool run(Row const& cost, std::size_t most) {
    for (;;) {
      std::size_t entering = most;
      for (std::size_t j = 0; j < most && entering == most; ++j) {
        Rational reduced = cost[j];
        for (std::size_t i = 0; i < rows_.size(); ++i)
          if (rows_[i][j] != 0 && cost[basic_[i]] != 0) reduced -= cost[basic_[i]] * rows_[i][j];
        if (reduced < 0) entering = j;
      }
      if (entering == most) return true;
      std::size_t leaving = rows_.size();
      Rational best;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i][entering] <= 0) continue;
        Rational const ratio = right_[i] / rows_[i][entering];
        if (leaving == rows_.size() || ratio < best ||
            (ratio == best && basic_[i] < basic_[leaving])) {
          leaving = i;
          best = ratio;
        }
      }
      if (leaving == rows_.size()) return false;
      pivot(leaving, entering);
    }
  }

  void pivot(std::size_t r, std::size_t q) {
    Rational const pivot = rows_[r][q];
    for (Rational& entry : rows_[r])
      if (entry != 0) entry /= pivot;
    right_[r] /= pivot;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == r || rows_[i][q] == 0) continue;
      Rational const factor = rows_[i][q];
      for (std::size_t j = 0; j < rows_[i].size(); ++j)
        if (rows_[r][j] != 0) rows_[i][j] -= factor * rows_[r][j];
      right_[i] -= factor * right_[r];
    }
    basic_[r] = q;
  }

  std::vector<Row> rows_;
  Row right_, cost_;
  std::vector<std::size_t> basic_;
  std::size_t structurals_ = 0;
};

}  // namespace

ExactLp exactOf(LinearProgram const& lp) {
  ExactLp exact;
  auto const n = static_cast<std::size_t>(lp.columns()), m = static_cast<std::size_t>(lp.rows());
  exact.rows.assign(m, Row(n));
  int const sign = lp.sense == Sense::maximize ? -1 : 1;
  for (std::size_t j = 0; j < n; ++j) {
    exact.cost.push_back(sign * Rational(lp.objective[j]));
    exact.columnLower.push_back(boundOf(lp.columnLower[j]));
    exact.columnUpper.push_back(boundOf(lp.columnUpper[j]));
    auto const indices = lp.matrix.columnIndices(static_cast<int>(j));
    auto const values = lp.matrix.columnValues(static_cast<int>(j));
    for (std::size_t e = 0; e < indices.size(); ++e)
      exact.rows[static_cast<std::size_t>(indices[e])][j] += Rational(values[e]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    exact.rowLower.push_back(boundOf(lp.rowLower[i]));
    exact.rowUpper.push_back(boundOf(lp.rowUpper[i]));
  }
  return exact;
}

// A column is a bound and a distance from it, or the difference of two; every other finite side is
// a row with a slack.
ExactAnswer solveExactly(ExactLp const& lp) {
  struct Piece {
    std::size_t column;
    int sign;
  };
  std::size_t const n = lp.columns();
  std::vector<Piece> pieces;
  Row origin(n);
  for (std::size_t j = 0; j < n; ++j) {
    bool const lower = lp.columnLower[j].has_value(), upper = lp.columnUpper[j].has_value();
    if (lower || upper) origin[j] = lower ? *lp.columnLower[j] : *lp.columnUpper[j];
    pieces.push_back({j, lower || !upper ? 1 : -1});
    if (!lower && !upper) pieces.push_back({j, -1});
  }
  std::vector<Row> rows;
  Row right;
  std::vector<int> slack;  // its sign: 1 at most, -1 at least, 0 equal
  auto const add = [&](Row const& row, Rational const& bound, int sign) {
    Row own;
    Rational rest = bound;
    for (std::size_t j = 0; j < n; ++j) rest -= row[j] * origin[j];
    for (Piece const& piece : pieces) own.push_back(piece.sign * row[piece.column]);
    rows.push_back(own);
    right.push_back(rest);
    slack.push_back(sign);
  };
  for (std::size_t i = 0; i < lp.rows.size(); ++i) {
    Bound const &lower = lp.rowLower[i], &upper = lp.rowUpper[i];
    if (lower && upper && *lower == *upper) {
      add(lp.rows[i], *lower, 0);
      continue;
    }
    if (lower) add(lp.rows[i], *lower, -1);
    if (upper) add(lp.rows[i], *upper, 1);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!lp.columnLower[j] || !lp.columnUpper[j]) continue;
    Row unit(n);
    unit[j] = 1;
    add(unit, *lp.columnUpper[j], 1);
  }
  Row cost;
  for (Piece const& piece : pieces) cost.push_back(piece.sign * lp.cost[piece.column]);
  std::size_t const own = pieces.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (slack[i] == 0) continue;
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(k == i ? slack[i] : 0);
    cost.push_back(0);
  }
  Tableau tableau(rows, right, cost);
  ExactAnswer answer;
  answer.status = tableau.solve();
  if (answer.status != Status::optimal) return answer;
  Row const z = tableau.point();
  answer.x = origin;
  for (std::size_t k = 0; k < own; ++k) answer.x[pieces[k].column] += pieces[k].sign * z[k];
  for (std::size_t j = 0; j < n; ++j) answer.objective += lp.cost[j] * answer.x[j];
  return answer;
}

// A x - r = 0 over columns and activities; the duals of these equations are the rows' own.
ExactBasis basicSolution(ExactLp const& lp, Basis const& basis,
                         std::vector<Rational> const& rowCost) {
  std::size_t const n = lp.columns(), m = lp.rows.size();
  auto const statusOf = [&](std::size_t v) { return v < n ? basis.columns[v] : basis.rows[v - n]; };
  auto const entry = [&](std::size_t i, std::size_t v) -> Rational {
    return v < n ? lp.rows[i][v] : Rational(v - n == i ? -1 : 0);
  };
  ExactBasis found;
  found.value.resize(n + m);
  found.price.resize(n + m);
  std::vector<std::size_t> basic;
  for (std::size_t v = 0; v < n + m; ++v) {
    Bound const& lower = v < n ? lp.columnLower[v] : lp.rowLower[v - n];
    Bound const& upper = v < n ? lp.columnUpper[v] : lp.rowUpper[v - n];
    if (statusOf(v) == VariableStatus::basic) {
      basic.push_back(v);
    } else if (statusOf(v) == VariableStatus::atUpper ? upper.has_value() : lower.has_value()) {
      found.value[v] = statusOf(v) == VariableStatus::atUpper ? *upper : *lower;
    }
  }
  found.singular = basic.size() != m;
  if (found.singular) return found;
  // [B | right | I]: the last part becomes the inverse, from which the duals come.
  std::vector<Row> table(m, Row(2 * m + 1));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < m; ++k) table[i][k] = entry(i, basic[k]);
    for (std::size_t v = 0; v < n + m; ++v)
      if (found.value[v] != 0) table[i][m] -= entry(i, v) * found.value[v];
    table[i][m + 1 + i] = 1;
  }
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t r = k;
    while (r < m && table[r][k] == 0) ++r;
    found.singular = r == m;
    if (found.singular) return found;
    std::swap(table[r], table[k]);
    Rational const pivot = table[k][k];
    for (Rational& number : table[k]) number /= pivot;
    for (std::size_t i = 0; i < m; ++i) {
      if (i == k || table[i][k] == 0) continue;
      Rational const factor = table[i][k];
      for (std::size_t c = 0; c < table[i].size(); ++c) table[i][c] -= factor * table[k][c];
    }
  }
  auto const costOf = [&](std::size_t v) -> Rational {
    if (v < n) return lp.cost[v];
    return rowCost.empty() ? Rational(0) : rowCost[v - n];
  };
  Row dual(m);
  for (std::size_t k = 0; k < m; ++k) {
    found.value[basic[k]] = table[k][m];
    for (std::size_t i = 0; i < m; ++i) dual[i] += costOf(basic[k]) * table[k][m + 1 + i];
  }
  for (std::size_t v = 0; v < n + m; ++v) {
    found.price[v] = costOf(v);
    for (std::size_t i = 0; i < m; ++i) found.price[v] -= dual[i] * entry(i, v);
  }
  return found;
}

bool ExactBasis::optimal(ExactLp const& lp, Basis const& basis, Rational const& tolerance) const {
  if (singular) return false;
  std::size_t const n = lp.columns();
  for (std::size_t v = 0; v < value.size(); ++v) {
    Bound const& lower = v < n ? lp.columnLower[v] : lp.rowLower[v - n];
    Bound const& upper = v < n ? lp.columnUpper[v] : lp.rowUpper[v - n];
    if (lower && value[v] < *lower - tolerance * (1 + abs(*lower))) return false;
    if (upper && value[v] > *upper + tolerance * (1 + abs(*upper))) return false;
    VariableStatus const status = v < n ? basis.columns[v] : basis.rows[v - n];
    if (status == VariableStatus::basic || (lower && upper && *lower == *upper)) continue;
    if (status != VariableStatus::atUpper && price[v] < -tolerance) return false;
    if (status != VariableStatus::atLower && price[v] > tolerance) return false;
  }
  return true;
}

LinearProgram hostileLp(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto const draw = [&](int count) { return static_cast<int>(random() % std::uint64_t(count)); };
  auto const pick = [&](std::initializer_list<double> values) {
    return values.begin()[draw(static_cast<int>(values.size()))];
  };
  LinearProgram lp;
  int const n = 2 + draw(3), m = 1 + draw(3);
  bool const decimals = draw(3) == 0;
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool const twin = i > 0 && draw(4) == 0;
    for (int j = 0; j < n; ++j) {
      double value = draw(4) == 0   ? 0.0
                     : draw(4) == 0 ? pick({0x1p50, 0x1p-50, 0x1p52, 1e-10, 1e-13, 0x1p-30, 1e9})
                     : decimals     ? pick({0.1, 0.2, 0.3, 0.7, 1.1})
                                    : pick({1.0, 2.0, 0.5, 3.0, 0.25});
      if (draw(3) == 0) value = -value;
      if (twin) value = rows[i - 1][static_cast<std::size_t>(j)] + (draw(3) ? 0.0 : 0x1p-40);
      rows[i].push_back(value);
    }
    double const right = pick({0.0, 0.0, 1.0, 2.0, 0.5, 1e6, 0x1p50});
    int const kind = draw(4);
    lp.rowLower.push_back(kind == 0 ? -infinity : kind == 3 ? right - pick({1.0, 1e9}) : right);
    lp.rowUpper.push_back(kind == 1 ? infinity : right);
  }
  lp.sense = draw(2) ? Sense::minimize : Sense::maximize;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double const value = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      if (value == 0.0) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(value);
    }
    lp.matrix.starts.push_back(std::ssize(lp.matrix.indices));
    double const cost = pick({0.0, 1.0, 2.0, 0.5, 1e-10, 5e-10, 0x1p-40, 1e6});
    lp.objective.push_back(draw(4) == 0 ? -cost : cost);
    lp.columnLower.push_back(pick({0.0, 0.0, 0.0, 1.0, -1e12, -infinity}));
    lp.columnUpper.push_back(
        std::max(lp.columnLower.back(), pick({infinity, infinity, 1.0, 1e12, 0x1p50, 5.0})));
  }
  lp.matrix.columns = n;
  lp.matrix.rows = m;
  return lp;
}

namespace {

BOOST_AUTO_TEST_SUITE(exact_lp)

BOOST_AUTO_TEST_CASE(knowsWhatIsKnown) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomLp const r = randomLp(seed, {5, 5, std::nullopt, true});
    BOOST_TEST_CONTEXT(r.description) {
      ExactLp const exact = exactOf(r.lp);
      bool crossed = false;
      for (std::size_t k = 0; k < r.lp.rowLower.size(); ++k)
        crossed |= r.lp.rowLower[k] > r.lp.rowUpper[k];
      for (std::size_t k = 0; k < r.lp.columnLower.size(); ++k)
        crossed |= r.lp.columnLower[k] > r.lp.columnUpper[k];
      ExactAnswer const answer = solveExactly(exact);
      BOOST_TEST((answer.status == r.expected));
      if (r.expected != Status::optimal || crossed) continue;
      Rational const sign = r.lp.sense == Sense::maximize ? -1 : 1;
      BOOST_TEST(
          (sign * answer.objective + Rational(r.lp.objectiveOffset) == Rational(r.objective)));
      ExactBasis const basis = basicSolution(exact, r.basis);
      BOOST_TEST(basis.optimal(exact, r.basis, 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(seesAWrongBasis) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomLp const r = randomLp(seed, {5, 5, Status::optimal, false});
    Basis slacks;
    slacks.columns.assign(r.lp.columnLower.size(), VariableStatus::atLower);
    slacks.rows.assign(r.lp.rowLower.size(), VariableStatus::basic);
    ExactLp const exact = exactOf(r.lp);
    refused += !basicSolution(exact, slacks).optimal(exact, slacks, 0);
  }
  BOOST_TEST(refused > 20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::testing
