// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "examples/response/csr.hpp"
#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda::response {

/// Repeated products: a step is x <- x + weight .* (load - A x), Jacobi's iteration with damping,
/// or, with weight = time step / lumped mass, an explicit step of the heat equation.
struct Relaxation {
  Csr matrix;
  std::vector<double> weight, load;
  int rows() const { return matrix.rows; }
};

struct Space;
/// Of the steady field under a load of 1, damped by a half; fixed places stay as they are.
Relaxation relaxationOf(Space const& space);

/// Row k of the result is row order[k] of `relaxation`, and columns alike.
Relaxation permuted(Relaxation const& relaxation, std::vector<int> const& order);

/// Rows as products read them, in the memory of whoever computes.
struct RelaxationRows {
  int const *start, *column;
  double const *value, *weight, *load;
};

/// x[i] after the step. Written once for all who compute.
OSI_CUDA_HD inline double relaxed(RelaxationRows const& a, int i, double const* x) {
  double sum = a.load[i];
  for (int k = a.start[i]; k < a.start[i + 1]; ++k) sum -= a.value[k] * x[a.column[k]];
  return x[i] + a.weight[i] * sum;
}

/// `steps` steps, each over all rows, in place.
void relaxPlainly(Relaxation const& relaxation, std::vector<double>& x, int steps, int threads);

/// What one part of the rows needs for up to depth() steps without a word from the others: its own
/// rows, and around them layers of rows that are computed a second time here (Demmel, Hoemmen,
/// Mohiyuddin and Yelick 2008). In step s of n, the rows within n - s layers.
struct Tile {
  std::vector<int> row;            ///< numbers of the whole: its own first, then layer by layer
  std::vector<int> within;         ///< within[d]: rows in at most d layers; within[0]: its own
  std::vector<int> start, column;  ///< of the rows within depth() - 1, columns by tile
  std::vector<double> value, weight, load;

  int own() const { return within.front(); }
  int depth() const { return int(within.size()) - 1; }
  int all() const { return within.back(); }
  RelaxationRows rows() const {
    return {start.data(), column.data(), value.data(), weight.data(), load.data()};
  }
  /// Matrix entries that `steps` steps read.
  double entries(int steps) const;
};

/// `number`: -1 for each row of the whole, and so again afterwards.
Tile tileOf(Relaxation const& relaxation, std::span<int const> own, int depth,
            std::vector<int>& number);

/// `steps` <= depth() steps. x: all() values, y: as many, for the steps between. Returns whichever
/// of the two has the tile's own values.
double* advance(Tile const& tile, int steps, double* x, double* y);

/// All rows by tiles that fit into a core's cache: a pass over the memory makes several steps.
class TiledRelaxation {
 public:
  /// Rows are tiled in the order they have, about `bytes` of matrix a tile.
  TiledRelaxation(Relaxation const& relaxation, int depth, double bytes);
  void run(std::vector<double>& x, int steps, int threads) const;
  int tiles() const { return int(tiles_.size()); }
  /// Entries that are read over those that plain steps read.
  double redundancy() const;

 private:
  double plainEntries_;
  std::vector<Tile> tiles_;
};

}  // namespace osi_cuda::response
