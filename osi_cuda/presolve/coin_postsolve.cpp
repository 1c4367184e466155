// SPDX-License-Identifier: EPL-2.0
// Back from the smaller problem: CoinUtils takes its actions back, the last one first.
#include <CoinError.hpp>
#include <CoinPresolveMatrix.hpp>
#include <CoinPresolveSingleton.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/presolve/coin_presolve.hpp"
#include "osi_cuda/presolve/coin_singletons.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::coin {
namespace {

using Status = CoinPrePostsolveMatrix::Status;

/// Where a nonbasic variable of that status rests; `value` where it rests nowhere.
double restingPlace(VariableStatus status, double lower, double upper, double value) {
  if (status == VariableStatus::atLower && lower != -infinity) return lower;
  if (status == VariableStatus::atUpper && upper != infinity) return upper;
  return value;
}

Status coinStatusOfColumn(VariableStatus status, double lower, double upper) {
  switch (status) {
    case VariableStatus::basic:
      return Status::basic;
    case VariableStatus::atLower:
      return lower != -infinity ? Status::atLowerBound : Status::isFree;
    case VariableStatus::atUpper:
      return upper != infinity ? Status::atUpperBound : Status::isFree;
    case VariableStatus::free:
      break;
  }
  return lower == -infinity && upper == infinity ? Status::isFree : Status::superBasic;
}

/// CoinUtils speaks of the slack of a row, whose bounds are the other way round.
Status coinStatusOfRow(VariableStatus status, double lower, double upper) {
  Status const ofActivity = coinStatusOfColumn(status, lower, upper);
  if (ofActivity == Status::atLowerBound) return Status::atUpperBound;
  if (ofActivity == Status::atUpperBound) return Status::atLowerBound;
  return ofActivity;
}

/// A nonbasic status that its bounds allow: the nearer one's.
VariableStatus nonbasicStatus(double value, double lower, double upper) {
  if (lower == -infinity && upper == infinity) return VariableStatus::free;
  if (lower == -infinity) return VariableStatus::atUpper;
  if (upper == infinity) return VariableStatus::atLower;
  return std::fabs(value - lower) <= std::fabs(upper - value) ? VariableStatus::atLower
                                                              : VariableStatus::atUpper;
}

/// The smaller problem with its solution in CoinUtils' terms, and room to grow. The point is put
/// where its basis has it, so that no rounding decides what becomes of a variable.
class PostsolveMatrix {
 public:
  PostsolveMatrix(LinearProgram const& lp, Solution const& point, int columns, int rows,
                  CoinBigIndex nonzeros)
      : p_(columns, rows, nonzeros) {
    p_.setMessageHandler(&silent_);
    allocate();
    loadProblem(lp);
    loadPoint(lp, point);
  }

  CoinPostsolveMatrix& get() { return p_; }

 private:
  /// Deviations that CoinUtils takes for rounding: those of the point of a solved problem are
  /// below, those that mean something above.
  static constexpr double tolerance = 1e-7;

  // CoinUtils deletes all of it.
  void allocate() {
    auto const n = at(p_.ncols0_), m = at(p_.nrows0_);
    auto const bulk = at(p_.bulk0_);
    p_.mcstrt_ = new CoinBigIndex[n + 1]();
    p_.hincol_ = new int[n + 1]();
    p_.hrow_ = new int[bulk]();
    p_.colels_ = new double[bulk]();
    p_.cost_ = new double[n]();
    p_.clo_ = new double[n]();
    p_.cup_ = new double[n]();
    p_.rlo_ = new double[m]();
    p_.rup_ = new double[m]();
    p_.originalColumn_ = new int[n]();
    p_.originalRow_ = new int[m]();
    p_.sol_ = new double[n]();
    p_.rcosts_ = new double[n]();
    p_.acts_ = new double[m]();
    p_.rowduals_ = new double[m]();
    p_.colstat_ = new unsigned char[n + m]();
    p_.rowstat_ = p_.colstat_ + n;
    p_.maxlink_ = p_.bulk0_;
    p_.link_ = new CoinBigIndex[bulk];
  }

  void loadProblem(LinearProgram const& lp) {
    p_.ncols_ = lp.columns();
    p_.nrows_ = lp.rows();
    p_.nelems_ = static_cast<CoinBigIndex>(lp.matrix.nonzeros());
    p_.maxmin_ = 1.0;
    p_.ztolzb_ = p_.ztoldj_ = tolerance;
    double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
    // Entries of a column are chained, and so are the free places after all of them.
    for (CoinBigIndex e = 0; e < p_.maxlink_; ++e) p_.link_[e] = e + 1;
    p_.link_[p_.maxlink_ - 1] = NO_LINK;
    p_.free_list_ = p_.nelems_;
    for (int j = 0; j < lp.columns(); ++j) {
      auto const begin = static_cast<CoinBigIndex>(lp.matrix.starts[at(j)]);
      auto const end = static_cast<CoinBigIndex>(lp.matrix.starts[at(j) + 1]);
      p_.mcstrt_[j] = begin;
      p_.hincol_[j] = end - begin;
      if (end > begin) p_.link_[end - 1] = NO_LINK;
      std::ranges::copy(lp.matrix.columnIndices(j), p_.hrow_ + begin);
      std::ranges::copy(lp.matrix.columnValues(j), p_.colels_ + begin);
      p_.cost_[j] = sign * lp.objective[at(j)];
      p_.clo_[j] = toCoin(lp.columnLower[at(j)]);
      p_.cup_[j] = toCoin(lp.columnUpper[at(j)]);
    }
    for (int i = 0; i < lp.rows(); ++i) {
      p_.rlo_[i] = toCoin(lp.rowLower[at(i)]);
      p_.rup_[i] = toCoin(lp.rowUpper[at(i)]);
    }
  }

