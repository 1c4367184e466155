// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {

/// A basis of independent columns: of the variables in `order`, the most wanted first, those that
/// the ones before leave independent, and slacks for the rows that are left. By variable, m of them
/// set. Columns are sparse at first; once what was taken has filled in, the rest is dense. Where
/// that is too much work, or `stop` (may be empty) answers true, the choice ends early, with more
/// slacks. `threads`: of BLAS, at most.
std::vector<char> independentBasis(StandardForm const& form, std::span<std::size_t const> order,
                                   int threads, std::function<bool()> const& stop = {});

}  // namespace osi_cuda
