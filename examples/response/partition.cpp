// SPDX-License-Identifier: EPL-2.0
#include "examples/response/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace osi_cuda::response {
namespace {

using Item = std::vector<int>::iterator;

void divide(std::vector<Point> const& places, Item begin, Item end, std::span<double const> shares,
            Parts& parts) {
  if (shares.size() == 1) {
    std::sort(begin, end);
    parts.start.push_back(parts.start.back() + int(end - begin));
    return;
  }
  auto const first = shares.first(shares.size() / 2), second = shares.subspan(shares.size() / 2);
  auto const sum = [](std::span<double const> some) {
    return std::accumulate(some.begin(), some.end(), 0.0);
  };
  double const all = sum(shares);
  Item const middle =
      begin + (all > 0.0 ? std::llround(double(end - begin) * sum(first) / all) : 0);
  if (begin != middle && middle != end) {
    auto const extent = [&](auto const& coordinate) {
      auto const [low, high] = std::minmax_element(
          begin, end, [&](int a, int b) { return coordinate(a) < coordinate(b); });
      return coordinate(*high) - coordinate(*low);
    };
    auto const x = [&](int k) { return places[k].x; };
    auto const y = [&](int k) { return places[k].y; };
    bool const alongX = extent(x) >= extent(y);
    std::nth_element(begin, middle, end, [&](int a, int b) {
      double const u = alongX ? x(a) : y(a), v = alongX ? x(b) : y(b);
      return u != v ? u < v : a < b;
    });
  }
  divide(places, begin, middle, first, parts);
  divide(places, middle, end, second, parts);
}

}  // namespace

Parts partsOf(std::vector<Point> const& places, std::vector<double> const& shares) {
  Parts parts;
  parts.member.resize(places.size());
  std::iota(parts.member.begin(), parts.member.end(), 0);
  divide(places, parts.member.begin(), parts.member.end(), shares, parts);
  return parts;
}

}  // namespace osi_cuda::response
