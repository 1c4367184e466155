// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/host_engine.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/host/host_team.hpp"
#include "osi_cuda/engine/host/kernels.hpp"
#include "osi_cuda/engine/host/parallel.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makeHostEngine(EngineOptions const& options) {
  return std::make_unique<host::HostEngine>(options);
}

namespace host {

HostEngine::HostEngine(EngineOptions const& options) : PositionEngine(t_), options_(options) {}

void HostEngine::load(StandardForm const& form) {
  hold(form);
  form.transposed();  // formed before threads read it
  factor_.reset();
  // K: the block update of mn K multiplications against K/2 (m + n) extra loads a pivot; 64 is near
  // the optimum over a wide range of sizes, small problems want less memory traffic at the start.
  int const blockSize = options_.blockSize > 0 ? options_.blockSize : 64;
  int const sketch = options_.sketchSize > 0 ? options_.sketchSize : 64;
  requireMemory(form, blockSize, sketch);
  // Threads that wait for the next loop keep their cores busy, and others from them.
  constexpr double worthThreads = 1e6;  // entries
  double const cells = static_cast<double>(form.rows()) * form.columns();
  int const cores = options_.threads > 0 ? options_.threads : omp_get_max_threads();
  t_.threads = cells >= worthThreads ? cores : 1;
  t_.resize(form.rows(), form.columns(), blockSize, sketch);
  suit();
  lower_ = form.lower;
  upper_ = form.upper;
  placeSlackBasis();
  placeBounds();
  setCosts(form.cost);
}

// Systems promise more memory than they have, and end the program when it is used: better to ask
// first. What the tableau before took is used again.
void HostEngine::requireMemory(StandardForm const& form, int blockSize, int sketchSize) const {
  constexpr std::uint64_t small = std::uint64_t{1} << 26;  // not worth a look at /proc
  ProblemSize const size{
      static_cast<std::uint64_t>(form.rows()), static_cast<std::uint64_t>(form.columns()),
      // What stands on a DenseArray needs no transposed copy.
      static_cast<std::uint64_t>(form.matrix().isDense() ? 0 : form.nonzeros()),
      static_cast<std::uint64_t>(blockSize), static_cast<std::uint64_t>(sketchSize)};
  std::uint64_t const needed = bytesNeeded(size);
  if (needed <= small) return;
  std::optional<std::uint64_t> available = availableMemory();
  if (available) *available += t_.base.capacity() * sizeof(double);
  if (available && needed > *available)
    throw NotEnoughMemory(memorySentence(size, needed, *available, "memory"));
}

// A pivot may cost a pass over the tableau on one slow thread. The exact pass of a rule costs mn a
// pivot, the sketch about 64 (m + n), and as many passes to begin with: where the tableau lies in a
// cache and solves are short, as in branch and bound, that is dear.
void HostEngine::suit() {
  double const m = t_.m, n = t_.n;
  traits_.blockSize = t_.capacity;
  traits_.pivotSeconds = tableauPivotSeconds(machineFor(m * n), m, n);
  traits_.mostPivots =
      static_cast<int>(std::clamp(2e8 / (m * n + 1.0), 1.0, double(EngineTraits().mostPivots)));
  bool const exact = m * n < std::max(64.0 * (m + n), 1e5);
  traits_.primalPricing = traits_.dualPricing = exact ? Pricing::steepest : Pricing::sketched;
}

void HostEngine::placeSlackBasis() {
  weightsFor_.reset();
  int const n = t_.n;
  std::iota(t_.basic.begin(), t_.basic.end(), n);
  std::iota(t_.nonbasic.begin(), t_.nonbasic.end(), 0);
  t_.used = 0;
  SparseMatrix const& matrix = form_->matrix();
  if (matrix.dense.byRows) {  // as the tableau lies, too
    std::copy_n(matrix.dense.numbers, matrix.nonzeros(), t_.base.data());
    return;
  }
  ColumnReader readRow(form_->transposed());  // base is zero before
  for (int i = 0; i < t_.m; ++i) {
    double* const row = t_.baseRow(i);
    for (auto const [index, a] : readRow.column(i)) row[index] = a;
  }
}

void HostEngine::setCosts(std::span<double const> cost) {
  t_.cost.assign(cost.begin(), cost.end());
  computeReducedCosts();
}

void HostEngine::setValues(std::span<double const> value) {
  for (int j = 0; j < t_.n; ++j) t_.columnValue[j] = value[t_.nonbasic[j]];
  computeBasicValues();
}

// x_B = -T x_N
void HostEngine::computeBasicValues() {
  t_.combineColumns(t_.columnValue.data(), t_.rowValue.data());
  for (double& x : t_.rowValue) x = -x;
}

// d_N = c_N - T'c_B
void HostEngine::computeReducedCosts() {
  for (int i = 0; i < t_.m; ++i) t_.rowChange[i] = t_.cost[t_.basic[i]];
  t_.combineRows(t_.rowChange.data(), t_.reducedCost.data());
  for (int j = 0; j < t_.n; ++j) t_.reducedCost[j] = t_.cost[t_.nonbasic[j]] - t_.reducedCost[j];
}

void HostEngine::computePhase1Costs(double tolerance) {
  for (int i = 0; i < t_.m; ++i)
    t_.rowChange[i] = rules::phase1Cost(t_.rowValue[i], t_.rowLower[i], t_.rowUpper[i], tolerance);
  t_.combineRows(t_.rowChange.data(), t_.reducedCost.data());
  for (double& d : t_.reducedCost) d = -d;
}

Refactorisation HostEngine::refactor(std::vector<char> const& basic) {
  std::vector<double> const value = t_.byVariable(t_.rowValue, t_.columnValue);
  std::vector<char> repaired = basic;
  double const p = static_cast<double>(
      std::count(basic.begin(), basic.begin() + static_cast<std::ptrdiff_t>(t_.n), 1));
  BlasThreads const blas(t_.threads, p * p * (p + t_.n));
  factor_.emplace(*form_, repaired, stop_);
  weightsFor_.reset();
  fillTableau(*factor_);
  placeBounds();
  setValues(value);
  computeReducedCosts();
  return {factor_->dropped(), factor_->added()};
}

// With P = A[R1,S], N = [A[:,NS] | slacks of R1]:  rows of S: X = P^-1 N[R1];  rows of the basic
// slacks: N[R2] - A[R2,S] X.
void HostEngine::fillTableau(BasisFactor const& f) {
  BasisPartition const& part = f.partition();
  int const p = f.size(), n = t_.n;
  int const others = static_cast<int>(part.otherStructurals.size());
  std::ranges::fill(t_.base, 0.0);
  t_.used = 0;
  std::vector<int> position(at(t_.m));  // constraint -> row position
  for (int a = 0; a < p; ++a) {
    position[part.tightRows[a]] = a;
    t_.basic[a] = part.basicStructural[a];
    t_.nonbasic[others + a] = n + part.tightRows[a];
    t_.baseRow(a)[others + a] = 1.0;
  }
  for (std::size_t b = 0; b < part.slackRows.size(); ++b) {
    position[part.slackRows[b]] = p + static_cast<int>(b);
    t_.basic[p + b] = n + part.slackRows[b];
  }
  ColumnReader read(form_->matrix());
  for (int j = 0; j < others; ++j) {
    int const column = part.otherStructurals[j];
    t_.nonbasic[j] = column;
    for (auto const [i, value] : read.column(column)) t_.baseRow(position[i])[j] = value;
  }
  if (p == 0) return;
  f.solveBlock(t_.base.data(), n, n, stop_);

  std::vector<int> place(at(n), -1);  // structural -> row of X
  for (int a = 0; a < p; ++a) place[part.basicStructural[a]] = a;
  int const slackRows = t_.m - p;
  if (form_->density() > 0.1) {
    int const strip = stripLength(512, 2.0 * n * p);
    std::vector<double> block;  // A[R2,S], a strip of it at a time
    ColumnReader readRow(form_->transposed());
    for (int begin = 0; begin < slackRows; begin += strip) {
      throwIfStopped(stop_);
      int const length = std::min(strip, slackRows - begin);
      block.assign(at(length) * p, 0.0);
      for (int b = 0; b < length; ++b) {
        double* const row = block.data() + at(b) * p;
        for (auto const [index, entry] : readRow.column(part.slackRows[begin + b]))
          if (place[index] >= 0) row[place[index]] = entry;
      }
      blas::dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, length, n, p, -1.0, block.data(), p,
                  t_.base.data(), n, 1.0, t_.baseRow(p + begin), n);
    }
    return;
  }
  double const entries = static_cast<double>(form_->nonzeros()) / t_.m;  // of a row
  int const strip = stripLength(slackRows, 2.0 * n * entries, 4e8);
  for (int begin = 0; begin < slackRows; begin += strip) {
    throwIfStopped(stop_);
    int const end = std::min(slackRows, begin + strip);
#pragma omp parallel for schedule(dynamic, 16) num_threads(t_.threads) if (t_.threads > 1)
    for (int b = begin; b < end; ++b) {
      auto const indices = form_->transposed().columnIndices(part.slackRows[b]);
      auto const values = form_->transposed().columnValues(part.slackRows[b]);
      for (std::size_t e = 0; e < indices.size(); ++e)
        if (place[indices[e]] >= 0)
          axpy(at(n), -values[e], t_.baseRow(place[indices[e]]), t_.baseRow(p + b));
    }
  }
}

