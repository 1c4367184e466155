// SPDX-License-Identifier: EPL-2.0
#include "shell/svg.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace osi_cuda::shell {

double Axis::operator()(double value) const {
  double const share = std::log(value / low) / std::log(high / low);
  return from + std::clamp(share, 0.0, 1.0) * (to - from);
}

std::vector<double> Axis::marks() const {
  std::vector<double> result;
  double const logBase = std::log(base);
  int const first = int(std::ceil(std::log(low) / logBase - 1e-9));
  int const last = int(std::floor(std::log(high) / logBase + 1e-9));
  int const step = 1 + (last - first) / 10;
  for (int k = first; k <= last; k += step) result.push_back(std::pow(base, k));
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string coordinate(double value) {
  std::string result = fmt::format("{:.1f}", value);
  if (result.ends_with(".0")) result.resize(result.size() - 2);
  return result == "-0" ? "0" : result;
}

}  // namespace osi_cuda::shell
