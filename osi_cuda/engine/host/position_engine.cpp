// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <fstream>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/host/position_engine.hpp"

namespace osi_cuda::host {
namespace {

/// The product of each column of `matrix` with x; a sum is formed by one thread, in order.
std::vector<double> timesColumns(SparseMatrix const& matrix, std::span<double const> x,
                                 int threads) {
  std::vector<double> out(at(matrix.columns));
  auto readers = ColumnReader::forThreads(matrix, threads);
#pragma omp parallel num_threads(threads)
  {
    ColumnReader& read = readers[at(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (int j = 0; j < matrix.columns; ++j) {
      long double sum = 0.0L;
      for (auto const [i, value] : read.column(j))
        sum += static_cast<long double>(value) * x[at(i)];
      out[at(j)] = static_cast<double>(sum);
    }
  }
  return out;
}

}  // namespace

PositionEngine::PositionEngine(Positions& positions) : p_(positions) {
  static std::string const processor = [] {  // reading it takes as long as a small solve
    std::ifstream cpu("/proc/cpuinfo");
    for (std::string line; std::getline(cpu, line);)
      if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return std::string("processor");
  }();
  traits_.name = SolveEngine::host;
  traits_.device = processor;
}

void PositionEngine::placeBounds() {
  for (int i = 0; i < p_.m; ++i) {
    auto const v = at(p_.basic[i]);
    p_.rowLower[i] = lower_[v];
    p_.rowUpper[i] = upper_[v];
  }
  for (int j = 0; j < p_.n; ++j) {
    auto const v = at(p_.nonbasic[j]);
    p_.columnLower[j] = lower_[v];
    p_.columnUpper[j] = upper_[v];
  }
}

void PositionEngine::setBounds(std::span<double const> lower, std::span<double const> upper) {
  lower_.assign(lower.begin(), lower.end());
  upper_.assign(upper.begin(), upper.end());
  placeBounds();
}

Snapshot PositionEngine::snapshotOf(SnapshotContent content) {
  Snapshot s;
  s.basicVariable = p_.basic;
  s.nonbasicVariable = p_.nonbasic;
  if (content == SnapshotContent::basis) return s;
  s.value = p_.byVariable(p_.rowValue, p_.columnValue);
  s.reducedCost = p_.byVariable(std::vector<double>(p_.basic.size(), 0.0), p_.reducedCost);
  return s;
}

Measure PositionEngine::measure(double primalTolerance, double dualTolerance) {
  Measure r;
  for (int i = 0; i < p_.m; ++i)
    r.addBasic(p_.rowValue[i], p_.rowLower[i], p_.rowUpper[i], primalTolerance);
  for (int j = 0; j < p_.n; ++j)
    r.addNonbasic(p_.reducedCost[j], p_.columnValue[j], p_.columnLower[j], p_.columnUpper[j],
                  dualTolerance);
  return r;
}

Drift PositionEngine::drift() {
  Snapshot const s = snapshot();
  int const n = p_.n, m = p_.m;
  Drift drift;
  ColumnReader readRow(form_->transposed()), readColumn(form_->matrix());
  for (int i = 0; i < m; ++i) {
    double sum = s.value[at(n + i)], largest = std::fabs(sum);
    for (auto const [row, a] : readRow.column(i)) {
      double const term = a * s.value[at(row)];
      sum += term;
      largest = std::max(largest, std::fabs(term));
    }
    drift.primal = std::max(drift.primal, std::fabs(sum) / (1.0 + largest));
  }
  std::vector<double> y(at(m));  // d of slack i is c_i - y_i
  for (int i = 0; i < m; ++i) {
    auto const slack = at(n + i);
    y[at(i)] = p_.cost[slack] - s.reducedCost[slack];
  }
  for (int j = 0; j < n; ++j) {
    auto const column = at(j);
    double sum = p_.cost[column] - s.reducedCost[column], largest = std::fabs(p_.cost[column]);
    for (auto const [index, entry] : readColumn.column(j)) {
      double const term = entry * y[at(index)];
      sum -= term;
      largest = std::max(largest, std::fabs(term));
    }
    drift.dual = std::max(drift.dual, std::fabs(sum) / (1.0 + largest));
  }
  return drift;
}

// By columns zeros of x cost nothing, by rows threads can share the work: sizes decide.
std::vector<double> PositionEngine::multiply(std::span<double const> x) {
  int const threads = loopThreads(form_->nonzeros(), p_.threads);
  if (threads == 1) {
    std::vector<long double> sum(at(p_.m));
    for (int j = 0; j < p_.n; ++j) {
      double const own = x[at(j)];
      if (own == 0.0) continue;
      for (auto const [i, a] : form_->matrix().column(j))
        sum[at(i)] += static_cast<long double>(a) * own;
    }
    return {sum.begin(), sum.end()};
  }
  return timesColumns(form_->transposed(), x, threads);
}

std::vector<double> PositionEngine::multiplyTransposed(std::span<double const> y) {
  return timesColumns(form_->matrix(), y, loopThreads(form_->nonzeros(), p_.threads));
}

}  // namespace osi_cuda::host
