// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "examples/response/plant.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::response {

// Which strengths q bring the field R q closest to the target?
//
//     minimax   min t                   |R q - target| <= t at each observation
//     sum       min sum of deviations
//     few       as few sources as possible with every deviation within a tolerance, by repeated
//               LPs: a source's cost is 1 / (its strength of the round before + a little)
//               (Candes, Wakin and Boyd 2008)
//
// within bounds on q, a budget for the sum of |q| (of q where none may be negative), a limit on
// the field at the guards, and possibly a tolerance that no deviation may exceed.

enum class Goal { minimax, sum, few };
inline std::vector<std::string> const goalNames{"minimax", "sum", "few"};

struct Limits {
  double lower = 0.0, upper = 1e30;  ///< of each strength; 1e30: none
  std::optional<double> budget;      ///< for the sum of strengths
  std::optional<double> guard;       ///< for the field at the guards
  std::optional<double> within;      ///< for each deviation
};

/// An observation whose demand costs something: by how much the goal would fall if its demand were
/// given up by one unit.
struct Limiting {
  int observation = 0;
  bool tooLow = false;  ///< the field there is below the target, else above
  double price = 0.0;
};

/// Multipliers of demands that no strengths meet together: a weighted sum of fields (and of the
/// budget) that would have to be at least `needed`, while the sources can bring it to `possible` at
/// most.
struct Contradiction {
  struct Part {
    std::string what;
    double multiplier;
  };
  std::vector<Part> parts;  ///< the heaviest first
  double needed = 0.0, possible = 0.0;
  bool exists() const { return !parts.empty(); }
  std::string sentence() const;
};

enum class Outcome {
  optimal,
  infeasible,
  stopped,  ///< by the time limit
  unsolved
};

struct Placement {
  Outcome outcome = Outcome::unsolved;
  std::vector<double> strength;   ///< by source
  std::vector<double> deviation;  ///< by observation: field - target
  double worst = 0.0, total = 0.0, spent = 0.0;
  int sourcesOn = 0;
  double tolerance = 0.0;          ///< goal few: what deviations stay within
  std::vector<Limiting> limiting;  ///< the dearest first
  double budgetPrice = 0.0;        ///< by how much the goal falls with a budget larger by one
  Contradiction contradiction;
  std::string engine;  ///< of the solver cuda: what executed its last pivots; else empty
  int rows = 0, columns = 0, iterations = 0, rounds = 0;
  double formulateSeconds = 0.0, solveSeconds = 0.0;
};

using SolverFactory = std::function<std::unique_ptr<OsiSolverInterface>()>;

/// `mpsPath`: writes the (first) LP there unless empty; ends with .mps.
Placement place(Plant const& plant, Goal goal, Limits const& limits, SolverFactory const& make,
                std::string const& mpsPath = "");

/// Checks a contradiction anew against the plant; used on every one that is reported.
bool holds(Plant const& plant, Limits const& limits, std::vector<double> const& multipliers,
           double& needed, double& possible);

}  // namespace osi_cuda::response
