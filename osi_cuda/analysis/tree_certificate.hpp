// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>

#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/tree_certificate.hpp"

namespace osi_cuda {

/// There is no proof of a tree to write; what() says why.
struct NoTreeProof : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The lines that a search wrote of `lp` (IntegerCallbacks::tree) as statements of which each
/// follows from earlier ones: branches are assumptions, a leaf is a combination of constraints, two
/// leaves of one branch are one statement without its assumption. `found` is the answer of the
/// search; its point counts where it is feasible exactly with its integers fixed. `stop` is polled
/// and may be empty.
///
/// Takes about (rows + columns) numbers of memory for each leaf. Throws NoTreeProof where nothing
/// is proved, where the text would exceed `mostBytes`, and for what `stop` ends.
TreeCertificate certificateOfTree(LinearProgram const& lp, std::string_view lines,
                                  Solution const& found, std::function<bool()> const& stop = {},
                                  std::size_t mostBytes = std::size_t{1} << 30);

}  // namespace osi_cuda
