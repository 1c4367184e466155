// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/host_simplex.hpp"

#include <algorithm>
#include <memory>

#include "examples/textbook/lines.hpp"

namespace osi_cuda::textbook {
namespace {

/// A tableau in host memory, and the steps of a pivot as loops over its lines. A line is a row or a
/// column, whichever is contiguous.
template <class T>
class HostRun {
  using Real = typename T::Real;
  static constexpr bool byRows = T::byRows;

 public:
  HostRun(FirstTableau const& first, Variant const& variant, Limits const& limits)
      : first_(first),
        allCores_(variant.drive == Drive::allCores),
        lines_(variant.drive == Drive::oneCore ? plainLines<Real>() : vectorLines<Real>()),
        basic_(first.basic),
        nonbasic_(first.nonbasic),
        state_(stateOf(first)) {
    t_.m = first.m;
    t_.settings = settingsOf(first, variant, limits);
    constexpr int cacheLine = 64 / int(sizeof(Real));
    int const length = byRows ? first.columns + 1 : first.m + 2;
    int const count = byRows ? first.m + 2 : first.columns + 1;
    t_.stride = (length + cacheLine - 1) / cacheLine * cacheLine;
    for (int k = 0; k <= int(t_.settings.twoBuffers); ++k)
      memory_[k].reset(new Real[std::size_t(count) * std::size_t(t_.stride)]);
    t_.even = memory_[0].get();
    t_.odd = memory_[t_.settings.twoBuffers ? 1 : 0].get();
    fill<Real, byRows>(first, t_.even, t_.stride);
    row_.resize(std::size_t(first.columns) + 1);
    column_.resize(std::size_t(first.m) + 2);
    improvements_.resize(std::size_t(first.columns) + 1);
    t_.savedRow = row_.data();
    t_.savedColumn = column_.data();
    t_.improvements = improvements_.data();
    t_.basic = basic_.data();
    t_.nonbasic = nonbasic_.data();
  }

  void pivotUntilTheEnd() {
    while (state_.ending == Ending::running) {
      if (t_.settings.greatest) computeImprovements();
      choose();
      if (state_.row == 0) continue;
      saveLines();
      update();
    }
  }

  State const& state() const { return state_; }
  std::vector<double> values() const {
    std::vector<double> value(std::size_t(t_.m) + 1);
    for (int i = 1; i <= t_.m; ++i) value[i] = double(t_.after(state_.pivots)[t_.at(i, 0)]);
    return valuesOf(first_, basic_, value);
  }

 private:
  /// improvements[j] = what the objective of the phase gains if column j enters.
  void computeImprovements() {
    Real const* const old = t_.after(state_.pivots);
    Real const tolerance = Real(t_.settings.pivotTolerance);
    std::vector<int> artificialRows;
    if (state_.phase == 2 && state_.artificials > 0)
      for (int i = 1; i <= t_.m; ++i)
        if (basic_[i] >= t_.settings.firstArtificial) artificialRows.push_back(i);
    int const width = allCores_ ? 32 : 256;  // columns whose least ratios stay in the nearest cache
#pragma omp parallel for if (allCores_) schedule(static)
    for (int first = 1; first <= state_.columns; first += width) {
      int const end = std::min(first + width, state_.columns + 1);
      if (byRows) {
        std::fill(improvements_.begin() + first, improvements_.begin() + end, Real(unlimited));
        for (int i = 1; i <= t_.m; ++i)
          lines_.rowRatios(end - first, std::max(old[t_.at(i, 0)], Real(0)), tolerance,
                           old + t_.at(i, first), &improvements_[first]);
      }
      for (int j = first; j < end; ++j) {
        Real const cost = t_.attraction(state_, j);
        if (!byRows && cost != Real(0))
          improvements_[j] =
              lines_.columnRatio(t_.m, tolerance, old + t_.at(1, 0), old + t_.at(1, j));
        for (int const i : artificialRows)
          improvements_[j] = std::min(improvements_[j], t_.ratio(state_, i, old[t_.at(i, j)]));
        improvements_[j] *= -cost;
      }
    }
  }

  void choose() {
    t_.begin(state_);
    if (state_.ending != Ending::running) return;
    Candidate<Real> q, r;
    for (int j = 1; j <= state_.columns; ++j) q = better(q, t_.entering(state_, j));
    if (q.place == 0) return t_.endPhase(state_);
    for (int i = 1; i <= t_.m; ++i) r = better(r, t_.leaving(state_, i, q.place));
    if (r.place == 0)
      state_.ending = Ending::unbounded;
    else
      t_.exchange(state_, r.place, q.place);
  }

  /// The pivot row, divided by the pivot, and the pivot column, as they are before the update.
  void saveLines() {
    Real const* const old = t_.after(state_.pivots - 1);
    Real const element = Real(state_.element);
    for (int j = 0; j <= state_.columns; ++j)
      row_[j] = old[t_.at(state_.row, t_.sourceOf(state_, j))] / element;
    for (int i = 0; i < t_.rows(state_); ++i) column_[i] = old[t_.at(i, state_.column)];
  }

  /// Every line loses a multiple of the saved one. The pivot row and column, which are different,
  /// are computed beside it, entry by entry.
  void update() {
    Real const* const from = t_.after(state_.pivots - 1);
    Real* const to = t_.after(state_.pivots);
    int const rows = t_.rows(state_), columns = state_.columns + 1;
    auto const entry = [&](int i, int j) {
      return t_.pivoted(state_, i, j, from[t_.at(i, t_.sourceOf(state_, j))], column_[i], row_[j]);
    };
    std::vector<Real> newRow(row_), newColumn(column_);
    if (state_.column < columns)
      for (int i = 0; i < rows; ++i) newColumn[i] = entry(i, state_.column);
    for (int j = 0; j < columns; ++j) newRow[j] = entry(state_.row, j);
    int const count = byRows ? rows : columns, length = byRows ? columns : rows;
#pragma omp parallel for if (allCores_) schedule(static)
    for (int k = 0; k < count; ++k) {
      std::int64_t const begin = k * t_.stride;
      if (byRows)
        lines_.update(length, column_[k], row_.data(), from + begin, to + begin);
      else
        lines_.update(length, row_[k], column_.data(), from + begin, to + begin);
    }
    if (state_.column < columns)
      for (int i = 0; i < rows; ++i) to[t_.at(i, state_.column)] = newColumn[i];
    for (int j = 0; j < columns; ++j) to[t_.at(state_.row, j)] = newRow[j];
  }

  FirstTableau const& first_;
  bool allCores_;
  Lines<Real> lines_;
  std::vector<int> basic_, nonbasic_;
  State state_;
  std::unique_ptr<Real[]> memory_[2];
  std::vector<Real> row_, column_, improvements_;
  T t_{};
};

}  // namespace

Outcome solveOnHost(FirstTableau const& first, Variant const& variant, Limits const& limits) {
  return solveWith<HostRun>(first, variant, limits);
}

double hostCopySeconds(double bytes, Drive drive) {
  constexpr std::size_t line = 4096;  // bytes
  auto const count = std::size_t(std::max(1.0, bytes / double(line)));
  std::vector<char> const from(count * line, 1);
  std::vector<char> to(count * line);
  double best = 1e30;
  for (int repeat = 0; repeat < 4; ++repeat) {
    double const begin = now();
#pragma omp parallel for if (drive == Drive::allCores) schedule(static)
    for (std::size_t k = 0; k < count; ++k) std::copy_n(&from[k * line], line, &to[k * line]);
    best = std::min(best, now() - begin);
  }
  return best * bytes / double(count * line);
}

}  // namespace osi_cuda::textbook
