// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// Columns with their entries from the first row to the last, zeros left out.
class DenseMip {
 public:
  explicit DenseMip(int rows) {
    lp_.matrix.rows = rows;
    lp_.matrix.starts.assign(1, 0);
    lp_.rowLower.assign(static_cast<std::size_t>(rows), -infinity);
    lp_.rowUpper.assign(static_cast<std::size_t>(rows), infinity);
  }
  void column(std::vector<double> const& entries, double cost, double upper, bool integer) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == 0.0) continue;
      lp_.matrix.indices.push_back(static_cast<int>(i));
      lp_.matrix.values.push_back(entries[i]);
    }
    lp_.matrix.starts.push_back(static_cast<std::int64_t>(lp_.matrix.indices.size()));
    lp_.matrix.columns = static_cast<int>(lp_.matrix.starts.size()) - 1;
    lp_.objective.push_back(cost);
    lp_.columnLower.push_back(0.0);
    lp_.columnUpper.push_back(upper);
    lp_.integer.push_back(integer);
  }
  void row(int i, double lower, double upper) {
    lp_.rowLower[static_cast<std::size_t>(i)] = lower;
    lp_.rowUpper[static_cast<std::size_t>(i)] = upper;
  }
  LinearProgram take() { return std::move(lp_); }

 private:
  LinearProgram lp_;
};

/// max c'x, A x <= b, x binary; a_ij in 1..1000, b half of a row's sum, c_j a column's mean and
/// some.
template <class Draw>
LinearProgram knapsacks(int m, int n, Draw below) {
  DenseMip mip(m);
  std::vector<double> entries(static_cast<std::size_t>(m)), sum(entries);
  for (int j = 0; j < n; ++j) {
    double mean = 0.0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i] = 1.0 + below(1000);
      sum[i] += entries[i];
      mean += entries[i] / m;
    }
    mip.column(entries, -(mean + below(500)), 1.0, true);
  }
  for (int i = 0; i < m; ++i) mip.row(i, -infinity, 0.5 * sum[static_cast<std::size_t>(i)]);
  return mip.take();
}

/// min c'x, A x >= 1, x binary, that percentage of the entries 1.
template <class Draw>
LinearProgram covers(int m, int n, double percent, Draw below) {
  DenseMip mip(m);
  std::vector<double> entries(static_cast<std::size_t>(m));
  for (int j = 0; j < n; ++j) {
    for (double& entry : entries) entry = below(1000000) < 1e4 * percent ? 1.0 : 0.0;
    mip.column(entries, 1.0 + below(100), 1.0, true);
  }
  for (int i = 0; i < m; ++i) mip.row(i, 1.0, infinity);
  return mip.take();
}

/// Each of `tasks` to one of `agents` at least cost; `sides` resources of which every choice takes
/// 1..100, each with nine tenths of what the tasks take on the average.
template <class Draw>
LinearProgram assignments(int tasks, int agents, int sides, Draw below) {
  DenseMip mip(tasks + sides);
  for (int t = 0; t < tasks; ++t)
    for (int a = 0; a < agents; ++a) {
      std::vector<double> entries(static_cast<std::size_t>(tasks + sides));
      entries[static_cast<std::size_t>(t)] = 1.0;
      for (int k = tasks; k < tasks + sides; ++k)
        entries[static_cast<std::size_t>(k)] = 1.0 + below(100);
      mip.column(entries, 1.0 + below(100), 1.0, true);
    }
  for (int t = 0; t < tasks; ++t) mip.row(t, 1.0, 1.0);
  for (int k = tasks; k < tasks + sides; ++k) mip.row(k, -infinity, 0.9 * 50.5 * tasks);
  return mip.take();
}

/// Lot sizing with stocks written out: x_pt made of product p in period t, at a fixed cost where
/// anything is made (x_pt <= M y_pt), at least the demand so far; in every period one capacity for
/// all that was made up to it, of which each product and each set-up takes its own share.
template <class Draw>
LinearProgram lotSizes(int products, int periods, Draw below) {
  int const demands = products * periods, rows = 2 * demands + periods;
  DenseMip mip(rows);
  double all = 0.0;
  std::vector<double> perPeriod(static_cast<std::size_t>(periods));
  for (int p = 0; p < products; ++p) {
    double const share = 1.0 + below(4), hold = 1.0 + below(5);
    double so = 0.0;
    for (int t = 0; t < periods; ++t) {
      so += 20.0 + below(60);
      mip.row(p * periods + t, so, infinity);                // of demand
      mip.row(demands + p * periods + t, -infinity, 0.0);    // of set-ups
      perPeriod[static_cast<std::size_t>(t)] += share * so;  // what has to be made by then
    }
    all = so;
    for (int t = 0; t < periods; ++t) {
      std::vector<double> made(static_cast<std::size_t>(rows)), setUp(made);
      for (int later = t; later < periods; ++later) {
        made[static_cast<std::size_t>(p * periods + later)] = 1.0;
        made[static_cast<std::size_t>(2 * demands + later)] = share;
        setUp[static_cast<std::size_t>(2 * demands + later)] = 5.0 + below(20);
      }
      made[static_cast<std::size_t>(demands + p * periods + t)] = 1.0;
      setUp[static_cast<std::size_t>(demands + p * periods + t)] = -all;
      mip.column(made, hold * (periods - t), infinity, false);
      mip.column(setUp, 200.0 + below(400), 1.0, true);
    }
  }
  for (int t = 0; t < periods; ++t)
    mip.row(2 * demands + t, -infinity,
            1.3 * perPeriod[static_cast<std::size_t>(t)] + 15.0 * products);
  return mip.take();
}

/// Whether a name is one of `denseMip`'s rather than a file's.
inline bool isDenseMip(std::string const& name) {
  for (char const* family : {"knapsack:", "cover:", "assign:", "lots:"})
    if (name.rfind(family, 0) == 0) return true;
  return false;
}

/// A dense MIP by its name, the same for a seed on every machine: knapsack:MxN:SEED,
/// cover:MxN:PERCENT:SEED, assign:TASKSxAGENTS:SIDES:SEED or lots:PRODUCTSxPERIODS:SEED.
/// Throws std::invalid_argument for any other name.
inline LinearProgram denseMip(std::string const& name) {
  int m = 0, n = 0, sides = 0;
  double percent = 100.0;
  unsigned long long seed = 1;
  auto const is = [&](char const* format, auto*... numbers) {
    return std::sscanf(name.c_str(), format, &m, &n, numbers...) == 2 + int{sizeof...(numbers)};
  };
  std::mt19937_64 random;
  auto const below = [&](std::uint64_t end) { return static_cast<double>(random() % end); };
  if (is("knapsack:%dx%d:%llu", &seed)) {
    random.seed(seed);
    return knapsacks(m, n, below);
  }
  if (is("cover:%dx%d:%lf:%llu", &percent, &seed)) {
    random.seed(seed);
    return covers(m, n, percent, below);
  }
  if (is("assign:%dx%d:%d:%llu", &sides, &seed)) {
    random.seed(seed);
    return assignments(m, n, sides, below);
  }
  if (is("lots:%dx%d:%llu", &seed)) {
    random.seed(seed);
    return lotSizes(m, n, below);
  }
  throw std::invalid_argument("no dense MIP is called " + name);
}

}  // namespace osi_cuda::testing
