// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "osi_cuda/proof/located_point.hpp"

namespace osi_cuda::proof {

/// Which entries of a point and which rows leave the bounds where they rest, so that equations
/// hold: as many as can, which a small linear program finds (Freund, Roundy and Todd 1985). A line
/// is an entry or a row.
class Room {
 public:
  struct Rate {
    std::size_t line;
    double rate;  ///< of an equation by the value of the line
  };
  struct Resting {
    double unit;  ///< of a move inside, with its sign
    double most;  ///< such units
  };
  struct Move {
    std::size_t line;
    double by;
  };

  /// `step` times the size of its value is a unit of a line.
  Room(double step, std::function<Resting(std::size_t line)> restingOf)
      : step_(step), restingOf_(std::move(restingOf)) {}

  /// Moves times rates are to come to what an equation misses. Lines may repeat.
  void require(std::vector<Rate> rates, double missing);
  /// An equation that holds is to hold where others move its lines; of other lines `own` may move.
  void keep(std::vector<Rate> rates, std::size_t own);
  /// Empty: none were found within the limits.
  std::vector<Move> moves(SearchLimits& limits);

 private:
  void add(std::vector<Rate> const& rates, double missing);

  double step_;
  std::function<Resting(std::size_t)> restingOf_;
  LinearProgram problem_;  ///< its rows; columns are made of those below
  std::vector<Resting> resting_;
  std::vector<std::size_t> lines_;                                 ///< of these
  std::vector<std::vector<std::pair<int, double>>> coefficients_;  ///< of these
  std::unordered_map<std::size_t, std::size_t> known_;             ///< lines that are there
};

}  // namespace osi_cuda::proof
