// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_vec.h>

#include <cstddef>
#include <utility>

// FLINT's integers with owners. The functions of FLINT are called by their own names.

namespace osi_cuda::rational {

/// FLINT keeps integers that are not used any more, a few hundred kilobytes in each thread, and
/// leaves it to the thread to release them. After this call the calling thread does when it ends.
inline void releaseCachesAtThreadEnd() {
  struct Release {
    bool wanted = false;
    ~Release() {
      if (wanted) flint_cleanup();
    }
  };
  thread_local Release release;
  release.wanted = true;
}

/// One integer of any length.
class Integer {
 public:
  Integer() { fmpz_init(value_); }
  explicit Integer(slong value) { fmpz_init_set_si(value_, value); }
  explicit Integer(fmpz const* value) { fmpz_init_set(value_, value); }
  Integer(Integer const& other) { fmpz_init_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : Integer() { fmpz_swap(value_, other.value_); }
  Integer& operator=(Integer other) noexcept {
    fmpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer() { fmpz_clear(value_); }

  fmpz* get() { return value_; }
  fmpz const* get() const { return value_; }

 private:
  fmpz_t value_;
};

/// A fixed number of integers, 0 at first.
class Integers {
 public:
  Integers() = default;
  explicit Integers(std::size_t size) : values_(_fmpz_vec_init(length(size))), size_(size) {}
  Integers(Integers const& other) : Integers(other.size_) {
    _fmpz_vec_set(values_, other.values_, length(size_));
  }
  Integers(Integers&& other) noexcept { swap(other); }
  Integers& operator=(Integers other) noexcept {
    swap(other);
    return *this;
  }
  ~Integers() {
    if (values_) _fmpz_vec_clear(values_, length(size_));
  }

  std::size_t size() const { return size_; }
  fmpz* operator[](std::size_t i) { return values_ + i; }
  fmpz const* operator[](std::size_t i) const { return values_ + i; }
  /// All of them, for FLINT's functions on vectors.
  fmpz* get() { return values_; }
  fmpz const* get() const { return values_; }

 private:
  static slong length(std::size_t size) { return static_cast<slong>(size); }
  void swap(Integers& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
  }

  fmpz* values_ = nullptr;
  std::size_t size_ = 0;
};

/// sum += factor word. The only ways to do this here: FLINT 2.9's fmpz_addmul_si and fmpz_submul_si
/// leave a result that fits a word in the form of several, and fmpz_is_zero and fmpz_equal compare
/// forms.
inline void addMultiple(fmpz* sum, fmpz const* factor, slong word) {
  fmpz_addmul_si(sum, factor, word);
  if (COEFF_IS_MPZ(*sum)) _fmpz_demote_val(sum);
}
/// sum -= factors[begin] wordOf(begin) + ... + factors[end - 1] wordOf(end - 1)
inline void subtractMultiples(fmpz* sum, fmpz const* factors, std::size_t begin, std::size_t end,
                              auto const& wordOf) {
  for (std::size_t e = begin; e < end; ++e) fmpz_submul_si(sum, factors + e, wordOf(e));
  if (COEFF_IS_MPZ(*sum)) _fmpz_demote_val(sum);
}
#pragma GCC poison fmpz_addmul_si fmpz_submul_si

/// Rationals numerators[k] / denominator with denominator > 0; the common factors need not be
/// cancelled.
struct Fractions {
  Integers numerators;
  Integer denominator{1};
};

}  // namespace osi_cuda::rational
