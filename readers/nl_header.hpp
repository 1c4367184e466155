// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "readers/nl_tokens.hpp"

namespace osi_cuda::readers {

/// What the ten lines at the beginning of a .nl file say, as far as linear problems need it.
struct NlHeader {
  std::vector<int> options;     ///< of the first line, to be handed back in the .sol file
  double boundTolerance = 0.0;  ///< handed back as well, where options[1] is 3
  int variables = 0;
  int constraints = 0;
  int objectives = 0;
  int commonExpressions = 0;
  int functions = 0;
  /// What the segments are counted against; -1 where a short line does not say.
  int ranges = -1, equations = -1;  ///< constraints with two bounds, different or equal
  int jacobianEntries = -1;         ///< of all segments J
  int gradientEntries = -1;         ///< of all segments G
  /// Variables are ordered: those that are nonlinear somewhere, each kind with its integers last,
  /// then linear ones, of which the binaries and the other integers come last.
  int nonlinearInConstraints = 0;
  int nonlinearInObjectives = 0;
  int nonlinearInBoth = 0;
  int binaries = 0;
  int integers = 0;
  int integersInBoth = 0;
  int integersInConstraints = 0;
  int integersInObjectives = 0;

  /// A mark for each variable, 1 for an integer one; empty if there is none.
  std::vector<char> integerMarks() const;
};

/// Reads the header and leaves `tokens` behind it, in the form that it announces. Throws ReadError,
/// also for what no linear problem has: logical and complementarity constraints.
NlHeader readNlHeader(NlTokens& tokens);

/// Whether a file that begins so is a .nl file: g or b and a number, then lines of numbers.
bool isNl(std::string_view beginning);

}  // namespace osi_cuda::readers
