// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "osi_cuda/barrier/arrays.hpp"
#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/interior_point.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/barrier/sparse_normal.hpp"
#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/base/abandoned.hpp"
#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/front_factor.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda {
namespace host {
namespace {

/// The record for choices about a problem.
Machine const& machineOf(StandardForm const& form) {
  return machineFor(static_cast<double>(form.rows()) * form.columns());
}
/// Rows or columns of A that are scaled and multiplied at a time.
constexpr int pieceLength = 256;  // at most
/// The lower triangle of `normal` (order x order) + a a', or + a'a; a has `count` columns or rows.
void addSquare(CBLAS_TRANSPOSE side, int order, int count, double const* a, int stride,
               double* normal) {
  blas::dsyrk(CblasColMajor, CblasLower, side, order, count, 1.0, a, stride, 1.0, normal, order);
}
void addSquare(CBLAS_TRANSPOSE side, int order, int count, float const* a, int stride,
               float* normal) {
  blas::ssyrk(CblasColMajor, CblasLower, side, order, count, 1.0f, a, stride, 1.0f, normal, order);
}

/// Of an iteration: sparse fronts are so small there that threads wait for one another instead.
constexpr double fewOperations = 5e8;

/// The linear algebra of the interior point method (barrier/interior_point.hpp) on the processor,
/// by OpenBLAS.
class HostAlgebra {
 public:
  /// Counts the work of sparse and dense normal equations. Throws NotEnoughMemory, and Interrupted
  /// where `stop` (may be empty) answers true. The form must outlive the object.
  HostAlgebra(StandardForm const& form, int threads, std::function<bool()> const& stop)
      : form_(form),
        stop_(stop),
        sparse_(sparseOf(form)),
        workload_(sparse_ ? sparse_->work : barrierWork(form, scatteredOnHost(machineOf(form)))),
        threads_(sparse_ && workload_.iteration() < fewOperations ? 1 : threads),
        // A solve is bound by memory.
        correctors_(
            barrier::correctorsFor(workload_.product + workload_.factor, 10.0 * workload_.solve)) {
    std::uint64_t needed =
        sparse_ ? FrontFactor::bytes(sparse_->lines(form, sparse_->work.byColumns), sparse_->tree)
                : 0;
    needed += barrierBytes(form, workload_, !sparse_);
    if (workload_.dense)
      needed += sizeof(float) * at(workload_.order) * (at(workload_.order) + at(pieceLength));
    if (auto const available = availableMemory(); available && needed > *available)
      throw NotEnoughMemory("the interior point method needs " + byteCount(needed) +
                            " of memory, " + byteCount(*available) + " are available");
    int const m = form.rows(), n = form.columns();
    if (workload_.dense) {
      SparseMatrix const& matrix = form.matrix();
      if (form.full() && !matrix.dense.byRows) {
        columns_ = matrix.isDense() ? matrix.dense.numbers : matrix.values.data();
      } else {
        dense_.assign(at(m) * at(n), 0.0);
        ColumnReader read(matrix);
        for (int j = 0; j < n; ++j) {
          for (auto const [i, a] : read.column(j)) dense_[at(j) * at(m) + at(i)] = a;
        }
        columns_ = dense_.data();
      }
      scaled_.resize(at(pieceLength) * at(workload_.order));
    } else {
      form.transposed();
    }
    for (auto& work : works_) work.resize(at(workload_.order));
    kinds_ = barrier::boundKinds(form);
    numbers_.resize(barrier::numbersOfView(m, n));
    view_ = barrier::placeView(m, n, numbers_.data());
    view_.cost = form.cost.data();
    view_.lower = form.lower.data();
    view_.upper = form.upper.data();
    view_.kind = kinds_.data();
    view_.s = &scalars_;
  }

  /// What an iteration takes, about.
  // Sparse fronts are mostly assembled, by one core.
  double iterationSeconds() const {
    return hostIterationSeconds(machineOf(form_), workload_.iteration(), sparse_ ? 1 : threads_,
                                static_cast<double>(form_.rows()) + form_.columns());
  }
  double openingSeconds() const {
    return sparse_ && !FrontFactor::needsBlas(sparse_->tree) ? 0.0 : blas::openingSeconds;
  }
  /// Polled while the normal matrix is formed and factored and in solves with it, which end with
  /// Interrupted then.
  void watch(std::function<bool()> stop) {
    stop_ = std::move(stop);
    poll_.emplace(stop_);
  }

  /// Takes the memory of the normal matrix; may end with Interrupted as well.
  // Gigabytes of memory take seconds to come.
  void allocate() {
    if (sparse_) {
      factor_.emplace(sparse_->lines(form_, workload_.byColumns), std::move(sparse_->tree),
                      threads_);
      return;
    }
    constexpr std::size_t piece = std::size_t{1} << 25;  // numbers
    std::size_t const size = at(workload_.order) * at(workload_.order);
    normal_.reserve(size);
    while (normal_.size() < size) {
      checkStop();
      normal_.resize(std::min(size, normal_.size() + piece));
    }
  }

