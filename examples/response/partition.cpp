// SPDX-License-Identifier: EPL-2.0
#include "examples/response/partition.hpp"

#include <algorithm>
#include <numeric>

namespace osi_cuda::response {
namespace {

using Item = std::vector<int>::iterator;

/// Reorders the items so that those before the returned place lie on the lower side of the cut.
Item cut(std::vector<Point> const& places, Item begin, Item end, std::ptrdiff_t lower) {
  Point low = places[*begin], high = low;
  for (Item k = begin; k != end; ++k) {
    low = {std::min(low.x, places[*k].x), std::min(low.y, places[*k].y)};
    high = {std::max(high.x, places[*k].x), std::max(high.y, places[*k].y)};
  }
  bool const alongX = high.x - low.x >= high.y - low.y;
  auto const before = [&](int a, int b) {
    double const u = alongX ? places[a].x : places[a].y, v = alongX ? places[b].x : places[b].y;
    return u != v ? u < v : a < b;
  };
  if (begin + lower != end) std::nth_element(begin, begin + lower, end, before);
  return begin + lower;
}

void divide(std::vector<Point> const& places, Item begin, Item end, int count, Parts& parts) {
  if (count == 1 || end - begin <= 1) {
    std::sort(begin, end);
    for (int k = 0; k < count; ++k)  // parts of no items keep the number right
      parts.start.push_back(parts.start.back() + (k == 0 ? int(end - begin) : 0));
    return;
  }
  int const lower = count / 2;
  Item const middle = cut(places, begin, end, (end - begin) * lower / count);
  divide(places, begin, middle, lower, parts);
  divide(places, middle, end, count - lower, parts);
}

Parts allIn(std::size_t size) {
  Parts parts;
  parts.member.resize(size);
  std::iota(parts.member.begin(), parts.member.end(), 0);
  return parts;
}

}  // namespace

Parts partsOf(std::vector<Point> const& places, int count) {
  Parts parts = allIn(places.size());
  divide(places, parts.member.begin(), parts.member.end(), count, parts);
  return parts;
}

Parts twoPartsOf(std::vector<Point> const& places, double share) {
  Parts parts = allIn(places.size());
  auto const size = std::ptrdiff_t(places.size());
  auto const lower = std::clamp(std::ptrdiff_t(share * double(size)), std::ptrdiff_t(0), size);
  Item const middle = cut(places, parts.member.begin(), parts.member.end(), lower);
  std::sort(parts.member.begin(), middle);
  std::sort(middle, parts.member.end());
  parts.start = {0, int(lower), int(size)};
  return parts;
}

}  // namespace osi_cuda::response
