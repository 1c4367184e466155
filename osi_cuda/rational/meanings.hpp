// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <map>
#include <string>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/rational/rational.hpp"

namespace osi_cuda::rational {

/// "1/3", "-0.25" or "1e-400" as a rational. Throws std::invalid_argument.
Rational rationalOf(std::string const& text);

/// The rationals that doubles of a problem stand for in exact proofs.
class Meanings {
 public:
  /// `decimals`: other doubles stand for the shortest decimals that are read as them; those with at
  /// most 15 digits always do.
  explicit Meanings(bool decimals = false) : decimals_(decimals) {}

  /// The double that stands for a rational: the nearest, or the next one where that stands for
  /// another rational. Throws std::invalid_argument beyond the doubles.
  double numberFor(Rational const& rational);
  /// `number` > 0 stands for `rational`, and -number for -rational.
  void set(double number, Rational const& rational) { entries_[number] = rational; }

  /// What a finite number stands for: its entry, else with ExactNumbers::decimals its shortest
  /// decimal, else itself; with ExactNumbers::doubles itself.
  Rational meaningOf(double number, ExactNumbers numbers) const;
  Rational meaningOf(double number) const {
    return meaningOf(number, decimals_ ? ExactNumbers::decimals : ExactNumbers::automatic);
  }
  /// "p/q" in lowest terms or, beside decimals and where it has an end, one: "25e-2".
  std::string written(Rational const& number) const;
  std::map<double, Rational> const& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

 private:
  bool decimals_;
  std::map<double, Rational> entries_;
};

}  // namespace osi_cuda::rational
