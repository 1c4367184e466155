// SPDX-License-Identifier: EPL-2.0
#include "readers/mps_fields.hpp"

#include <algorithm>

#include "readers/words.hpp"

namespace osi_cuda::readers {

MpsFields splitFree(std::string_view line) {
  MpsFields fields(line);
  char const* place = line.data();
  char const* const end = place + line.size();
  while (!fields.full()) {
    while (place != end && isBlank(*place)) ++place;
    if (place == end) break;
    char const* const start = place;
    while (place != end && !isBlank(*place)) ++place;
    fields.add({start, at(place - start)});
  }
  return fields;
}

std::optional<MpsFields> splitFixed(std::string_view line) {
  struct Range {
    std::size_t start;
    std::size_t end;
  };
  // The first number may run on to the next field: some writers need more than 12 characters.
  static constexpr std::array<Range, 6> ranges{
      {{1, 3}, {4, 12}, {14, 22}, {24, 39}, {39, 47}, {49, std::string_view::npos}}};
  if (line.find('\t') != line.npos) return std::nullopt;

  MpsFields fields(line);
  std::size_t reached = 0;
  for (Range const& range : ranges) {
    if (range.start >= line.size()) break;
    if (!trimmed(line.substr(reached, range.start - reached)).empty()) return std::nullopt;
    std::size_t const end = std::min(range.end, line.size());
    std::string_view const word = trimmed(line.substr(range.start, end - range.start));
    if (!word.empty()) fields.add(word);
    reached = end;
  }
  return fields;
}

}  // namespace osi_cuda::readers
