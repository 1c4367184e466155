// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <flint/nmod.h>
#include <flint/ulong_extras.h>

namespace osi_cuda::rational {

__extension__ using Wide = unsigned __int128;

/// Numbers modulo a prime p a little above 2^60, each in [0, p).
class PrimeField {
 public:
  explicit PrimeField(ulong prime) { nmod_init(&modulus_, prime); }

  ulong prime() const { return modulus_.n; }
  ulong add(ulong a, ulong b) const { return nmod_add(a, b, modulus_); }
  ulong subtract(ulong a, ulong b) const { return nmod_sub(a, b, modulus_); }
  ulong negate(ulong a) const { return nmod_neg(a, modulus_); }
  ulong multiply(ulong a, ulong b) const { return nmod_mul(a, b, modulus_); }
  ulong inverse(ulong a) const { return nmod_inv(a, modulus_); }
  /// For sums below p 2^64, such as those of Sum and of a number and 15 products.
  ulong reduce(Wide sum) const {
    ulong result = 0;
    NMOD_RED2(result, static_cast<ulong>(sum >> 64), static_cast<ulong>(sum), modulus_);
    return result;
  }

 private:
  nmod_t modulus_;
};

/// The primes from 2^60 upwards, one after the other.
inline ulong nextPrime(ulong after) {
  constexpr ulong first = ulong{1} << 60;
  constexpr int proved = 1;
  return n_nextprime(after < first ? first : after, proved);
}

/// Multiplication by one factor again and again (Shoup): faster than by any two numbers.
class Multiplier {
 public:
  Multiplier(ulong factor, PrimeField const& field)
      : factor_(factor),
        prime_(field.prime()),
        quotient_(n_mulmod_precomp_shoup(factor, field.prime())) {}
  ulong times(ulong value) const { return n_mulmod_shoup(factor_, value, quotient_, prime_); }

 private:
  ulong factor_, prime_, quotient_;
};

/// A sum of products that is reduced once, at its end.
class Sum {
 public:
  explicit Sum(PrimeField const& field) : bound_(Wide{field.prime()} << 63) {}
  void addProduct(ulong a, ulong b) {
    sum_ += Wide{a} * b;
    if (sum_ >= bound_) sum_ -= bound_;
  }
  Wide value() const { return sum_; }

 private:
  Wide bound_;
  Wide sum_ = 0;
};

}  // namespace osi_cuda::rational
