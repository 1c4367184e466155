// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/relaxed_columns.hpp"

#include <algorithm>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

std::string RelaxedColumns::text(std::string const& keeping) const {
  auto const columns = [](int count, char const* kind) {
    return std::to_string(count) + kind + (count == 1 ? " column" : " columns");
  };
  std::string text;
  if (integers > 0)
    text = columns(integers, " integer") + " (" + keeping + " keeps " +
           (integers == 1 ? "it)" : "them)");
  if (semicontinuous > 0)
    text += (text.empty() ? "" : ", ") + columns(semicontinuous, " semicontinuous");
  return text;
}

RelaxedColumns relaxedIn(LinearProgram const& lp) {
  return {static_cast<int>(std::ranges::count(lp.integer, char{1})), lp.semicontinuous};
}

}  // namespace osi_cuda
