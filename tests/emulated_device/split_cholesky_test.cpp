// SPDX-License-Identifier: EPL-2.0
// The Cholesky factor that several devices share, by itself: matrices without one, and lost
// devices.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using emulated_runtime::Failure;

namespace {

/// A'A of a matrix of 200 rows on some devices, and its factor.
struct Shared {
  static constexpr int rows = 200, width = 32;
  int order, stride;
  cuda::SplitMatrix split;
  cuda::DeviceArray<double> a, scratch, normal, root;
  cuda::DeviceArray<int> info;
  std::vector<double> whole;  ///< A'A, its lower triangle

  Shared(std::vector<int> const& devices, int size)
      : order(size),
        stride(normalStride(size)),
        split(devices, width),
        a(static_cast<std::size_t>(rows * size)),
        scratch(a.size()),
        normal(at(0, order)),
        root(rows),
        info(blocks()),
        whole(at(0, order)) {
    std::vector<double> numbers(a.size()), zero(normal.size());
    std::vector<double> const ones(rows, 1.0);
    for (int j = 0; j < order; ++j)
      for (int i = 0; i < rows; ++i)
        numbers[static_cast<std::size_t>(j * rows + i)] = std::sin(1.0 + i * i + 1.7 * i * j);
    for (int j = 0; j < order; ++j)
      for (int i = j; i < order; ++i)
        for (int k = 0; k < rows; ++k)
          whole[at(i, j)] += numbers[static_cast<std::size_t>(i * rows + k)] *
                             numbers[static_cast<std::size_t>(j * rows + k)];
    cuda::upload(split.stream(), a.data(), numbers.data(), numbers.size());
    cuda::upload(split.stream(), root.data(), ones.data(), ones.size());
    cuda::upload(split.stream(), normal.data(), zero.data(), zero.size());
    split.load(rows, order, true, a.data(), scratch.data(), normal.data());
  }

  std::size_t blocks() const { return static_cast<std::size_t>((order + width - 1) / width); }
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(column) * static_cast<std::size_t>(stride) +
           static_cast<std::size_t>(row);
  }

  /// `lowered`: a diagonal entry of the sum that becomes negative, or -1.
  void form(int lowered = -1) {
    split.form(root.data(), false);
    if (lowered < 0) return;
    double entry = 0.0;
    cuda::download(split.stream(), &entry, normal.data() + at(lowered, lowered), 1);
    entry -= 2.0 * whole[at(lowered, lowered)];
    cuda::upload(split.stream(), normal.data() + at(lowered, lowered), &entry, 1);
  }
  std::vector<double> factor(double times) {
    split.sum(times);
    if (split.factors(split.sharesOf(rows), order)) split.factor(info.data());
    std::vector<double> l(normal.size());
    cuda::download(split.stream(), l.data(), normal.data(), l.size());
    for (int j = 0; j < order; ++j)  // nobody reads these
      for (int i = 0; i < j; ++i) l[at(i, j)] = 0.0;
    return l;
  }
  std::vector<int> codes() const {
    std::vector<int> all(blocks(), -1);
    cuda::download(split.stream(), all.data(), info.data(), all.size());
    return all;
  }
};

double error(Shared const& s, std::vector<double> const& l, double times) {
  double most = 0.0;
  for (int j = 0; j < s.order; ++j)
    for (int i = j; i < s.order; ++i) {
      double sum = 0.0;
      for (int k = 0; k <= j; ++k) sum += l[s.at(i, k)] * l[s.at(j, k)];
      double const wanted = s.whole[s.at(i, j)] * (i == j ? times : 1.0);
      most = std::max(most, std::fabs(sum - wanted));
    }
  return most;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(split_cholesky)

// Blocks that are more, as many and fewer than shares, the last one of any width; whichever device
// is first. A second factor has the same bits.
BOOST_AUTO_TEST_CASE(the_factor_is_that_of_the_sum) {
  for (std::vector<int> const& devices :
       {std::vector{0, 0}, {0, 1}, {1, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}})
    for (int const order : {140, 96, 33}) {
      emulated_runtime::reset();
      {
        Shared s(devices, order);
        s.form();
        std::vector<double> const l = s.factor(1.25);
        BOOST_TEST(error(s, l, 1.25) <= 1e-11);
        for (int const code : s.codes()) BOOST_TEST(code == 0);
        s.form();
        BOOST_TEST((s.factor(1.25) == l));
      }
      BOOST_TEST(emulated_runtime::held().empty());
      for (std::string const& fault : emulated_runtime::faults()) BOOST_TEST(false, fault);
    }
}

BOOST_AUTO_TEST_CASE(a_block_without_a_factor_is_told) {
  for (int const lowered : {0, 40, 90, 139}) {
    emulated_runtime::reset();
    Shared s({0, 1, 0}, 140);
    s.form(lowered);
    s.factor(1.0);
    std::vector<int> const codes = s.codes();
    auto const block = static_cast<std::size_t>(lowered / Shared::width);
    for (std::size_t k = 0; k < block; ++k) BOOST_TEST(codes[k] == 0);
    BOOST_TEST(codes[block] != 0);
  }
}

// At any call of a factorisation, of either device; it shows at the next use at the latest.
BOOST_AUTO_TEST_CASE(a_device_that_is_lost_ends_it) {
  emulated_runtime::reset();
  long first = 0, last = 0;
  {
    Shared s({0, 1}, 140);
    s.form();
    first = emulated_runtime::calls() + 1;
    s.factor(1.0);
    last = emulated_runtime::calls();
  }
  BOOST_TEST(last - first > 50);
  for (Failure const failure : {Failure::one, Failure::lost})
    for (long number = first; number <= last; number += 3) {
      emulated_runtime::reset();
      {
        Shared s({0, 1}, 140);
        s.form();
        emulated_runtime::failAt(number, failure);
        BOOST_CHECK_THROW((s.factor(1.0), s.form()), EngineUnavailable);
      }
      BOOST_TEST(emulated_runtime::held().empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
