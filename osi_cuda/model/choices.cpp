// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/choices.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/relaxed_columns.hpp"

namespace osi_cuda {

void Choices::addSemicontinuous(int j, double& lower, double& upper) {
  semicontinuous.push_back({j, lower > 0.0 ? lower : upper < 0.0 ? upper : 0.0});
  lower = std::min(lower, 0.0);
  upper = std::max(upper, 0.0);
}

void Choices::sortSets() {
  for (OrderedSet& set : sets) {
    std::vector<std::pair<double, int>> members;
    for (std::size_t k = 0; k < set.columns.size(); ++k)
      members.emplace_back(set.weights[k], set.columns[k]);
    std::ranges::stable_sort(members, {}, &std::pair<double, int>::first);
    for (std::size_t k = 0; k < members.size(); ++k)
      std::tie(set.weights[k], set.columns[k]) = members[k];
  }
}

void Choices::renumber(std::vector<int> const& newNumbers) {
  for (SemicontinuousColumn& one : semicontinuous) one.column = newNumbers[at(one.column)];
  std::erase_if(semicontinuous, [](auto const& one) { return one.column < 0; });
  for (OrderedSet& set : sets) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < set.columns.size(); ++k) {
      int const column = newNumbers[at(set.columns[k])];
      if (column < 0) continue;
      set.columns[kept] = column;
      set.weights[kept++] = set.weights[k];
    }
    set.columns.resize(kept);
    set.weights.resize(kept);
  }
  std::erase_if(sets, [](auto const& set) { return set.columns.empty(); });
}

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
