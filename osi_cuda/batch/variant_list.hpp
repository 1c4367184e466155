// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/batch/variants.hpp"

namespace osi_cuda::batch {

/// The changes of many variants as the teams read them.
struct VariantList {
  std::vector<VariantTask> tasks;  ///< of each variant; nothing where `end` is settled
  std::vector<VariantNumber> numbers;
  std::vector<VariantCoefficient> coefficients;
  std::vector<std::uint32_t> starts;  ///< as VariantChanges::start, of all
  /// numerical: to be solved; invalid; infeasible: bounds cross, and that is the proof.
  std::vector<BatchStatus> end;
  std::vector<BatchNote> notes;  ///< of invalid ones, ascending

  VariantChanges changes(std::size_t k) const {
    VariantTask const& task = tasks[k];
    return {numbers.data() + task.firstNumber,
            coefficients.data() + task.firstCoefficient,
            task.numbers,
            task.coefficients,
            task.costs,
            task.firstStart < 0 ? nullptr : starts.data() + task.firstStart,
            task.leaving,
            task.entering};
  }
  /// Variant k begins at the basis of these bits (StartPool), from a common one with `basic`.
  void begin(std::size_t k, std::span<std::uint32_t const> bits,
             std::span<std::uint32_t const> basic);
};

VariantList listVariants(LinearProgram const& lp, BatchVariants const& variants);

}  // namespace osi_cuda::batch
