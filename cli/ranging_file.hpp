// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"

namespace osi_cuda::cli {

/// A ranging of `lp` as docs/guide/analysis.md describes its files, in the format that the name's
/// ending says: .json, .csv, and text for all others. Bounds that there are not are left out.
std::string rangingText(LinearProgram const& lp, Ranging const& ranging, std::string const& path);

/// "0.5" or "5%". Throws the Failure `usage`, which begins with `option`.
Loss parseLoss(std::string const& text, std::string const& option);

/// The objectives of these files for `lp`, in their order, as docs/guide/analysis.md describes the
/// files: a problem's file (.mps, .lp or .lps, also compressed) has one, others have any number,
/// and `model` stands for the problem's own. `loss` holds where a file does not say another.
/// `notice` hears what was decided. Throws readers::OpenError and readers::ReadError, also for
/// columns that `lp` has not.
std::vector<RankedObjective> readObjectives(std::vector<std::string> const& files, Loss const& loss,
                                            LinearProgram const& lp,
                                            std::function<void(std::string const&)> const& notice);

}  // namespace osi_cuda::cli
