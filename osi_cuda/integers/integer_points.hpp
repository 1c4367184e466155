// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/search/request.hpp"

/// What the point of a search is worth: its integers made whole, the rest solved and verified.
namespace osi_cuda {

/// `lp` with its choices decided as these values do, integers made whole: solved and proved there.
/// Another status than optimal: there is no such point.
Solution solvedAt(LinearProgram lp, std::span<double const> values, Options const& options,
                  Callbacks const& callbacks, Basis const& basis);

/// The point itself, its choices decided, where the verifier takes it as it is.
Solution verifiedAt(LinearProgram lp, std::span<double const> values, Options const& options);

/// What there is without an incumbent: a status, and nothing proved.
Solution withoutPoint(Status status, std::string const& message = {});

/// The answer of a search that has found a point, or has not: `limit` is what ended it from
/// outside.
Solution ended(SearchOutcome const& outcome, Limit limit, Solution point);

}  // namespace osi_cuda