void HostEngine::computeWeights(Algorithm algorithm, Pricing pricing) {
  if (weightsFor_ == std::pair{algorithm, pricing}) return;
  weightsFor_ = std::pair{algorithm, pricing};
  bool const primal = algorithm == Algorithm::primal;
  auto& weights = primal ? t_.columnWeight : t_.rowWeight;
  std::ranges::fill(weights, 1.0);
  Weights const kind = ruleOf(pricing).weights;
  if (kind != Weights::exact && kind != Weights::sketched) return;
  t_.fold([this] { throwIfStopped(stop_); });
  if (kind == Weights::sketched) {
    primal ? computeColumnSketch() : computeRowSketch();
    return;
  }
  for (int i = 0; i < t_.m; ++i) {
    pollStop();
    double const* row = t_.baseRow(i);
    if (primal) {
      for (int j = 0; j < t_.n; ++j) t_.columnWeight[j] += row[j] * row[j];
    } else {
      double sum = t_.basic[i] >= t_.n ? 1.0 : 0.0;
      for (int j = 0; j < t_.n; ++j)
        if (t_.nonbasic[j] >= t_.n) sum += row[j] * row[j];
      t_.rowWeight[i] = std::max(sum, rules::leastRowWeight);
    }
  }
}

// Z = S D
void HostEngine::computeColumnSketch() {
  auto const k = at(t_.sketchSize), n = at(t_.n);
  t_.columnSketch.assign(k * n, 0.0f);
  std::vector<float> row(n);
  for (int i = 0; i < t_.m; ++i) {
    pollStop();
    std::transform(t_.baseRow(i), t_.baseRow(i) + n, row.begin(),
                   [](double x) { return static_cast<float>(x); });
    for (std::size_t l = 0; l < k; ++l)
      axpy(n, rules::sketchSign(static_cast<int>(l), i), row.data(),
           t_.columnSketch.data() + l * n);
  }
  std::ranges::fill(t_.columnWeight, 0.0);
  for (std::size_t l = 0; l < k; ++l)
    addSquares(n, t_.columnSketch.data() + l * n, t_.columnWeight.data());
  for (double& w : t_.columnWeight) w = 1.0 + w / t_.sketchSize;
}

