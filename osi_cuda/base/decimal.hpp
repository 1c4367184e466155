// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <charconv>
#include <cstdint>

namespace osi_cuda {

/// mantissa 10^exponent, the mantissa without a zero at its end; 0 is 0 10^0.
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

/// The shortest decimal that is read as the finite double.
inline Decimal shortestDecimal(double value) {
  Decimal decimal;
  if (value == 0.0) return decimal;
  char text[32];
  char* const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  char const* at = text + (*text == '-');
  int behindPoint = 0;
  for (bool behind = false; *at != 'e'; ++at) {
    if (*at == '.') {
      behind = true;
      continue;
    }
    decimal.mantissa = 10 * decimal.mantissa + (*at - '0');
    behindPoint += behind;
  }
  std::from_chars(at + (at[1] == '+' ? 2 : 1), end, decimal.exponent);
  decimal.exponent -= behindPoint;
  for (; decimal.mantissa % 10 == 0; decimal.mantissa /= 10) ++decimal.exponent;
  if (value < 0.0) decimal.mantissa = -decimal.mantissa;
  return decimal;
}

}  // namespace osi_cuda
