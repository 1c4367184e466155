// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/dea/units.hpp"
#include "osi_cuda/batch/variants.hpp"

/// Data envelopment analysis (Charnes, Cooper and Rhodes 1978; variable returns to scale: Banker,
/// Charnes and Cooper 1984): how much less input a mix of units would need for what unit o makes,
/// or how much more it would make of what unit o takes.
///
///     input:   min theta   sum_j lambda_j x_j <= theta x_o,  sum_j lambda_j y_j >= y_o
///     output:  max phi     sum_j lambda_j x_j <= x_o,        sum_j lambda_j y_j >= phi y_o
///
/// with lambda >= 0, and sum lambda = 1 with variable returns. The problems of all units have one
/// matrix but for the column of theta (phi) and the right-hand sides: variants of one problem.
namespace osi_cuda::examples::dea {

enum class Orientation { input, output };
enum class Returns { constant, variable };

struct Question {
  Orientation orientation = Orientation::input;
  Returns returns = Returns::constant;
};

/// The problem of unit `unit`: column 0 is theta or phi, column 1 + j lambda_j; rows are inputs,
/// outputs and, with variable returns, the sum.
LinearProgram envelopment(Units const& units, Question const& question, std::size_t unit);

/// What makes the problem of any unit that of `unit`.
std::vector<VariantChange> changesFor(Units const& units, Question const& question,
                                      std::size_t unit);

/// What came of one unit.
struct Score {
  BatchStatus status = BatchStatus::numerical;
  double efficiency = 0.0;  ///< theta, or 1 / phi: 1 is efficient
  double residual = 0.0;
  int iterations = 0;
};

/// A unit of the mix that unit `unit` is measured by.
struct Reference {
  std::size_t unit = 0, reference = 0;
  double weight = 0.0;
};

struct Analysis {
  std::vector<Score> scores;          ///< by unit
  std::vector<Reference> references;  ///< where they are wanted
  double seconds = 0.0;               ///< wall time, of the first problem's solve as well
  double deviceSeconds = 0.0;
  std::size_t again = 0;  ///< units that the ordinary solver took over
  std::string device;
};

/// Scores of all units. `progress` is told how many are through, and answers whether to stop; it
/// may be empty.
Analysis analyse(Units const& units, Question const& question, VariantOptions options,
                 bool wantsReferences, std::function<bool(std::size_t)> const& progress = {});

}  // namespace osi_cuda::examples::dea
