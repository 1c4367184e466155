// SPDX-License-Identifier: EPL-2.0
// In the place of Cbc: a search that looks at nothing and claims what OSI_CUDA_FALSE_CLAIM says.
#include <cstdlib>
#include <string_view>

#include "osi_cuda/integers/cbc_module.hpp"

namespace {

using namespace osi_cuda;

/// "infeasible"; "lower": each integer at its lower bound is optimal; "doubts": the same, and not
/// sure.
SearchOutcome claim(SearchRequest const& request) {
  char const* const word = std::getenv("OSI_CUDA_FALSE_CLAIM");
  std::string_view const claimed = word ? word : "infeasible";
  SearchOutcome outcome;
  outcome.status = claimed == "infeasible" ? Status::infeasible : Status::optimal;
  outcome.doubts = claimed == "doubts" ? 1 : 0;
  if (claimed == "infeasible") return outcome;
  outcome.values = request.problem.columnLower;
  outcome.last.objective = request.problem.objectiveOffset;
  for (std::size_t j = 0; j < outcome.values.size(); ++j)
    outcome.last.objective += request.problem.objective[j] * outcome.values[j];
  outcome.last.bound = outcome.last.objective;
  return outcome;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) CbcModule const* osiCudaCbc() {
  static constexpr CbcModule module{OSI_CUDA_CBC_INTERFACE, claim};
  return &module;
}
