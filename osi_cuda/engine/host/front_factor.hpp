// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "osi_cuda/barrier/front_tree.hpp"

namespace osi_cuda::host {

/// The factor of a sparse normal matrix: L D L' with D = +-1, formed and factored front by front.
class FrontFactor {
 public:
  /// The lines' matrices must outlive the object.
  FrontFactor(barrier::NormalLines const& normal, barrier::FrontTree tree, int threads);

  /// What the object takes.
  static std::uint64_t bytes(barrier::NormalLines const& normal, barrier::FrontTree const& tree);

  /// Whether there is so much to do that the library is worth opening.
  static bool needsBlas(barrier::FrontTree const& tree);

  /// Of the sum of weight[k] a_k a_k' + diag(diagonal), its diagonal larger by a share. False where
  /// a pivot has the wrong sign. `pause` is called several times a second; what it throws passes
  /// through.
  bool factor(double const* weight, double const* diagonal, double share,
              std::function<void()> const& pause);

  /// x <- M^-1 x
  void solve(double* x) const;

 private:
  using Front = barrier::FrontTree::Front;
  /// An entry of a kept line, beside the diagonal of M.
  struct Pair {
    int first, second;  ///< places
    int line;
    double value;
  };

  void sortLines(barrier::NormalLines const& normal);
  void assemble(std::size_t f, double const* weight, double* panel, double* rest);
  void addChild(Front const& child, double const* from, Front const& front, double* panel,
                double* rest) const;

  barrier::FrontTree const tree_;
  int const order_, threads_;
  bool const blas_;                       ///< needsBlas()
  std::vector<int> lines_;                ///< that are not kept, by their front
  std::vector<std::int64_t> lineStarts_;  ///< places of their entries
  std::vector<int> places_;               ///< of the entries, ascending in every line
  std::vector<double> values_;
  std::vector<std::int64_t> frontLines_;  ///< by front: place in lines_
  std::vector<Pair> pairs_;
  std::vector<std::int64_t> frontPairs_;
  std::vector<double> panels_, stack_;
  std::vector<double> diagonal_;  ///< of M by place
  std::vector<int> local_;        ///< by place: where it is in a front
  mutable std::vector<double> x_, part_;
};

// Parts of Cholesky factors in blocks, by BLAS or, where they are small, without it. Matrices are
// stored by columns, of symmetric ones the lower triangle. `pause` is called at least every
// tenth of a second or so of work; what it throws passes through.

/// The first `count` columns of the factor L of a symmetric matrix of order `rows` at `a`, in place
/// of its own. False where there is none.
bool factorColumns(double* a, int rows, int count, std::function<void()> const& pause);

/// Adds alpha X X(first `width` rows)' to the lower trapezoid of height x width at `to`; X has
/// height x depth.
void addProduct(double alpha, double const* x, int stride, int height, int width, int depth,
                double* to, int toStride, std::function<void()> const& pause);

}  // namespace osi_cuda::host
