// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "CoinPackedMatrix.hpp"
#include "CoinPackedVectorBase.hpp"
#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda::osi {

/// Vectors of Osi's kinds as columns of one sparse matrix with `length` rows, each place once:
/// entries of one place are added up, and what is exactly zero then is left out.
class EntryList {
 public:
  /// `method` is what errors name.
  EntryList(int length, char const* method);

  /// Throws CoinError where an index is not in 0..length-1.
  void add(int count, int const* indices, double const* values);
  void add(CoinPackedVectorBase const& vector);
  SparseMatrix const& get() const { return list_; }

 private:
  SparseMatrix list_;
  std::vector<std::int64_t> place_;  // by index: where its entry is, if not before this vector
  char const* method_;
};

/// Whether a matrix without gaps has an entry of zero, or two in one place.
bool needsCleaning(CoinPackedMatrix const& matrix);

}  // namespace osi_cuda::osi