  barrier::View const& view() const { return view_; }
  bool byColumns() const { return workload_.byColumns; }
  int order() const { return workload_.order; }
  int correctors() const { return correctors_; }
  // Single precision takes half the time. Below some hundred rows or columns that is nothing.
  double roughSteps() const {
    constexpr double worthwhile = 4.0, boundByMemory = 10.0;
    double const steps = 0.5 * workload_.product / (boundByMemory * workload_.solve);
    return columns_ && steps >= worthwhile ? steps : -1.0;
  }
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
  void multiply(double const* x, double* out) const {
    int const m = form_.rows(), n = form_.columns();
    if (!columns_) return lineProducts(form_.transposed(), x, out);
    std::fill(out, out + m, 0.0);
    if (m == 0 || n == 0) return;
    BlasThreads const threads(threads_, 2.0 * m * n);
    blas::dgemv(CblasColMajor, CblasNoTrans, m, n, 1.0, columns_, m, x, 1, 0.0, out, 1);
  }
  void multiplyTransposed(double const* y, double* out) const {
    int const m = form_.rows(), n = form_.columns();
    if (!columns_) return lineProducts(form_.matrix(), y, out);
    std::fill(out, out + n, 0.0);
    if (m == 0 || n == 0) return;
    BlasThreads const threads(threads_, 2.0 * m * n);
    blas::dgemv(CblasColMajor, CblasTrans, m, n, 1.0, columns_, m, y, 1, 0.0, out, 1);
  }
  void form(double const* weight, double const* diagonal, barrier::Digits digits) {
    weight_ = weight;
    diagonal_ = diagonal;
    if (factor_) return;
    if (columns_)
      formDense(weight, digits);
    else if (byColumns())
      formSparse(form_.matrix(), form_.transposed(), weight);
    else
      formSparse(form_.transposed(), form_.matrix(), weight);
    addDiagonal(diagonal);
  }
  void factor(double share) {
    std::function<void()> const pause = [this] {
      if (Abandoned::now() || (*poll_)()) throw Interrupted{};
    };
    bool done = false;
    if (factor_) {
      done = factor_->factor(weight_, diagonal_, share, pause);
    } else {
      int const order = workload_.order;
      for (int k = 0; k < order; ++k) normal_[at(k) * at(order) + at(k)] *= 1.0 + share;
      BlasThreads const threads(threads_, workload_.factor);
      done = factorColumns(normal_.data(), order, order, pause);
    }
    if (!done) scalars_.failed = 1.0;
  }
  void solve(double* x) const {
    int const order = workload_.order;
    if (poll_ && (*poll_)()) throw Interrupted{};
    if (order == 0 || scalars_.failed != 0.0) return;
    if (factor_) return factor_->solve(x);
    BlasThreads const threads(threads_, 2.0 * order * order);
    for (auto const side : {CblasNoTrans, CblasTrans})
      blas::dtrsv(CblasColMajor, CblasLower, side, CblasNonUnit, order, normal_.data(), order, x,
                  1);
  }
  void copy(double const* from, double* to, int count) const { std::copy(from, from + count, to); }
  barrier::Scalars fetch() const { return scalars_; }
  BarrierPoint point() const {
    auto const variables = kinds_.size(), rows = at(form_.rows());
    return barrier::pointOf({view_.x, variables}, {view_.y, rows}, {view_.wl, variables},
                            {view_.wu, variables}, {view_.zl, variables}, {view_.zu, variables},
                            kinds_);
  }

