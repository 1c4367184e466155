// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/presolve/coin_singletons.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "osi_cuda/presolve/coin_presolve.hpp"

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

}  // namespace

SingletonMender::SingletonMender(CoinPostsolveMatrix const& matrix)
    : lengths_(matrix.hincol_, matrix.hincol_ + matrix.ncols_) {
  for (int i = 0; i < matrix.nrows_; ++i) rowBasic_.push_back(matrix.rowIsBasic(i) ? 1 : 0);
}

void SingletonMender::mend(CoinPostsolveMatrix& matrix) const {
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

}  // namespace osi_cuda::coin
