// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/engine/factors/factored_basis.hpp"

namespace osi_cuda::factors {

/// Solves with a basis that are refined against the original data (host::refine). Where the factors
/// with their exchanges do not get there, fresh ones of the same basis are formed, and kept until
/// forget(). In double-double arithmetic solves are exact enough as they are.
template <class Number>
class RefinedFactors {
 public:
  /// What the solves are of: `basic` are the basis's variables by row position.
  struct Present {
    StandardForm const& form;
    FactoredBasis<Number> const& basis;
    std::vector<int> const& basic;
    std::function<bool()> const& stop;
  };

  /// B z = b: b by constraint, z by row position. Length m.
  std::vector<double> ftran(Present const& present, std::span<double const> b);
  /// B'y = c: c by row position, y by constraint. Length m.
  std::vector<double> btran(Present const& present, std::span<double const> c);
  /// The basis is another one.
  void forget() { fresh_.reset(); }

 private:
  /// Factors without exchanges, and the present row position of each of theirs.
  struct Fresh {
    FactoredBasis<Number> basis;
    std::vector<int> place;
  };

  bool factorAnew(Present const& present);
  template <class Solve, class ResidualOf>
  std::vector<double> refined(Present const& present, std::span<double const> right, Solve solve,
                              ResidualOf residual);

  std::optional<Fresh> fresh_;
};

}  // namespace osi_cuda::factors
