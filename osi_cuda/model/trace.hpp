// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace osi_cuda {

/// A number, a truth or a word that a TraceEvent carries.
using TraceValue = std::variant<std::int64_t, double, bool, std::string>;

struct TraceField {
  char const* name;  ///< snake_case, with static storage
  TraceValue value;
};

/// One step of the control of the simplex method, told when it has been made.
/// docs/reference/program.md lists the kinds and their fields; a field is left out where it has
/// nothing to say.
struct TraceEvent {
  char const* kind = "";        ///< "start", "launch", "refactor", ...; with static storage
  double seconds = 0.0;         ///< since the solve began
  std::int64_t iterations = 0;  ///< made so far
  std::vector<TraceField> fields;
};

}  // namespace osi_cuda
