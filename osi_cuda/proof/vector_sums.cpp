// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: a product that is fused with the sum it goes into has no error
// left to be told.
#include "osi_cuda/proof/vector_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

// Each sum is written once and compiled for each set of instructions: `Lanes` is its register, and
// `lines` the number of lines whose sums fit into all of them.
#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed to inlined functions only
#define OSI_CUDA_INLINE [[gnu::always_inline]] inline
#define OSI_CUDA_FOR(instructions, width, number, call) \
  [&]() __attribute__((target(instructions))) {         \
    using Lanes [[maybe_unused]] = Lanes##width;        \
    [[maybe_unused]] constexpr int lines = number;      \
    call;                                               \
  }                                                     \
  ()
#define OSI_CUDA_EACH(call)                                                                \
  static bool const fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), \
                    wide = fma && __builtin_cpu_supports("avx512f");                       \
  if (wide)                                                                                \
    OSI_CUDA_FOR("avx512f,fma", 8, 4, call);                                               \
  else if (fma)                                                                            \
    OSI_CUDA_FOR("avx2,fma", 4, 2, call);                                                  \
  else                                                                                     \
    OSI_CUDA_FOR("sse2", 2, 1, call)
#else
#define OSI_CUDA_INLINE inline
#define OSI_CUDA_EACH(call)                 \
  using Lanes [[maybe_unused]] = Lanes2;    \
  [[maybe_unused]] constexpr int lines = 1; \
  call
#endif

namespace osi_cuda::proof {
namespace {

constexpr double tiny = 0x1p-960;        ///< products below it may have lost digits to underflow
constexpr double underflow = 0x1p-1000;  ///< more than they lost, as Sum::errorOf counts

using Lanes2 [[gnu::vector_size(16)]] = double;
using Lanes4 [[gnu::vector_size(32)]] = double;
using Lanes8 [[gnu::vector_size(64)]] = double;
template <class Lanes>
constexpr std::size_t widthOf = sizeof(Lanes) / sizeof(double);

template <class Lanes>
OSI_CUDA_INLINE Lanes load(double const* from) {
  Lanes numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}
template <class Lanes>
OSI_CUDA_INLINE Lanes all(double number) {
  return Lanes{} + number;
}
template <class Lanes>
OSI_CUDA_INLINE Lanes fused(Lanes const& a, Lanes const& b, Lanes const& c) {
  Lanes result;
  for (std::size_t l = 0; l < widthOf<Lanes>; ++l) result[l] = __builtin_fma(a[l], b[l], c[l]);
  return result;
}
template <class Lanes>
OSI_CUDA_INLINE Lanes size(Lanes const& a) {
  Lanes result;
  for (std::size_t l = 0; l < widthOf<Lanes>; ++l) result[l] = __builtin_fabs(a[l]);
  return result;
}
OSI_CUDA_INLINE double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
OSI_CUDA_INLINE double size(double a) {
  return __builtin_fabs(a);
}

/// hi + lo += a b, but for underflow
template <class Number>
OSI_CUDA_INLINE void addTerm(Number const& a, Number const& b, Number& hi, Number& lo,
                             Number& lost) {
  Number const p = a * b, rest = fused(a, b, -p);
  Number const s = hi + p, t = s - hi;
  Number const c = ((hi - (s - t)) + (p - t)) + rest;
  hi = s;
  lo += c;
  lost += size(c);
}

OSI_CUDA_INLINE double underflowOf(double a, double b) {
  return std::fabs(a * b) < tiny && a != 0.0 && b != 0.0 ? underflow : 0.0;
}

OSI_CUDA_INLINE void addEntry(double a, double b, double& hi, double& lo, double& lost) {
  addTerm(a, b, hi, lo, lost);
  lost += underflowOf(a, b);
}

/// The least sizes of numbers that are not zero.
template <class Lanes>
struct Least {
  Lanes sizes = all<Lanes>(1.0);

  OSI_CUDA_INLINE void see(Lanes const& numbers) {
    Lanes const own = numbers == 0.0 ? all<Lanes>(1.0) : size(numbers);
    sizes = own < sizes ? own : sizes;
  }
  OSI_CUDA_INLINE double number() const {
    double least = 1.0;
    for (std::size_t l = 0; l < widthOf<Lanes>; ++l) least = std::min(least, sizes[l]);
    return least;
  }
};

/// Some lines at a time. They share what they are multiplied with and what they are added to, so
/// that both are read from the cache once for all of them.
template <class Lanes, std::size_t lines, bool added, bool multiplied>
struct Group {
  static constexpr std::size_t lanes = widthOf<Lanes>;

