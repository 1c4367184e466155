// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/spelling.hpp"

#include <algorithm>
#include <cstdio>

namespace osi_cuda {
namespace {

int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int const change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string brief(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g", number);
  return digits;
}

std::optional<std::string> nearestWord(std::string_view word,
                                       std::vector<std::string> const& candidates) {
  int best = std::min(4, static_cast<int>(word.size()));
  std::optional<std::string> nearest;
  for (std::string const& candidate : candidates) {
    int const distance = editDistance(word, candidate);
    // Of short words every one is near: half of the letters have to be right.
    bool const alike = 2 * distance <= static_cast<int>(std::max(word.size(), candidate.size()));
    if (distance >= best || !alike) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::vector<std::string> const& candidates) {
  std::optional<std::string> const nearest = nearestWord(word, candidates);
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace osi_cuda
