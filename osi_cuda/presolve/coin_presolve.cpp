// SPDX-License-Identifier: EPL-2.0
// The order of CoinUtils' actions: cheap ones until nothing changes, then those that look at the
// whole problem, and again, as CoinUtils' own drivers do it (OsiPresolve, ClpPresolve; Brearley,
// Mitra and Williams 1975, Andersen and Andersen 1995 describe the reductions).
#include "osi_cuda/presolve/coin_presolve.hpp"

#include <CoinError.hpp>
#include <CoinFinite.hpp>
#include <CoinPackedMatrix.hpp>
#include <CoinPresolveDoubleton.hpp>
#include <CoinPresolveDual.hpp>
#include <CoinPresolveDupcol.hpp>
#include <CoinPresolveEmpty.hpp>
#include <CoinPresolveFixed.hpp>
#include <CoinPresolveForcing.hpp>
#include <CoinPresolveImpliedFree.hpp>
#include <CoinPresolveSingleton.hpp>
#include <CoinPresolveTighten.hpp>
#include <CoinPresolveTripleton.hpp>
#include <CoinPresolveUseless.hpp>
#include <CoinPresolveZeros.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace osi_cuda {
namespace coin {

double toCoin(double bound) {
  if (bound >= infiniteBound) return PRESOLVE_INF;
  if (bound <= -infiniteBound) return -PRESOLVE_INF;
  return bound;
}

double fromCoin(double bound) {
  if (bound >= infiniteBound) return infinity;
  if (bound <= -infiniteBound) return -infinity;
  return bound;
}

Actions::~Actions() {
  while (first) delete std::exchange(first, first->next);
}

std::vector<int> boundedRows(LinearProgram const& lp) {
  std::vector<int> rows;
  rows.reserve(lp.rowLower.size());
  for (int i = 0; i < lp.rows(); ++i)
    if (lp.rowLower[at(i)] > -infiniteBound || lp.rowUpper[at(i)] < infiniteBound)
      rows.push_back(i);
  return rows;
}

namespace {

/// The request's `stop` has answered true while the problem was copied.
struct Stopped {};

void throwIfStopped(PresolveRequest const& request) {
  if (request.stop && request.stop()) throw Stopped{};
}

/// The problem in CoinUtils' terms, to be minimized.
class Matrix {
 public:
  Matrix(LinearProgram const& lp, std::vector<int> const& rows, PresolveRequest const& request)
      : matrix_(lp.columns(), static_cast<int>(rows.size()), room(lp)) {
    CoinPresolveMatrix& p = matrix_;
    p.setMessageHandler(&silent_);
    load(lp, rows, request);
    p.setObjSense(1.0);
    p.setObjOffset(0.0);
    p.setPrimalTolerance(request.primalTolerance);
    p.setDualTolerance(request.dualTolerance);
    p.setFeasibilityTolerance(request.primalTolerance);
    p.setVariableType(false, lp.columns());  // the solver relaxes integrality
    p.setStatus(0);
  }

  CoinPresolveMatrix& get() { return matrix_; }

 private:
  /// Substitutions fill in: more than this is not allowed to come about.
  static CoinBigIndex room(LinearProgram const& lp) {
    return static_cast<CoinBigIndex>(lp.matrix.nonzeros() + lp.columns() + lp.rows() + 100);
  }

  void load(LinearProgram const& lp, std::vector<int> const& rows, PresolveRequest const& request) {
    std::vector<int> seen(at(lp.rows()), -1);
    for (std::size_t k = 0; k < rows.size(); ++k) seen[at(rows[k])] = static_cast<int>(k);
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> indices, lengths;
    std::vector<double> values;
    starts.reserve(lp.columnLower.size() + 1);
    indices.reserve(at(lp.matrix.nonzeros()));
    values.reserve(at(lp.matrix.nonzeros()));
    for (int j = 0; j < lp.columns(); ++j) {
      for (auto const [i, a] : lp.matrix.column(j)) {
        int const row = seen[at(i)];
        if (row < 0 || std::fabs(a) <= zeroEntry) continue;
        indices.push_back(row);
        values.push_back(a);
      }
      lengths.push_back(
          static_cast<int>(static_cast<CoinBigIndex>(indices.size()) - starts.back()));
      starts.push_back(static_cast<CoinBigIndex>(indices.size()));
    }
    throwIfStopped(request);  // a copy of millions of entries takes a while, and there are several
    CoinPackedMatrix const packed(true, static_cast<int>(rows.size()), lp.columns(), starts.back(),
                                  values.data(), indices.data(), starts.data(), lengths.data());
    throwIfStopped(request);
    matrix_.setMatrix(&packed);
    throwIfStopped(request);
    double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
    auto const mapped = [](std::vector<double> const& from, auto const& change) {
      std::vector<double> to(from.size());
      std::ranges::transform(from, to.begin(), change);
      return to;
    };
    auto const ofRows = [&](std::vector<double> const& from) {
      std::vector<double> to;
      to.reserve(rows.size());
      for (int const i : rows) to.push_back(toCoin(from[at(i)]));
      return to;
    };
    matrix_.setCost(mapped(lp.objective, [sign](double c) { return sign * c; }).data(), -1);
    matrix_.setColLower(mapped(lp.columnLower, toCoin).data(), -1);
    matrix_.setColUpper(mapped(lp.columnUpper, toCoin).data(), -1);
    matrix_.setRowLower(ofRows(lp.rowLower).data(), -1);
    matrix_.setRowUpper(ofRows(lp.rowUpper).data(), -1);
  }

