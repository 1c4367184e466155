// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/batch/variants.hpp"

namespace osi_cuda::batch {

class StartPool;

/// The changes of many variants as the teams read them.
struct VariantList {
  std::vector<VariantTask> tasks;  ///< of each variant; nothing where `end` is settled
  std::vector<VariantNumber> numbers;
  std::vector<VariantCoefficient> coefficients;
  std::vector<std::uint32_t> starts;  ///< as VariantChanges::start, of all
  /// numerical: to be solved; invalid; infeasible: bounds cross, and that is the proof.
  std::vector<BatchStatus> end;
  std::vector<BatchNote> notes;  ///< of invalid ones, ascending
  int entering = 0;              ///< of the starts, at most

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
  /// Puts others behind these.
  void append(VariantList const& other);
  /// Variant k begins at the basis of these bits (StartPool), from a common one with `basic`.
  void begin(std::size_t k, std::span<std::uint32_t const> bits,
             std::span<std::uint32_t const> basic);
};

/// By some threads. With `pool`, and the basic bits of the common basis, variants begin where
/// `variants.start` says.
VariantList listVariants(LinearProgram const& lp, BatchVariants const& variants, int threads = 1,
                         StartPool const* pool = nullptr,
                         std::span<std::uint32_t const> basic = {});

}  // namespace osi_cuda::batch
