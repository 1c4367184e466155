// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace osi_cuda {

/// In three digits, as messages have numbers; std::to_string would print 1e-7 as 0.000000.
std::string brief(double number);

/// The candidate that `word` was probably meant to be: the one that the fewest single-character
/// edits (Levenshtein distance) turn into it. Nothing when all need more than three, as many as the
/// word has characters, or more than half of the longer of both.
std::optional<std::string> nearestWord(std::string_view word,
                                       std::vector<std::string> const& candidates);

/// "; did you mean 'candidate'?", or nothing where no candidate is near.
std::string suggestion(std::string_view word, std::vector<std::string> const& candidates);

}  // namespace osi_cuda
