// SPDX-License-Identifier: EPL-2.0
// Elimination modulo a prime, sparse and dense, against FLINT's own.
#include <flint/nmod_mat.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "osi_cuda/rational/sparse_lu_mod.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

PrimeField const field(nextPrime(0));

/// Entries with probability `density`; small, so that they often cancel.
ModularMatrix randomMatrix(int rows, int columns, double density, std::mt19937_64& random) {
  ModularMatrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (static_cast<double>(random() % 100000) >= 1e5 * density) continue;
      matrix.indices.push_back(j);
      ulong const size = 1 + random() % 2;
      matrix.values.push_back(random() % 2 == 0 ? size : field.prime() - size);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  return matrix;
}

int rankByFlint(ModularMatrix const& matrix) {
  nmod_mat_t dense;
  nmod_mat_init(dense, matrix.rows, matrix.columns, field.prime());
  for (int i = 0; i < matrix.rows; ++i)
    for (auto e = matrix.starts[static_cast<size_t>(i)];
         e < matrix.starts[static_cast<size_t>(i) + 1]; ++e)
      nmod_mat_entry(dense, i, matrix.indices[static_cast<size_t>(e)]) =
          matrix.values[static_cast<size_t>(e)];
  auto const rank = static_cast<int>(nmod_mat_rank(dense));
  nmod_mat_clear(dense);
  return rank;
}

/// A x, or A'x
std::vector<ulong> product(ModularMatrix const& matrix, std::vector<ulong> const& x,
                           bool transposed) {
  std::vector<ulong> result(static_cast<size_t>(transposed ? matrix.columns : matrix.rows), 0);
  for (size_t i = 0; i < static_cast<size_t>(matrix.rows); ++i) {
    for (auto e = static_cast<size_t>(matrix.starts[i]);
         e < static_cast<size_t>(matrix.starts[i + 1]); ++e) {
      auto const j = static_cast<size_t>(matrix.indices[e]);
      ulong& sum = result[transposed ? j : i];
      sum = field.add(sum, field.multiply(matrix.values[e], x[transposed ? i : j]));
    }
  }
  return result;
}

BOOST_AUTO_TEST_SUITE(elimination)

BOOST_AUTO_TEST_CASE(primesArePrimesOfTheirOwnSize) {
  ulong const first = nextPrime(0), second = nextPrime(first);
  BOOST_TEST(n_is_prime(first));
  BOOST_TEST(n_is_prime(second));
  BOOST_TEST(first > ulong{1} << 60);
  BOOST_TEST(second > first);
}

BOOST_AUTO_TEST_CASE(ranksAndSolutionsOfRandomMatrices) {
  std::mt19937_64 random(11);
  Watch watch({});
  int regular = 0, singular = 0;
  struct Shape {
    int rows, columns;
    double density;
    int count;
  };
  // The last ones fill in and go through the dense part.
  for (Shape const& shape :
       {Shape{1, 1, 0.7, 20}, Shape{6, 6, 0.4, 300}, Shape{7, 4, 0.4, 100}, Shape{4, 9, 0.4, 100},
        Shape{30, 30, 0.12, 200}, Shape{90, 90, 0.05, 40}, Shape{60, 60, 0.9, 20},
        Shape{80, 50, 0.8, 10}, Shape{50, 80, 0.8, 10}}) {
    for (int k = 0; k < shape.count; ++k) {
      ModularMatrix const matrix = randomMatrix(shape.rows, shape.columns, shape.density, random);
      SparseLuMod const factors(matrix, field, watch);
      std::string const what = std::to_string(shape.rows) + " x " + std::to_string(shape.columns) +
                               ", number " + std::to_string(k);
      BOOST_TEST_REQUIRE(factors.rank() == rankByFlint(matrix), what);
      bool const full = shape.rows == shape.columns && factors.rank() == shape.rows;
      ++(full ? regular : singular);
      if (!full) continue;
      std::vector<ulong> b(static_cast<size_t>(shape.rows)), x(b.size());
      for (ulong& value : b) value = random() % field.prime();
      factors.solve(b, x);
      BOOST_TEST((product(matrix, x, false) == b), what);
      factors.solveTransposed(b, x);
      BOOST_TEST((product(matrix, x, true) == b), what);
    }
  }
  BOOST_TEST(regular > 200);
  BOOST_TEST(singular > 200);
}

BOOST_AUTO_TEST_CASE(dependentDenseColumnsAreLeftOut) {
  std::mt19937_64 random(5);
  Watch watch({});
  // 60 x 60 of rank 37: a product.
  int const size = 60, rank = 37;
  ModularMatrix const left = randomMatrix(size, rank, 0.9, random);
  ModularMatrix const right = randomMatrix(rank, size, 0.9, random);
  ModularMatrix matrix;
  matrix.rows = matrix.columns = size;
  for (int i = 0; i < size; ++i) {
    std::vector<ulong> unit(static_cast<size_t>(size), 0);
    unit[static_cast<size_t>(i)] = 1;
    std::vector<ulong> const row = product(right, product(left, unit, true), true);
    for (int j = 0; j < size; ++j) {
      matrix.indices.push_back(j);
      matrix.values.push_back(row[static_cast<size_t>(j)]);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  SparseLuMod const factors(matrix, field, watch);
  BOOST_TEST(factors.rank() == rankByFlint(matrix));
  BOOST_TEST(factors.rank() == rank);
}

BOOST_AUTO_TEST_CASE(sparsityIsKept) {
  // An arrow: the full row and column have to come last.
  int const size = 400;
  ModularMatrix matrix;
  matrix.rows = matrix.columns = size;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      if (i != j && i != 0 && j != 0) continue;
      matrix.indices.push_back(j);
      matrix.values.push_back(static_cast<ulong>(1 + i + 2 * j));
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  Watch watch({});
  SparseLuMod const factors(matrix, field, watch);
  BOOST_TEST(factors.rank() == size);
  BOOST_TEST(factors.entries() <= 4 * size);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::rational
