// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/rational/integer_matrix.hpp"
#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/sparse_lu_mod.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

/// Exact solutions of P x = b, P square and sparse, by p-adic lifting (Dixon 1982; for sparse
/// matrices Cook and Steffy 2011, "Solving very sparse rational systems of equations"). With
/// x = x_0 + x_1 p + x_2 p^2 + ... modulo ever higher powers of the prime p,
///
///     P x_k = r_k (mod p),   r_0 = b,   r_{k+1} = (r_k - P x_k) / p,
///
/// a digit costs a solve with the factors modulo p and a product with P, and the residuals r_k stay
/// short. At growing numbers of digits a vector of fractions with one denominator is reconstructed
/// from them, and taken once it satisfies P X = d b in integers. So the digits are as many as the
/// answer is long, and the answer rests on that equation alone.
class Lifting {
 public:
  /// `factors` are those of P modulo the field's prime, of full rank. All are referred to.
  Lifting(IntegerMatrix const& matrix, SparseLuMod const& factors, PrimeField const& field,
          Watch& watch);

  /// x with P x = b. Throws Stopped and TooLarge.
  Fractions solve(Integers const& b) const;
  /// x with P'x = b. Makes a transposed copy of P.
  Fractions solveTransposed(Integers const& b) const;

 private:
  IntegerMatrix const& matrix_;
  SparseLuMod const& factors_;
  PrimeField const& field_;
  Watch& watch_;
};

/// Digits of a vector to the base of the prime, each within half of it on either side of 0, and
/// what they are equal to.
class PadicVector {
 public:
  PadicVector(std::size_t length, PrimeField const& field, Watch& watch);

  std::size_t length() const { return length_; }
  std::size_t digits() const { return digits_; }
  /// The next digit of each component, in [0, p); returns them as they are kept.
  std::vector<std::int64_t> const& append(std::vector<ulong> const& remainders);

  /// The sum of the digits of component i times powers of p.
  Integer value(std::size_t i);
  /// All of them, as integers.
  Integers values();
  /// Fractions x with numerators and denominator below the root of p^digits / 2^65 that agree with
  /// the digits: what 64 bits more than needed make all but certain. False: there are none.
  bool reconstruct(Fractions& x);

 private:
  Integer const& power(std::size_t exponent);  ///< p^exponent, a power of two
  Integer sum(std::size_t i, std::size_t begin, std::size_t count);

  std::size_t length_;
  std::size_t digits_ = 0;
  PrimeField const& field_;
  Watch& watch_;
  std::vector<std::vector<std::int64_t>> digitsOf_;
  std::vector<Integer> powers_;  ///< p, p^2, p^4, ...
  std::size_t hardest_ = 0;      ///< the component that failed last
};

}  // namespace osi_cuda::rational