  SilentHandler silent_;
  CoinPresolveMatrix matrix_;
};

/// Applies actions in an order that ends.
class Driver {
 public:
  Driver(CoinPresolveMatrix& matrix, Actions& actions, PresolveRequest const& request)
      : p_(matrix), actions_(actions), request_(request) {}

  PresolveEnd run() {
    apply([](auto* p, auto* next) { return make_fixed(p, next); });
    p_.initColsToDo();
    p_.initRowsToDo();
    apply(dupcol_action::presolve);
    apply(duprow_action::presolve);
    int dropped = 0;
    for (int pass = 0; pass < mostPasses && goesOn(); ++pass) {
      auto const* const before = actions_.first;
      cheapActions();
      p_.initRowsToDo();
      p_.initColsToDo();
      dualActions();
      apply(dupcol_action::presolve);
      apply(duprow_action::presolve);
      int const now = p_.countEmptyRows();
      if (boundsCross()) p_.status_ |= 1;
      bool const idle = now == std::exchange(dropped, now);
      apply([](auto* p, auto* next) { return slack_singleton_action::presolve(p, next, nullptr); });
      if (idle || actions_.first == before) break;
    }
    if (stopped_) return PresolveEnd::stopped;
    apply([](auto* p, auto* next) { return drop_zero_coefficients(p, next); });
    apply([](auto* p, auto* next) { return drop_empty_cols_action::presolve(p, next); });
    apply(drop_empty_rows_action::presolve);
    if (p_.status_ & 1) return PresolveEnd::infeasible;
    if (p_.status_ & 2) return PresolveEnd::unbounded;
    return stopped_ ? PresolveEnd::stopped : PresolveEnd::reduced;
  }

 private:
  static constexpr int mostPasses = 5;         ///< CoinUtils' own default
  static constexpr int mostCheapPasses = 200;  ///< no problem was seen to need half of them
  static constexpr int mostDualPasses = 5;
  static constexpr int freeEvery =
      5;  ///< implied free columns are looked for once in so many passes

  bool goesOn() {
    if (!stopped_ && request_.stop && request_.stop()) stopped_ = true;
    return !stopped_ && p_.status_ == 0;
  }

  template <class Action>
  void apply(Action const& action) {
    if (goesOn()) actions_.first = action(&p_, actions_.first);
  }

  // A row of one entry can do that to a column, and CoinUtils finds it where it looks again.
  bool boundsCross() const {
    for (int j = 0; j < p_.ncols_; ++j)
      if (p_.clo_[j] - p_.cup_[j] > p_.feasibilityTolerance_) return true;
    return false;
  }

  // Each looks at the rows and columns that the pass before has changed.
  void cheapActions() {
    for (int pass = 1; pass <= mostCheapPasses; ++pass) {
      auto const* const before = actions_.first;
      ++p_.pass_;
      apply([](auto* p, auto* next) {
        bool more = false;  // CoinUtils sets it to false in any case
        return slack_doubleton_action::presolve(p, next, more);
      });
      apply(do_tighten_action::presolve);
      if (pass == 1) apply(remove_dual_action::presolve);
      apply(doubleton_action::presolve);
      apply(tripleton_action::presolve);
      apply(forcing_constraint_action::presolve);
      if (pass % freeEvery == 1) freeColumns();
      p_.stepRowsToDo();
      p_.stepColsToDo();
      if (!goesOn() || actions_.first == before) return;
    }
  }

  // Bounds of the duals fix columns, which may free others.
  void dualActions() {
    for (int pass = 0; pass < mostDualPasses; ++pass) {
      auto const* const before = actions_.first;
      apply(remove_dual_action::presolve);
      if (pass % 2 == 0) freeColumns();
      if (!goesOn() || actions_.first == before) return;
    }
  }

  void freeColumns() {
    dropOpenRows();
    apply([](auto* p, auto* next) {
      int fill = 2;  // as in CoinUtils' drivers: substitutions that fill in next to nothing
      return implied_free_action::presolve(p, next, fill);
    });
  }

