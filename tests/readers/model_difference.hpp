// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// What two readers need not agree on, as a documented difference between formats or programs.
struct Ignore {
  bool names = false;
  bool integers = false;
  bool choices = false;
  bool sense = false;
  bool offset = false;
  /// Relative difference of numbers: some readers parse decimals to the last bit but one.
  double rounding = 0.0;
};

namespace detail {

inline bool same(double a, double b, double rounding) {
  return a == b || std::abs(a - b) <= rounding * std::abs(a);
}
inline bool same(auto const& a, auto const& b, double) {
  return a == b;
}

template <class Value>
std::string vectorDifference(char const* what, std::vector<Value> const& a,
                             std::vector<Value> const& b, double rounding = 0.0) {
  std::ostringstream text;
  text << std::setprecision(17) << what;
  if (a.size() != b.size()) {
    text << ": lengths " << a.size() << " and " << b.size();
    return text.str();
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same(a[i], b[i], rounding)) continue;
    text << "[" << i << "]: " << +a[i] << " and " << +b[i];
    return text.str();
  }
  return {};
}

inline std::string vectorDifference(char const* what, std::vector<std::string> const& a,
                                    std::vector<std::string> const& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i]) return std::string(what) + ": " + a[i] + " and " + b[i];
  }
  return a.size() == b.size() ? "" : std::string(what) + ": lengths differ";
}

inline std::vector<char> marks(LinearProgram const& lp) {
  return lp.integer.empty() ? std::vector<char>(lp.columns(), 0) : lp.integer;
}

}  // namespace detail

/// The first difference between two models, or an empty string; numbers are compared bit for bit
/// but for the sign of zero.
inline std::string firstDifference(LinearProgram const& a, LinearProgram const& b,
                                   Ignore ignore = {}) {
  using detail::vectorDifference;
  if (a.rows() != b.rows() || a.columns() != b.columns()) {
    return "shapes " + std::to_string(a.rows()) + " x " + std::to_string(a.columns()) + " and " +
           std::to_string(b.rows()) + " x " + std::to_string(b.columns());
  }
  std::string found;
  auto const note = [&found](std::string text) {
    if (found.empty()) found = std::move(text);
  };
  if (!ignore.names) {
    note(vectorDifference("rowNames", a.rowNames, b.rowNames));
    note(vectorDifference("columnNames", a.columnNames, b.columnNames));
  }
  note(vectorDifference("starts", a.matrix.starts, b.matrix.starts));
  note(vectorDifference("indices", a.matrix.indices, b.matrix.indices));
  note(vectorDifference("values", a.matrix.values, b.matrix.values, ignore.rounding));
  note(vectorDifference("objective", a.objective, b.objective, ignore.rounding));
  note(vectorDifference("columnLower", a.columnLower, b.columnLower, ignore.rounding));
  note(vectorDifference("columnUpper", a.columnUpper, b.columnUpper, ignore.rounding));
  note(vectorDifference("rowLower", a.rowLower, b.rowLower, ignore.rounding));
  note(vectorDifference("rowUpper", a.rowUpper, b.rowUpper, ignore.rounding));
  if (!ignore.integers) note(vectorDifference("integer", detail::marks(a), detail::marks(b)));
  auto const choicesOf = [&](LinearProgram const& lp) {
    auto choices = lp.choices;
    for (auto& set : choices.sets)
      if (ignore.names) set.name.clear();
    return choices;
  };
  if (!ignore.choices && choicesOf(a) != choicesOf(b))
    note("sets or semicontinuous columns differ");
  if (!ignore.sense && a.sense != b.sense) note("the senses differ");
  if (!ignore.offset && !detail::same(a.objectiveOffset, b.objectiveOffset, ignore.rounding)) {
    note("offsets " + std::to_string(a.objectiveOffset) + " and " +
         std::to_string(b.objectiveOffset));
  }
  return found;
}

}  // namespace osi_cuda::testing
