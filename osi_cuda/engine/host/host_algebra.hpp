// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/sparse_normal.hpp"
#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/host/front_factor.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda::host {

/// The linear algebra of the interior point method (barrier/interior_point.hpp) on the processor,
/// by OpenBLAS.
class HostAlgebra {
 public:
  /// Counts the work of sparse and dense normal equations. Throws NotEnoughMemory, and Interrupted
  /// where `stop` (may be empty) answers true. The form must outlive the object.
  HostAlgebra(StandardForm const& form, int threads, std::function<bool()> const& stop);

  /// What an iteration takes, about.
  double iterationSeconds() const;
  /// Polled while the normal matrix is formed and factored and in solves with it, which end with
  /// Interrupted then.
  void watch(std::function<bool()> stop) {
    stop_ = std::move(stop);
    poll_.emplace(stop_);
  }

  /// Takes the memory of the normal matrix; may end with Interrupted as well.
  void allocate();

  barrier::View const& view() const { return view_; }
  bool byColumns() const { return workload_.byColumns; }
  int order() const { return workload_.order; }
  int correctors() const { return correctors_; }
  double roughSteps() const;
  double* work(int i) { return works_[static_cast<std::size_t>(i)].data(); }

  void each(int count, auto const& f) {
    forChunks(threads_, count, workOf(count), [&](int begin, int end) {
      for (int k = begin; k < end; ++k) f(k);
    });
  }
  template <class F>
  void reduce(int count, F const& f) {
    using Result = typename F::Result;
    f.finish(reduceChunks(
        threads_, count, Result{}, [&](Result& sum, int k) { sum.add(f(k)); },
        [](Result sum, Result const& other) {
          sum.add(other);
          return sum;
        }));
  }
  void multiply(double const* x, double* out) const;
  void multiplyTransposed(double const* y, double* out) const;
  void form(double const* weight, double const* diagonal, barrier::Digits digits);
  void factor(double share);
  void solve(double* x) const;
  void copy(double const* from, double* to, int count) const;
  barrier::Scalars fetch() const { return scalars_; }
  BarrierPoint point() const;

 private:
  static std::int64_t workOf(int count) { return 20 * static_cast<std::int64_t>(count); }
  std::optional<barrier::SparseNormal> sparseOf(StandardForm const& form);
  void lineProducts(SparseMatrix const& lines, double const* x, double* out) const;
  void formDense(double const* weight, barrier::Digits digits);
  template <class Number>
  void addPieces(double const* weight, std::vector<Number>& scaled, Number* normal);
  void formSparse(SparseMatrix const& lines, SparseMatrix const& across, double const* weight);
  void formSparse(SparseMatrix const& lines, SparseMatrix const& across, double const* weight,
                  int first, int count);
  void addDiagonal(double const* diagonal);
  void checkStop() const;

  StandardForm const& form_;
  std::function<bool()> stop_;
  std::optional<barrier::SparseNormal> sparse_;  ///< where that is less work
  BarrierWork const workload_;
  int const threads_;
  int const correctors_;
  mutable std::optional<Poll> poll_;
  std::vector<unsigned char> kinds_;
  std::vector<double> dense_;        ///< A by columns, where it is dense and the form's is not so
  double const* columns_ = nullptr;  ///< A by columns without gaps, or null
  std::optional<FrontFactor> factor_;
  double const *weight_ = nullptr, *diagonal_ = nullptr;  ///< of the normal matrix
  std::vector<double> normal_;  ///< order x order, its lower triangle; then the factor
  std::vector<double> scaled_;  ///< a piece of A times roots of weights
  std::vector<float> roughScaled_, roughNormal_;  ///< the same in single precision
  std::vector<double> numbers_;                   ///< what view_ refers to
  std::vector<double> works_[5];
  barrier::Scalars scalars_{};
  barrier::View view_{};
};

}  // namespace osi_cuda::host
