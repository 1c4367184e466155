// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace osi_cuda::readers {

/// Eight bytes of a text as a number, the first one lowest. At least eight bytes must be readable.
inline std::uint64_t eightBytes(char const* place) {
  std::uint64_t bytes;
  std::memcpy(&bytes, place, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

/// Digits on their way to a number: the first 19 fit 64 bits.
struct Digits {
  std::uint64_t number = 0;
  int count = 0;

  /// Takes the decimal digits at `place` and returns what is behind them. Eight at a time, within a
  /// register: subtracting '0' leaves 0 to 9 of digits, three multiplications add up neighbours
  /// (Lemire, "Quickly parsing eight digits", 2018).
  char const* take(char const* place) {
    constexpr std::uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                        100000, 1000000, 10000000, 100000000};
    for (;;) {
      std::uint64_t const zeroBased = eightBytes(place) ^ 0x3030303030303030u;
      std::uint64_t const others =
          ((zeroBased + 0x7676767676767676u) | zeroBased) & 0x8080808080808080u;
      int const length = others == 0 ? 8 : std::countr_zero(others) / 8;
      if (length == 0) return place;
      std::uint64_t sum = zeroBased << (64 - 8 * length);  // zeros before the digits
      sum = sum * 10 + (sum >> 8);
      sum = (((sum & 0x000000FF000000FFu) * 0x000F424000000064u) +
             (((sum >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)) >>
            32;
      number = number * powers[length] + static_cast<std::uint32_t>(sum);
      count += length;
      place += length;
      if (length < 8 || count > 19) return place;
    }
  }
};

/// The number that begins at `place`, if it is one of those that need no care: sign, up to 19
/// digits with a point, an exponent of e or E, and at most 2^53 times or over at most 10^22. Both
/// are exact in a double, so that one operation rounds to the nearest (Clinger 1990). `place` is
/// moved behind it. Others are left to parseNumber. As many bytes as a word has, and eight more,
/// must be readable.
inline bool takeFastNumber(char const*& place, double& value) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t exactInteger = std::uint64_t{1} << 53;
  constexpr int mostDigits = 19, mostPower = 22, mostExponentDigits = 4;
  char const* p = place;
  bool const negative = *p == '-';
  p += static_cast<int>(negative) | static_cast<int>(*p == '+');  // signs can't be foretold
  Digits digits;
  if (*p >= '0' && *p <= '9' && p[1] == '.') {
    // One digit: the processor foretells that and goes on without having counted digits.
    digits = {static_cast<std::uint64_t>(*p - '0'), 1};
    ++p;
  } else {
    p = digits.take(p);
  }
  int exponent = 0;
  if (*p == '.' && digits.count <= mostDigits) {
    int const before = digits.count;
    p = digits.take(p + 1);
    exponent = before - digits.count;
  }
  if (digits.count == 0 || digits.count > mostDigits || digits.number > exactInteger) return false;
  if (*p == 'e' || *p == 'E') {
    ++p;
    bool const down = *p == '-';
    if (down || *p == '+') ++p;
    Digits power;
    p = power.take(p);
    if (power.count == 0 || power.count > mostExponentDigits) return false;
    exponent += down ? -static_cast<int>(power.number) : static_cast<int>(power.number);
  }
  if (exponent < -mostPower || exponent > mostPower) return false;
  double const integer = static_cast<double>(digits.number);
  double const size = exponent < 0 ? integer / powers[-exponent] : integer * powers[exponent];
  // Multiplied, as the sign can't be foretold; -1 times a number is exact, also times 0.
  constexpr double signs[] = {1.0, -1.0};
  value = size * signs[negative];
  place = p;
  return true;
}

}  // namespace osi_cuda::readers
