// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "osi_cuda/rational/meanings.hpp"

namespace osi_cuda::readers {

/// What formats that have no word for infinity write instead of it.
inline constexpr double fileInfinity = 1e30;

enum class NumberFault { none, notANumber, nan, infinite, overflow };

struct Number {
  double value = 0.0;
  NumberFault fault = NumberFault::none;
};

/// The double nearest to the decimal number that is the whole of `word`: sign, digits with a
/// point, exponent with e, E, d or D; or to a fraction, "1/3". Where fractions are kept, the one
/// that stands for it. A number too small for a double is 0. "inf" and "infinity" in any case give
/// fault infinite with the signed infinity as value.
Number parseNumber(std::string_view word);

/// `word`, a number by parseNumber, with the further bits of a long double. The range of a row is
/// read so: the double nearest to right-hand side plus range is then the bound that the writer
/// meant, although no double range would give it.
long double parseExtended(std::string_view word);

/// The double that a word of CoinUtils' third MPS format stands for, or nothing where it is no such
/// word. Four groups of three characters are the double's 16-bit parts, the most significant
/// first; the characters of a group are its lowest 6 bits, the next 6 and the highest 4, as digits
/// 0-9, a-z, A-Z, * and + of 0 to 63. (Found out from files that CoinUtils 2.11.4 writes.)
std::optional<double> parseEncoded(std::string_view word);

/// The number of that type that is the whole of `word`, as std::from_chars reads it; nothing where
/// there is none, or one out of range.
template <class Value>
std::optional<Value> wholeNumber(std::string_view word) {
  Value value{};
  auto const [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  bool const isWhole = fault == std::errc() && end == word.data() + word.size();
  return isWhole ? std::optional(value) : std::nullopt;
}

/// While there is one, what this thread reads keeps decimals of more digits than a double stands
/// for and fractions, "1/3", in `table`, and has the doubles that stand for them; else the nearest
/// ones. What it writes has the texts of the table. Files are read by one thread then.
class KeepsFractions {
 public:
  explicit KeepsFractions(rational::Meanings& table);
  ~KeepsFractions();
  KeepsFractions(KeepsFractions const&) = delete;
  KeepsFractions& operator=(KeepsFractions const&) = delete;
};

/// The nearest double of a + b, where b has further bits in `extended`; where fractions are kept,
/// one that stands for the sum.
double sumOf(double a, double b, long double extended);

bool fractionsAreKept();

/// What a number is written as: where fractions are kept, what it stands for; else the shortest
/// decimal.
std::string written(double number);
/// The same of upper - lower; empty where no fractions are kept.
std::string writtenRange(double lower, double upper);

/// What a message says was expected where a fault occurred.
char const* describe(NumberFault fault);

}  // namespace osi_cuda::readers
