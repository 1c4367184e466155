// SPDX-License-Identifier: EPL-2.0
#include "readers/nl_counts.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/concat.hpp"

namespace osi_cuda::readers {
namespace {

std::vector<char> none(int count) {
  return std::vector<char>(at(count), 0);
}

}  // namespace

NlCounts::NlCounts(NlTokens& tokens, NlHeader const& header)
    : tokens_(tokens),
      header_(header),
      kinds_{{'F', "function ", true, none(header.functions)},
             {'C', "constraint ", true, none(header.constraints)},
             {'O', "objective ", true, none(header.objectives)},
             {'r', "", header.constraints > 0, none(1)},
             {'b', "", header.variables > 0, none(1)},
             {'J', "constraint ", false, none(header.constraints)},
             {'G', "objective ", false, none(header.objectives)},
             {'k', "", false, none(1)},
             {'d', "", false, none(1)},
             {'x', "", false, none(1)}},
      columnEntries_(at(header.variables), 0) {}

void NlCounts::segment(char kind, int number) {
  auto const found = std::ranges::find(kinds_, kind, &Kind::letter);
  char& seen = found->seen[at(number)];
  if (seen) {
    std::string const of = *found->of ? concat(" of ", found->of, number) : "";
    tokens_.fail("each segment once", concat("segment ", kind, of, " a second time"));
  }
  seen = 1;
}

void NlCounts::beginList(int size) {
  inList_.resize(std::max(inList_.size(), at(size)), 0);
  ++list_;
}

void NlCounts::listed(int number) {
  int& last = inList_[at(number)];
  if (last == list_) tokens_.fail("each number once", concat(number, " a second time"));
  last = list_;
}

void NlCounts::rowBounds(double lower, double upper) {
  if (std::isfinite(lower) && std::isfinite(upper)) ++(lower == upper ? equations_ : ranges_);
}

/// Nothing but the end of the file comes: says that instead of `expected`.
void NlCounts::need(std::string const& expected) const {
  tokens_.letter(expected.c_str());
}

void NlCounts::needCount(std::int64_t found, int expected, std::string const& what) const {
  if (expected >= 0 && found != expected)
    need(concat(expected, " ", what, " as the header says, not ", found));
}

void NlCounts::complete(int undefined) const {
  if (undefined >= 0) need(concat("segment V of common expression ", undefined));
  for (Kind const& kind : kinds_) {
    auto const missing = std::ranges::find(kind.seen, 0);
    if (!kind.needed || missing == kind.seen.end()) continue;
    std::string const number = std::to_string(missing - kind.seen.begin());
    need(concat("segment ", kind.letter, (*kind.of ? " of " + (kind.of + number) : "")));
  }
  // Writers differ in what a row with two equal sides is.
  if (header_.ranges >= 0 && header_.equations >= 0)
    needCount(ranges_ + equations_, header_.ranges + header_.equations,
              "ranges and equations in segment r");
  needCount(jacobianEntries_, header_.jacobianEntries, "entries in segments J");
  needCount(gradientEntries_, header_.gradientEntries, "entries in segments G");
  for (std::size_t j = 0; j < counts_.size(); ++j)
    if (counts_[j] != columnEntries_[j])
      need(concat(counts_[j], " entries of variable ", j, " as segment k says, not ",
                  columnEntries_[j]));
}

}  // namespace osi_cuda::readers
