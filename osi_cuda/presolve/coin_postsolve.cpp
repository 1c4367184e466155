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
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::coin {
namespace {

using Status = CoinPrePostsolveMatrix::Status;

/// A variable of one row and nothing else, by what it adds to the row: the slack takes the negative
/// activity.
struct Member {
  int column = -1;  ///< -1: the row's slack
  double factor = 0.0;
  double least = 0.0, most = 0.0;  ///< what it may add
  double share = 0.0;              ///< what it adds
};

bool isFree(Member const& member) {
  return member.least == -infinity && member.most == infinity;
}

/// Gives `total` to the members so that all but one are at an end of what they may add, or at zero
/// where there is none. Returns that one: the first without an end, or the first that what is left
/// does not carry to its other end.
std::size_t distribute(std::vector<Member>& members, double total) {
  double rest = total;
  for (Member& member : members) {
    member.share = member.least != -infinity ? member.least
                   : member.most != infinity ? member.most
                                             : 0.0;
    rest -= member.share;
  }
  auto const free = std::ranges::find_if(members, isFree);
  auto chosen = at(free - members.begin());
  if (free == members.end()) {
    chosen = members.size() - 1;
    for (std::size_t k = 0; k < members.size(); ++k) {
      double const end = rest >= 0.0 ? members[k].most : members[k].least;
      double const way = end - members[k].share;
      if (way == 0.0) continue;
      if (std::fabs(way) >= std::fabs(rest)) {
        chosen = k;
        break;
      }
      members[k].share = end;
      rest -= way;
    }
  }
  members[chosen].share += rest;
  return chosen;
}

/// Of a nonbasic variable that adds `share`.
Status statusAt(Member const& member) {
  if (isFree(member)) return Status::isFree;
  bool const atLeast = member.share == member.least;
  return atLeast == (member.factor > 0.0) ? Status::atLowerBound : Status::atUpperBound;
}

void store(Member const& member, Status status, int row, CoinPostsolveMatrix& p) {
  if (member.column < 0) {
    p.acts_[row] = -member.share;
    // The slack's bounds are the other way round than those of the activity.
    if (status == Status::atLowerBound)
      status = Status::atUpperBound;
    else if (status == Status::atUpperBound)
      status = Status::atLowerBound;
    p.setRowStatus(row, status);
  } else {
    p.sol_[member.column] = member.share / member.factor;
    p.setColumnStatus(member.column, status);
  }
}

/// Mends what slack_singleton_action makes of a basis on the way back. It takes columns without
/// cost that have an entry in one row only into the bounds of that row. Several of them in a row it
/// takes out again one by one, each looked at by itself, and leaves more of them basic than there
/// are rows, or between their bounds and nonbasic.
///
/// What such columns and the slack of their row add up to is left as it is; where the slack was
/// basic, all of them but one go to a bound, those without a bound to zero, and that one becomes
/// basic and takes the rest. None of them has a reduced cost, as the row's dual is zero, so that
/// the point stays as good as it was.
class SingletonMender {
 public:
  /// Before the action is taken back.
  explicit SingletonMender(CoinPostsolveMatrix const& matrix)
      : lengths_(matrix.hincol_, matrix.hincol_ + matrix.ncols_) {
    for (int i = 0; i < matrix.nrows_; ++i) rowBasic_.push_back(matrix.rowIsBasic(i) ? 1 : 0);
  }
  /// After it was.
  void mend(CoinPostsolveMatrix& matrix) const {
    CoinPostsolveMatrix& p = matrix;
    std::unordered_map<int, std::vector<Member>> ofRow;
    for (int j = 0; j < p.ncols_; ++j) {
      if (p.hincol_[j] == lengths_[at(j)]) continue;
      int const row = p.hrow_[p.mcstrt_[j]];
      double const factor = p.colels_[p.mcstrt_[j]];
      if (!rowBasic_[at(row)]) continue;
      Member member{j, factor, factor * fromCoin(p.clo_[j]), factor * fromCoin(p.cup_[j]),
                    factor * p.sol_[j]};
      if (factor < 0.0) std::swap(member.least, member.most);
      ofRow[row].push_back(member);
    }
    for (auto& [row, members] : ofRow) {
      members.push_back({-1, -1.0, -fromCoin(p.rup_[row]), -fromCoin(p.rlo_[row]), -p.acts_[row]});
      double total = 0.0;
      for (Member const& member : members) total += member.share;
      std::size_t const chosen = distribute(members, total);
      for (std::size_t k = 0; k < members.size(); ++k)
        store(members[k], k == chosen ? Status::basic : statusAt(members[k]), row, p);
    }
  }

 private:
  std::vector<int> lengths_;    ///< of the columns
  std::vector<char> rowBasic_;  ///< by row
};

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
