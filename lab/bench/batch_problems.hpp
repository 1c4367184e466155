// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab/bench/dense_arguments.hpp"
#include "lab/bench/dense_model.hpp"
#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda::bench {

/// One problem of a batch, by what it is made of.
struct BatchItem {
  DenseFamily family = DenseFamily::uniform;
  DenseSize size;
  std::uint64_t seed = 1;
};

LinearProgram modelOf(BatchItem const& item);

/// `count` problems of one family and size: `distinct` different ones, then these again.
std::vector<BatchItem> familyItems(DenseFamily family, DenseSize size, std::size_t count,
                                   std::size_t distinct, std::uint64_t seed);

/// `count` different problems: rows and columns from 1 to `most` and the four families, all as
/// likely.
std::vector<BatchItem> mixedItems(std::size_t count, int most, std::uint64_t seed);

/// Problems as packed arrays.
class BatchArrays {
 public:
  /// Filled by all threads; an item that was there before is copied.
  explicit BatchArrays(std::vector<BatchItem> const& items);

  BatchProblems view() const;

 private:
  std::vector<int> rows_, columns_;
  std::unique_ptr<double[]> matrix_;  ///< first written by the threads that fill it
  std::vector<double> objective_, rowUpper_;
  std::vector<Sense> sense_;
  std::vector<std::size_t> matrixStart_{0}, columnStart_{0}, rowStart_{0};  ///< length K + 1
};

/// 0 .. count - 1 in an order that has nothing to do with it, the same for the same seed.
std::vector<std::size_t> shuffledOrder(std::size_t count, std::uint64_t seed);

/// A number for each problem from all bits of its answer: status, objective, point, duals, basis,
/// pivots, proof, residual and certificate. Filled by all threads.
std::vector<std::uint64_t> fingerprintsOf(BatchResults const& results);

}  // namespace osi_cuda::bench