 private:
  static std::int64_t workOf(int count) { return 20 * static_cast<std::int64_t>(count); }
  std::optional<barrier::SparseNormal> sparseOf(StandardForm const& form) {
    if (form.full()) return std::nullopt;
    Poll poll(stop_);
    double const scattered = scatteredOnHost(machineOf(form));
    int asked = 0;  // a step of an order takes no longer than to read the clock
    return barrier::sparseNormal(form, barrierWork(form, scattered), scattered, [&] {
      if (++asked % 16 == 0 && poll()) throw Interrupted{};
    });
  }
  void lineProducts(SparseMatrix const& lines, double const* x, double* out) const {
    forChunks(threads_, lines.columns, 2 * lines.nonzeros(), [&](int begin, int end) {
      for (int line = begin; line < end; ++line) {
        double sum = 0.0;
        for (auto const [i, a] : lines.column(line)) sum += a * x[i];
        out[line] = sum;
      }
    });
  }
  void formDense(double const* weight, barrier::Digits digits) {
    int const order = workload_.order;
    if (order == 0) return;
    BlasThreads const threads(threads_, workload_.product);
    if (digits == barrier::Digits::all) {
      std::ranges::fill(normal_, 0.0);
      return addPieces(weight, scaled_, normal_.data());
    }
    roughNormal_.assign(normal_.size(), 0.0f);
    roughScaled_.resize(scaled_.size());
    addPieces(weight, roughScaled_, roughNormal_.data());
    forChunks(threads_, order, static_cast<std::int64_t>(order) * order, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        for (int i = k; i < order; ++i)
          normal_[at(k) * at(order) + at(i)] = roughNormal_[at(k) * at(order) + at(i)];
    });
  }
  // By rows, pieces of columns times the roots of their weights, and a product of each with itself;
  // by columns the same with pieces of rows.
  template <class Number>
  void addPieces(double const* weight, std::vector<Number>& scaled, Number* normal) {
    int const m = form_.rows(), n = form_.columns(), order = workload_.order;
    int const length = byColumns() ? m : n;
    int const piece = stripLength(pieceLength, 1.0 * order * order);
    for (int first = 0; first < length; first += piece) {
      checkStop();
      int const count = std::min(piece, length - first);
      if (byColumns()) {
        forChunks(threads_, n, static_cast<std::int64_t>(n) * count, [&](int begin, int end) {
          for (int j = begin; j < end; ++j) {
            double const* const from = columns_ + at(j) * at(m) + at(first);
            Number* const to = scaled.data() + at(j) * at(pieceLength);
            for (int i = 0; i < count; ++i)
              to[i] = static_cast<Number>(from[i] * std::sqrt(weight[first + i]));
          }
        });
        addSquare(CblasTrans, order, count, scaled.data(), pieceLength, normal);
      } else {
        forChunks(threads_, count, static_cast<std::int64_t>(m) * count, [&](int begin, int end) {
          for (int j = begin; j < end; ++j) {
            double const* const from = columns_ + at(first + j) * at(m);
            Number* const to = scaled.data() + at(j) * at(m);
            double const root = std::sqrt(weight[first + j]);
            for (int i = 0; i < m; ++i) to[i] = static_cast<Number>(from[i] * root);
          }
        });
        addSquare(CblasNoTrans, order, count, scaled.data(), m, normal);
      }
    }
  }
  // Column k of the lower triangle: the lines that meet line k, weighted.
  void formSparse(SparseMatrix const& lines, SparseMatrix const& across, double const* weight) {
    int const order = workload_.order;
    constexpr double atOnce = 4e8;  // operations, of which scattered ones count several times
    int const strip = stripLength(order, workload_.product / std::max(1, order), atOnce);
    for (int first = 0; first < order; first += strip) {
      checkStop();
      formSparse(lines, across, weight, first, std::min(strip, order - first));
    }
  }
  void formSparse(SparseMatrix const& lines, SparseMatrix const& across, double const* weight,
                  int first, int count) {
    int const order = workload_.order;
    auto const work = static_cast<std::int64_t>(workload_.product / order * count);
    forChunks(threads_, count, work, [&](int begin, int end) {
      for (int k = first + begin; k < first + end; ++k) {
        double* const column = normal_.data() + at(k) * at(order);
        std::fill(column + k, column + order, 0.0);
        for (auto const [i, a] : lines.column(k)) {
          double const scaled = a * weight[i];
          if (scaled == 0.0) continue;
          for (auto const [other, value] : across.column(i))
            if (other >= k) column[other] += scaled * value;
        }
      }
    });
  }
  void addDiagonal(double const* diagonal) {
    for (int k = 0; k < workload_.order; ++k)
      normal_[at(k) * at(workload_.order) + at(k)] += diagonal[k];
  }
  void checkStop() const {
    if (stop_ && stop_()) throw Interrupted{};
  }

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

class HostBarrier final : public Barrier {
 public:
  explicit HostBarrier(BarrierOptions const& options)
      : threads_(options.threads > 0
                     ? options.threads
                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))),
        device_(makeHostEngine({})->traits().device) {}

  SolveEngine name() const override { return SolveEngine::host; }
  std::string device() const override { return device_; }

  void load(StandardForm const& form, Engine*, std::function<bool()> const& stop) override {
    form_ = &form;
    algebra_.emplace(form, threads_, stop);
  }

  double iterationSeconds() const override { return algebra_->iterationSeconds(); }
  double openingSeconds() const override { return algebra_->openingSeconds(); }

  BarrierPoint run(BarrierRequest const& request) override {
    algebra_->watch(request.stop);
    BarrierState last;
    BarrierRequest watched = request;
    watched.report = [&](BarrierState const& state) {
      last = state;
      if (request.report) request.report(state);
    };
    barrier::InteriorPoint<HostAlgebra> method(*algebra_, watched, *form_);
    try {
      algebra_->allocate();
      return method.run(algebra_->iterationSeconds());
    } catch (Interrupted const&) {  // on the way to a direction: the iterate is whole
      BarrierPoint point = algebra_->point();
      point.state = last;
      return point;
    }
  }

  void unload() override { algebra_.reset(); }

 private:
  int const threads_;
  std::string const device_;
  StandardForm const* form_ = nullptr;
  std::optional<HostAlgebra> algebra_;
};

}  // namespace
}  // namespace host

std::unique_ptr<Barrier> makeHostBarrier(BarrierOptions const& options) {
  return std::make_unique<host::HostBarrier>(options);
}

}  // namespace osi_cuda
