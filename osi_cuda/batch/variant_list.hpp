// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/batch/variants.hpp"

namespace osi_cuda::batch {

/// The changes of many variants as the teams read them.
struct VariantList {
  std::vector<VariantTask> tasks;  ///< of each variant; nothing where `end` is settled
  std::vector<VariantNumber> numbers;
  std::vector<VariantCoefficient> coefficients;
  /// numerical: to be solved; invalid; infeasible: bounds cross, and that is the proof.
  std::vector<BatchStatus> end;
  std::vector<BatchNote> notes;  ///< of invalid ones, ascending

  VariantChanges changes(std::size_t k) const {
    VariantTask const& task = tasks[k];
    return {numbers.data() + task.firstNumber, coefficients.data() + task.firstCoefficient,
            task.numbers, task.coefficients, task.costs};
  }
};

VariantList listVariants(LinearProgram const& lp, BatchVariants const& variants);

}  // namespace osi_cuda::batch
