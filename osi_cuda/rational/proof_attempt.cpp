// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/proof_attempt.hpp"

namespace osi_cuda::rational {

std::string counted(std::size_t count, std::string const& one, std::string const& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string singularSentence(LinearProgram const& lp, LinearSystem const& system) {
  auto const& columns = system.dependentColumns();
  return "In exact arithmetic the basis is singular: " +
         counted(columns.size(), "basic column depends", "basic columns depend") +
         " on the others (" + variableName(lp, columns.front()) + ").";
}

std::string stoppedSentence() {
  return "The check in exact arithmetic was stopped before its end.";
}

std::string tooLargeSentence(TooLarge const& need) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  return "The check in exact arithmetic needs more memory than it may use: about " +
         std::to_string(static_cast<long long>(need.bytes / mebibyte)) + " MiB.";
}

}  // namespace osi_cuda::rational
