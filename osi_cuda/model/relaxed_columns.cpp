// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/relaxed_columns.hpp"

#include <algorithm>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

std::string RelaxedColumns::text(std::string const& keeping) const {
  std::string text;
  auto const tell = [&text](int count, char const* kind) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + kind + (count == 1 ? "" : "s");
  };
  tell(integers, " integer column");
  tell(semicontinuous, " semicontinuous column");
  tell(sets, " special ordered set");
  bool const isOne = integers + semicontinuous + sets == 1;
  return text.empty() ? text : text + " (" + keeping + " keeps " + (isOne ? "it)" : "them)");
}

RelaxedColumns relaxedIn(LinearProgram const& lp) {
  return {static_cast<int>(std::ranges::count(lp.integer, char{1})),
          static_cast<int>(lp.choices.semicontinuous.size()),
          static_cast<int>(lp.choices.sets.size())};
}

}  // namespace osi_cuda
