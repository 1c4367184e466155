// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/views.hpp"

namespace osi_cuda::cuda {

/// What becomes of a tableau's lines when rows and columns come or go.
struct LineMoves {
  std::vector<int> row, column;  ///< of the lines that stay: by new position, the one before
  std::vector<int> number;       ///< by variable before: its number from now on, -1 if it is lost
  std::vector<int> before;       ///< by variable from now on: its number before, -1 if it is new
  int rows = 0, columns = 0;     ///< m and n from now on: new lines follow those that stay
};

/// The delayed tableau T = D - U'V in device memory, with the state by position and the working
/// costs: it owns what TableauView points to, and does what is done with all of T by cuBLAS.
class DeviceTableau {
 public:
  explicit DeviceTableau(DeviceQueue& queue) : queue_(queue) {}

  /// Takes over sizes; nothing is allocated yet.
  void resize(TableauView const& sizes) { t_ = sizes; }
  /// Memory for them, kept from problem to problem; `costs` is by variable.
  void allocate(double* costs);
  void giveBack();
  /// Entries that there is memory for.
  std::size_t room() const { return base_.size(); }

  TableauView const& view() const { return t_; }
  int m() const { return t_.m; }
  int n() const { return t_.n; }
  int used() const { return used_; }  ///< k
  void setUsed(int used) { used_ = used; }
  /// Counts up whenever D changes: what is made of it is then out of date.
  std::uint64_t age() const { return age_; }
  void renew() { ++age_; }

  /// T = A, as the matrix left it in D, with the slacks basic.
  void placeSlackBasis();
  /// D <- D - U'V, k <- 0
  void fold();
  /// Brings the variables of `columns` into the basis in place of those of some `rows`, by pivots
  /// of at least `smallestEntry` beside their column; all but reduced costs and bounds by position
  /// follows. Where a column finds none, T is that of the basis reached until then.
  void exchange(std::vector<int> const& columns, std::vector<int> const& rows,
                double smallestEntry);
  /// Drops lines and makes room for new ones: rows in place, where columns come or go by a copy of
  /// D. The state by position keeps variables and values; new variables have the value 0. The new
  /// lines are to be formed next.
  void reshape(LineMoves const& moves, double* costs);
  /// On the device, from reshape() on: LineMoves::number, and LineMoves::before behind it.
  int const* numbers() const { return numbersMoved_; }
  /// The new columns B^-1 a in the first `rows` rows, whose slacks B^-1 is given by; then the new
  /// rows a_N - a_B T. One product with D each; `matrix` is the new one.
  void formColumns(DeviceMatrix const& matrix, int first, int rows);
  void formRows(DeviceMatrix const& matrix, int first);
  /// out = T'g, length n; out = T g, length m
  void combineRows(double const* g, double* out) const;
  void combineColumns(double const* g, double* out) const;
  /// out = T, m x n by rows, each variable in units of factor[variable] in place of its own
  void copyScaled(double const* factor, double* out) const;
  /// out = T[i,:], out = T[:,j]
  void copyRow(int i, double* out) const;
  void copyColumn(int j, double* out) const;

 private:
  void allocateState(double* costs);
  void subtractFactors(double* base) const;
  void moveRows(LineMoves const& moves, int const* from);
  void repack(LineMoves const& moves, int const* rowFrom, int const* columnFrom);
  double* denseLines(LinesView const& a, int begin, int lines, int length, int positions);

  DeviceQueue& queue_;
  TableauView t_;
  int used_ = 0;
  std::uint64_t age_ = 0;
  DeviceArray<double> base_, u_, v_, numbers_, folded_, lines_;
  DeviceArray<int> variables_, moves_;
  int const* numbersMoved_ = nullptr;
  DeviceArray<float> columnSketch_, rowSketch_;
  DeviceArray<CostShift> shifts_;
};

}  // namespace osi_cuda::cuda
