// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "lab/stress/dice.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::stress {

/// How a problem is to be searched, by the names and defaults of the options.
struct SearchSettings {
  double absoluteGap = 1e-6, relativeGap = 0.0;
  double timeLimit = infinity;                       ///< seconds
  std::int64_t nodeLimit = -1, iterationLimit = -1;  ///< below 0: none
  int interruptAfter = -1;  ///< so many polls, of a process milliseconds; below 0: never
  std::string cuts = "auto";
  bool exact = false;
  int searchThreads = 1;

  /// Something may end the search before its proof.
  bool limited() const {
    return timeLimit < infinity || nodeLimit >= 0 || iterationLimit >= 0 || interruptAfter >= 0;
  }
  /// Names and values of the options that differ from their defaults.
  std::vector<std::pair<std::string, std::string>> options() const;
};

struct IntegerProblem {
  LinearProgram lp;
  SearchSettings settings;
};

/// A way to make small problems with integer columns that enumeration can settle.
struct IntegerFamily {
  std::string name, what;
  std::function<IntegerProblem(Dice&)> make;
};

/// All families, in the order of the table in docs/evidence/reliability.md.
std::vector<IntegerFamily> const& integerFamilies();

/// The problem of this family and seed, the same on every machine.
IntegerProblem makeIntegerProblem(IntegerFamily const& family, std::uint64_t seed);

}  // namespace osi_cuda::stress