  // Rows can lose their bounds to columns without cost, and bounds can grow. The action for free
  // columns asserts that a row has a bound, and that it is below what counts as none.
  void dropOpenRows() {
    std::vector<int> open;
    for (int i = 0; i < p_.nrows_; ++i) {
      p_.rlo_[i] = toCoin(p_.rlo_[i]);
      p_.rup_[i] = toCoin(p_.rup_[i]);
      if (p_.hinrow_[i] > 0 && p_.rlo_[i] == -PRESOLVE_INF && p_.rup_[i] == PRESOLVE_INF)
        open.push_back(i);
    }
    if (open.empty()) return;
    apply([&open](auto* p, auto* next) {
      return useless_constraint_action::presolve(p, open.data(), static_cast<int>(open.size()),
                                                 next);
    });
  }

  CoinPresolveMatrix& p_;
  Actions& actions_;
  PresolveRequest const& request_;
  bool stopped_ = false;
};

/// What is left in the matrix, as a problem.
LinearProgram problemOf(CoinPresolveMatrix const& p, LinearProgram const& given) {
  double const sign = given.sense == Sense::minimize ? 1.0 : -1.0;
  LinearProgram lp;
  lp.name = given.name;
  lp.sense = given.sense;
  lp.objectiveOffset = given.objectiveOffset + sign * p.dobias_;
  for (int j = 0; j < p.ncols_; ++j) {
    for (auto e = p.mcstrt_[j]; e < p.mcstrt_[j] + p.hincol_[j]; ++e)
      lp.matrix.add(p.hrow_[e], p.colels_[e]);
    lp.endColumn(sign * p.cost_[j], fromCoin(p.clo_[j]), fromCoin(p.cup_[j]));
  }
  for (int i = 0; i < p.nrows_; ++i) lp.addRow(fromCoin(p.rlo_[i]), fromCoin(p.rup_[i]));
  return lp;
}

bool boundsCross(LinearProgram const& lp) {
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j)
    if (lp.columnLower[j] > lp.columnUpper[j]) return true;
  for (std::size_t i = 0; i < lp.rowLower.size(); ++i)
    if (lp.rowLower[i] > lp.rowUpper[i]) return true;
  return false;
}

/// Bounds that no number satisfies, which no action of CoinUtils expects.
bool boundsExclude(LinearProgram const& lp) {
  auto const above = [](double bound) { return bound >= infiniteBound; };
  auto const below = [](double bound) { return bound <= -infiniteBound; };
  return std::ranges::any_of(lp.columnLower, above) || std::ranges::any_of(lp.rowLower, above) ||
         std::ranges::any_of(lp.columnUpper, below) || std::ranges::any_of(lp.rowUpper, below);
}

PresolveOutcome reduced(LinearProgram const& lp, PresolveRequest const& request) {
  auto record = std::make_unique<CoinPresolved>();
  record->boundedRows = boundedRows(lp);
  Matrix matrix(lp, record->boundedRows, request);
  CoinPresolveMatrix& p = matrix.get();
  PresolveEnd const end = Driver(p, record->actions, request).run();
  if (end != PresolveEnd::reduced) return {end, nullptr};
  if (p.ncols_ == lp.columns() && p.nrows_ == lp.rows()) return {PresolveEnd::unchanged, nullptr};
  record->problem = problemOf(p, lp);
  std::string const fault = findFault(record->problem);
  if (!fault.empty()) throw std::runtime_error("the smaller problem is none: " + fault);
  if (boundsCross(record->problem)) return {PresolveEnd::infeasible, nullptr};
  record->columns.assign(p.originalColumn_, p.originalColumn_ + p.ncols_);
  for (int i = 0; i < p.nrows_; ++i)
    record->rows.push_back(record->boundedRows[at(p.originalRow_[i])]);
  record->allColumns = lp.columns();
  record->allNonzeros = p.nelems0_;
  return {PresolveEnd::reduced, std::move(record)};
}

}  // namespace
}  // namespace coin

PresolveOutcome presolveByCoin(LinearProgram const& lp, PresolveRequest const& request) {
  // CoinUtils counts entries, with room for as many again, in an int.
  constexpr std::int64_t mostNonzeros = std::numeric_limits<int>::max() / 4;
  if (lp.matrix.nonzeros() + lp.columns() + lp.rows() > mostNonzeros || lp.columns() == 0)
    return {PresolveEnd::unchanged, nullptr};
  if (coin::boundsExclude(lp) || coin::boundsCross(lp)) return {PresolveEnd::infeasible, nullptr};
  try {
    return coin::reduced(lp, request);
  } catch (coin::Stopped const&) {
    return {PresolveEnd::stopped, nullptr};
  } catch (CoinError const& e) {
    throw std::runtime_error(e.className() + "::" + e.methodName() + ": " + e.message());
  }
}

}  // namespace osi_cuda