  std::array<double const*, lines> line;
  std::array<double, lines> factor;          ///< where they are added
  std::array<DoubleDouble*, lines> product;  ///< where they are multiplied
  std::array<double*, lines> off;

  OSI_CUDA_INLINE void add(std::size_t length, double* hi, double* lo, double& lost,
                           double const* other) const {
    std::array<Lanes, lines> his{}, los{}, took{}, times{};
    Lanes gone{}, with{}, sumHi{}, sumLo{};
    Least<Lanes> least, leastOther;
    for (std::size_t i = 0; added && i < lines; ++i) times[i] = all<Lanes>(factor[i]);
    std::size_t k = 0;
    for (; k + lanes <= length; k += lanes) {
      if constexpr (added) {
        sumHi = load<Lanes>(hi + k);
        sumLo = load<Lanes>(lo + k);
      }
      if constexpr (multiplied) {
        with = load<Lanes>(other + k);
        leastOther.see(with);
      }
#pragma GCC unroll 4
      for (std::size_t i = 0; i < lines; ++i) {
        Lanes const a = load<Lanes>(line[i] + k);
        least.see(a);
        if constexpr (added) addTerm(a, times[i], sumHi, sumLo, gone);
        if constexpr (multiplied) addTerm(a, with, his[i], los[i], took[i]);
      }
      if constexpr (added) {
        std::memcpy(hi + k, &sumHi, sizeof sumHi);
        std::memcpy(lo + k, &sumLo, sizeof sumLo);
      }
    }
    double const smallest = least.number();
    bool const mayVanish = multiplied && smallest * leastOther.number() < tiny;
    for (std::size_t i = 0; i < lines; ++i) {
      if constexpr (added) {
        if (smallest * std::fabs(factor[i]) < tiny)
          for (std::size_t e = 0; e < k; ++e) lost += underflowOf(line[i][e], factor[i]);
        for (std::size_t e = k; e < length; ++e)
          addEntry(line[i][e], factor[i], hi[e], lo[e], lost);
      }
      if constexpr (multiplied) {
        DoubleDouble& sum = *product[i];
        for (std::size_t l = 0; l < lanes; ++l) {
          addEntry(his[i][l], 1.0, sum.hi, sum.lo, *off[i]);
          sum.lo += los[i][l];
          *off[i] += took[i][l] + std::fabs(los[i][l]);
        }
        for (std::size_t e = 0; mayVanish && e < k; ++e)
          *off[i] += underflowOf(line[i][e], other[e]);
        for (std::size_t e = k; e < length; ++e)
          addEntry(line[i][e], other[e], sum.hi, sum.lo, *off[i]);
      }
    }
    for (std::size_t l = 0; added && l < lanes; ++l) lost += gone[l];
  }
};

template <class Lanes, std::size_t together, bool multiplied>
OSI_CUDA_INLINE void addLinesTo(LinesView const& lines, double const* factor, double* hi,
                                double* lo, double& lost, double const* other,
                                DoubleDouble* product, double* off) {
  // Lines that are added and others, in their order.
  std::array<std::size_t, together> added, passed;
  std::size_t numberAdded = 0, numberPassed = 0;
  auto const take = [&]<std::size_t count, bool add>(std::size_t const* which)
      __attribute__((always_inline)) {
    Group<Lanes, count, add, multiplied> group;
    for (std::size_t g = 0; g < count; ++g) {
      std::size_t const i = which[g];
      group.line[g] = lines.values + i * lines.length;
      if constexpr (add) group.factor[g] = factor[i];
      if constexpr (multiplied) {
        group.product[g] = product + i;
        group.off[g] = off + i;
      }
    }
    group.add(lines.length, hi, lo, lost, other);
  };
  for (std::size_t i = 0; i < lines.count; ++i) {
    if (factor && factor[i] != 0.0) {
      added[numberAdded++] = i;
      if (numberAdded < together) continue;
      take.template operator()<together, true>(added.data());
      numberAdded = 0;
    } else if (multiplied) {
      passed[numberPassed++] = i;
      if (numberPassed < together) continue;
      take.template operator()<together, false>(passed.data());
      numberPassed = 0;
    }
  }
  for (std::size_t g = 0; g < numberAdded; ++g) take.template operator()<1, true>(&added[g]);
  for (std::size_t g = 0; g < numberPassed; ++g) take.template operator()<1, false>(&passed[g]);
}

OSI_CUDA_INLINE void addVectorsTo(std::size_t length, double const* __restrict otherHi,
                                  double const* __restrict otherLo, double* __restrict hi,
                                  double* __restrict lo, double& lost) {
  double took = 0.0;
  for (std::size_t k = 0; k < length; ++k) {
    double const s = hi[k] + otherHi[k], t = s - hi[k];
    double const c = ((hi[k] - (s - t)) + (otherHi[k] - t)) + otherLo[k];
    lo[k] += c;
    hi[k] = s;
    took += std::fabs(c);
  }
  lost += took;
}

/// Whether a column is long enough for several entries at a time, and without gaps.
OSI_CUDA_INLINE bool isRun(int const* rows, std::int64_t length) {
  constexpr std::int64_t worthVectors = 32;
  if (length < worthVectors || rows[length - 1] - rows[0] != length - 1) return false;
  int scattered = 0;
  for (std::int64_t k = 0; k < length; ++k) scattered |= rows[k] ^ (rows[0] + static_cast<int>(k));
  return scattered == 0;
}

template <class Lanes>
OSI_CUDA_INLINE void addColumnsTo(ColumnsView const& columns, int first, int last,
                                  double const* __restrict x, double* __restrict hi,
                                  double* __restrict lo, double& lost, double const* __restrict y,
                                  double const* __restrict yLow, DoubleDouble* __restrict product,
                                  double* __restrict error) {
  double gone = 0.0;
  auto const take = [&](int j, DoubleDouble const& sum, double own) {
    auto const length = at(columns.starts[j + 1] - columns.starts[j]);
    Bounded const whole = boundedProduct(sum, own, (yLow ? 2 : 1) * length);
    product[j] = whole.value;
    error[j] = whole.error;
  };
  for (int j = first; j < last; ++j) {
    std::int64_t const begin = columns.starts[j], end = columns.starts[j + 1];
    int const* const rows = columns.rows + begin;
    if (isRun(rows, end - begin)) {
      LinesView const run{columns.values + begin, 1, at(end - begin)};
      double const* const factor = x ? x + j : nullptr;
      double *const hiHere = x ? hi + rows[0] : nullptr, *const loHere = x ? lo + rows[0] : nullptr;
      if (!y) {
        addLinesTo<Lanes, 1, false>(run, factor, hiHere, loHere, gone, nullptr, nullptr, nullptr);
        continue;
      }
      DoubleDouble sum;
      double own = 0.0;
      addLinesTo<Lanes, 1, true>(run, factor, hiHere, loHere, gone, y + rows[0], &sum, &own);
      if (yLow)
        addLinesTo<Lanes, 1, true>(run, nullptr, nullptr, nullptr, gone, yLow + rows[0], &sum,
                                   &own);
      take(j, sum, own);
      continue;
    }
    double const* const value = columns.values;
    if (y) {
      double sumHi = 0.0, sumLo = 0.0, own = 0.0;
      for (std::int64_t e = begin; e < end; ++e)
        addEntry(value[e], y[columns.rows[e]], sumHi, sumLo, own);
      for (std::int64_t e = begin; yLow && e < end; ++e)
        addEntry(value[e], yLow[columns.rows[e]], sumHi, sumLo, own);
      take(j, {sumHi, sumLo}, own);
    }
    if (!x || x[j] == 0.0) continue;
    for (std::int64_t e = begin; e < end; ++e) {
      int const i = columns.rows[e];
      addEntry(value[e], x[j], hi[i], lo[i], gone);
    }
  }
  lost += gone;
}

}  // namespace

void addLines(LinesView const& all, double const* factor, double* hi, double* lo, double& lost,
              double const* other, DoubleDouble* product, double* off) {
  if (other) {
    OSI_CUDA_EACH((addLinesTo<Lanes, lines, true>(all, factor, hi, lo, lost, other, product, off)));
  } else {
    OSI_CUDA_EACH(
        (addLinesTo<Lanes, lines, false>(all, factor, hi, lo, lost, other, product, off)));
  }
}
void addVectors(std::size_t length, double const* otherHi, double const* otherLo, double* hi,
                double* lo, double& lost) {
  OSI_CUDA_EACH(addVectorsTo(length, otherHi, otherLo, hi, lo, lost));
}
void addColumns(ColumnsView const& columns, int first, int last, double const* x, double* hi,
                double* lo, double& lost, double const* y, double const* yLow,
                DoubleDouble* product, double* error) {
  OSI_CUDA_EACH(
      addColumnsTo<Lanes>(columns, first, last, x, hi, lo, lost, y, yLow, product, error));
}

}  // namespace osi_cuda::proof