// W = B^-1 S': T's columns of the nonbasic slacks are columns of B^-1, the others unit columns.
void HostEngine::computeRowSketch() {
  auto const k = at(t_.sketchSize), m = at(t_.m);
  // k signs of each constraint, together; they depend on its number only.
  for (std::size_t c = signs_.size() / k; c < m; ++c)
    for (std::size_t l = 0; l < k; ++l)
      signs_.push_back(rules::sketchSign(static_cast<int>(l), static_cast<int>(c)));
  std::vector<std::size_t> slackColumns;
  for (std::size_t j = 0; j < t_.nonbasic.size(); ++j)
    if (t_.nonbasic[j] >= t_.n) slackColumns.push_back(j);
  t_.rowSketch.assign(k * m, 0.0f);
  std::vector<float> sum(k);
  for (std::size_t i = 0; i < m; ++i) {
    pollStop();
    std::ranges::fill(sum, 0.0f);
    auto add = [&](double a, int constraint) {
      axpy(k, static_cast<float>(a), signs_.data() + at(constraint) * k, sum.data());
    };
    double const* const row = t_.baseRow(static_cast<int>(i));
    for (std::size_t const j : slackColumns)
      if (row[j] != 0.0) add(row[j], t_.nonbasic[j] - t_.n);
    if (t_.basic[i] >= t_.n) add(1.0, t_.basic[i] - t_.n);
    double squares = 0.0;
    for (std::size_t l = 0; l < k; ++l) {
      t_.rowSketch[l * m + i] = sum[l];
      squares += static_cast<double>(sum[l]) * sum[l];
    }
    t_.rowWeight[i] = std::max(squares / t_.sketchSize, rules::leastRowWeight);
  }
}

PivotReport HostEngine::run(PivotRequest const& request) {
  if (ruleOf(request.pricing).wholeSteps) t_.fold([this] { throwIfStopped(stop_); });
  HostTeam team(t_);
  team.watch(stop_);
  int const used = t_.used;
  PivotReport const report = request.algorithm == Algorithm::primal ? primalPivots(team, request)
                                                                    : dualPivots(team, request);
  if (t_.used != used) {
    factor_.reset();
    if (weightsFor_ != std::pair{request.algorithm, request.pricing}) weightsFor_.reset();
  }
  if (t_.used == t_.capacity) t_.fold([this] { throwIfStopped(stop_); });
  return report;
}

std::vector<double> HostEngine::row(int i) {
  std::vector<double> out(at(t_.n));
  t_.formRow(i, out.data());
  return out;
}

std::vector<double> HostEngine::column(int j) {
  std::vector<double> out(at(t_.m));
  t_.formColumn(j, out.data());
  return out;
}

}  // namespace host
}  // namespace osi_cuda