  void loadPoint(LinearProgram const& lp, Solution const& point) {
    double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
    Basis const& basis = point.basis;
    for (int i = 0; i < lp.rows(); ++i)
      p_.rowduals_[i] =
          basis.rows[at(i)] == VariableStatus::basic ? 0.0 : sign * point.rowDuals[at(i)];
    for (int j = 0; j < lp.columns(); ++j) {
      auto const status = basis.columns[at(j)];
      double const lower = lp.columnLower[at(j)], upper = lp.columnUpper[at(j)];
      p_.sol_[j] = restingPlace(status, lower, upper, point.columnValues[at(j)]);
      p_.rcosts_[j] = p_.cost_[j];
      for (auto const [row, value] : lp.matrix.column(j)) {
        p_.acts_[row] += value * p_.sol_[j];
        p_.rcosts_[j] -= value * p_.rowduals_[row];
      }
      if (status == VariableStatus::basic) p_.rcosts_[j] = 0.0;
      p_.setColumnStatus(j, coinStatusOfColumn(status, lower, upper));
    }
    for (int i = 0; i < lp.rows(); ++i) {
      double const lower = lp.rowLower[at(i)], upper = lp.rowUpper[at(i)];
      p_.acts_[i] = restingPlace(basis.rows[at(i)], lower, upper, p_.acts_[i]);
      p_.setRowStatus(i, coinStatusOfRow(basis.rows[at(i)], lower, upper));
    }
  }

  SilentHandler silent_;
  CoinPostsolveMatrix p_;
};

void takeBack(CoinPresolveAction const& action, CoinPostsolveMatrix& p) {
  if (!dynamic_cast<slack_singleton_action const*>(&action)) return action.postsolve(&p);
  SingletonMender const mender(p);
  action.postsolve(&p);
  mender.mend(p);
}

/// The point in the given problem's terms; `rows` are those that CoinUtils knows.
Solution solutionOf(LinearProgram const& lp, CoinPostsolveMatrix const& p,
                    std::vector<int> const& rows) {
  double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
  Solution s;
  s.columnValues.assign(p.sol_, p.sol_ + lp.columns());
  s.rowDuals.assign(at(lp.rows()), 0.0);
  s.rowActivity.assign(at(lp.rows()), 0.0);
  s.basis.rows.assign(at(lp.rows()), VariableStatus::basic);  // of rows without bounds
  s.basis.columns.resize(at(lp.columns()));
  for (std::size_t k = 0; k < rows.size(); ++k) s.rowDuals[at(rows[k])] = sign * p.rowduals_[k];
  s.reducedCosts = lp.objective;
  for (int j = 0; j < lp.columns(); ++j) {
    for (auto const [row, entry] : lp.matrix.column(j)) {
      s.rowActivity[at(row)] += entry * s.columnValues[at(j)];
      s.reducedCosts[at(j)] -= entry * s.rowDuals[at(row)];
    }
    double const lower = lp.columnLower[at(j)], upper = lp.columnUpper[at(j)];
    // At which bound a nonbasic variable is, its value says: statuses are not the same in all
    // actions.
    s.basis.columns[at(j)] = p.columnIsBasic(j)
                                 ? VariableStatus::basic
                                 : nonbasicStatus(s.columnValues[at(j)], lower, upper);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto const i = at(rows[k]);
    if (p.rowIsBasic(static_cast<int>(k))) continue;
    s.basis.rows[i] = nonbasicStatus(s.rowActivity[i], lp.rowLower[i], lp.rowUpper[i]);
  }
  s.objective = objectiveOf(lp, s.columnValues);
  return s;
}

}  // namespace

Solution CoinPresolved::postsolve(LinearProgram const& lp, Solution const& reduced) const {
  try {
    PostsolveMatrix matrix(problem, reduced, allColumns, static_cast<int>(boundedRows.size()),
                           allNonzeros);
    for (auto const* action = actions.first; action; action = action->next)
      takeBack(*action, matrix.get());
    return solutionOf(lp, matrix.get(), boundedRows);
  } catch (CoinError const& e) {
    throw std::runtime_error(e.className() + "::" + e.methodName() + ": " + e.message());
  }
}

}  // namespace osi_cuda::coin
