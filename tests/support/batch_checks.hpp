// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda::testing {

/// Verifies answer k of a batch by the functions of proof/residuals.hpp, its basis by its size.
void checkAnswer(LinearProgram const& lp, BatchResults const& results, std::size_t k);

/// Values and multipliers of answer k.
Solution pointOf(BatchResults const& results, std::size_t k);

/// Whether the functions of proof/residuals.hpp accept answer k within `tolerance`, and where they
/// do not, rational arithmetic what the rule of statuses says of it; true where it claims nothing.
bool stands(LinearProgram const& lp, BatchResults const& results, std::size_t k, double tolerance);

/// Answer k of one batch is answer l of the other, bit by bit.
void checkSameBits(BatchResults const& results, std::size_t k, BatchResults const& others,
                   std::size_t l);

/// Problems that no batch should trip over: numbers that are none, no rows, no columns, nothing at
/// all, infeasible and unbounded ones; and what becomes of each.
std::vector<LinearProgram> poisonedProblems();
std::string poisonedStatus(std::size_t k);

}  // namespace osi_cuda::testing
