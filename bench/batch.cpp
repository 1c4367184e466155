// SPDX-License-Identifier: EPL-2.0
// Batches of small dense problems: problems a second, here and by other solvers on all cores, a
// thread each, in one run:
//     bench_batch [--family origin|signed|uniform] [--size ROWSxCOLUMNS]... [--count N]...
//                 [--engine auto|cuda|host] [--pricing auto|steepest|devex|dantzig] [--threads N]
//                 [--block-threads N] [--repeats N] [--peers] [--peer-seconds S] [--agree N]
//                 [--seed N]
// One line a size and count. `device` counts the kernels alone, `seconds` everything from the
// caller's arrays to the caller's arrays, proofs included: the best of the repeats (3), after a
// first one that is not counted, in which buffers are made. --count 0, the default: as many as take
// some seconds. Peers are HiGHS (the library that OSI_CUDA_HIGHS names, or libhighs.so.1) with and
// without its presolve, and Clp (its bridge), dual and primal; each solves as many of the problems
// as it comes to in S seconds (3), the model being passed to it included. --agree compares the
// statuses of the first N problems with Clp's.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/dense_model.hpp"
#include "bridges/bridge.hpp"
#include "bridges/highs_library.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/errors.hpp"

using namespace osi_cuda;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Size {
  int rows, columns;
};

struct Settings {
  bench::DenseFamily family = bench::DenseFamily::uniform;
  std::vector<Size> sizes;
  std::vector<std::size_t> counts;
  BatchOptions options;
  int repeats = 3;
  bool peers = false;
  double peerSeconds = 3.0;
  std::size_t agree = 0;
  std::uint64_t seed = 1;
};

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Problems as packed arrays: distinct ones up to a number, then these again.
struct Batch {
  std::vector<int> rows, columns;
  std::vector<double> matrix, objective, rowUpper;
  std::vector<Sense> sense;

  BatchProblems view() const {
    BatchProblems p;
    p.rows = rows;
    p.columns = columns;
    p.matrix = matrix;
    p.objective = objective;
    p.rowUpper = rowUpper;
    p.sense = sense;
    return p;
  }
};

constexpr std::size_t mostDistinct = 20000;

Batch makeBatch(Settings const& s, Size size, std::size_t count) {
  std::size_t const m = at(size.rows), n = at(size.columns);
  Batch batch;
  batch.rows.assign(count, size.rows);
  batch.columns.assign(count, size.columns);
  batch.sense.assign(count, Sense::maximize);
  batch.matrix.resize(count * m * n);
  batch.objective.resize(count * n);
  batch.rowUpper.resize(count * m);
  std::size_t const distinct = std::min(count, mostDistinct);
  for (std::size_t k = 0; k < distinct; ++k) {
    LinearProgram const lp = bench::denseModel(s.family, size.rows, size.columns, s.seed + k);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i)
        batch.matrix[k * m * n + i * n + j] = lp.matrix.values[j * m + i];
    std::copy(lp.objective.begin(), lp.objective.end(),
              batch.objective.begin() + std::ptrdiff_t(k * n));
    std::copy(lp.rowUpper.begin(), lp.rowUpper.end(),
              batch.rowUpper.begin() + std::ptrdiff_t(k * m));
  }
  auto const repeat = [&](std::vector<double>& array, std::size_t length) {
#pragma omp parallel for schedule(static)
    for (std::size_t k = distinct; k < count; ++k)
      std::copy_n(array.begin() + std::ptrdiff_t(k % distinct * length), length,
                  array.begin() + std::ptrdiff_t(k * length));
  };
  repeat(batch.matrix, m * n);
  repeat(batch.objective, n);
  repeat(batch.rowUpper, m);
  return batch;
}

/// As many as take about a second on a fast machine, and fit into 12 GB.
std::size_t usualCount(Size size) {
  double const cells = static_cast<double>(size.rows) * size.columns;
  double const most = 1.5e9 / (cells + size.rows + size.columns);
  return static_cast<std::size_t>(std::min({1e6, most, 2.5e9 / cells}));
}

struct Counted {
  double perSecond = 0.0;
  std::size_t solved = 0, optimal = 0;
};

/// Solves problem 0, 1, ... on all threads until the seconds are over.
Counted onAllCores(int threads, double seconds, std::size_t count,
                   std::function<Solution(std::size_t)> const& solve) {
  std::atomic<std::size_t> next{0}, optimal{0}, solved{0};
  double const begin = now();
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&] {
      while (now() - begin < seconds) {
        Solution const s = solve(next.fetch_add(1) % count);
        solved.fetch_add(1);
        if (s.status == Status::optimal) optimal.fetch_add(1);
      }
    });
  for (std::thread& thread : team) thread.join();
  double const took = now() - begin;
  return {static_cast<double>(solved) / took, solved, optimal};
}

void comparePeers(Settings const& s, Size size, int threads, double own) {
  std::vector<LinearProgram> problems;
  for (std::size_t k = 0; k < 64; ++k)
    problems.push_back(bench::denseModel(s.family, size.rows, size.columns, s.seed + k));
  auto const line = [&](std::string const& name, Counted const& counted) {
    std::printf("|   %s, %d threads | | %zu | %zu optimal | | | | %.0f | %.1f |\n", name.c_str(),
                threads, counted.solved, counted.optimal, counted.perSecond,
                own / counted.perSecond);
    std::fflush(stdout);
  };
  char const* const path = std::getenv("OSI_CUDA_HIGHS");
  if (auto const highs = HighsLibrary::load(path ? path : "")) {
    for (bool const presolve : {true, false})
      line("HiGHS " + highs->version() + (presolve ? ", presolve" : ""),
           onAllCores(threads, s.peerSeconds, problems.size(),
                      [&](std::size_t k) { return highs->solve(problems[k], 60.0, presolve); }));
  } else {
    std::printf("|   HiGHS is not here | | | | | | | | |\n");
  }
  if (auto const clp = findBridge(bridges(), "clp")) {
    for (char const* const algorithm : {"dual", "primal"}) {
      BridgeOptions options;
      options.algorithm = algorithm;
      line("Clp " + clp->version() + ", " + algorithm,
           onAllCores(threads, s.peerSeconds, problems.size(),
                      [&](std::size_t k) { return clp->solve(problems[k], options); }));
    }
  } else {
    std::printf("|   Clp is not here | | | | | | | | |\n");
  }
}

/// Statuses and optima of the first problems beside Clp's.
void compareAnswers(Settings const& s, Size size, BatchResults const& results, int threads) {
  auto const clp = findBridge(bridges(), "clp");
  if (!clp) return;
  std::size_t const count = std::min({s.agree, results.status.size(), mostDistinct});
  std::atomic<std::size_t> next{0}, different{0};
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&] {
      for (std::size_t k = next++; k < count; k = next++) {
        Solution const other =
            clp->solve(bench::denseModel(s.family, size.rows, size.columns, s.seed + k));
        bool const same =
            std::string(toString(other.status)) == toString(results.status[k]) &&
            (other.status != Status::optimal || std::fabs(other.objective - results.objective[k]) <=
                                                    1e-7 * (1.0 + std::fabs(other.objective)));
        if (!same) ++different;
      }
    });
  for (std::thread& thread : team) thread.join();
  std::printf("|   of %zu answers Clp has %zu others | | | | | | | | |\n", count, different.load());
}

void measure(Settings const& s, BatchSolver& solver, Size size, std::size_t count) {
  Batch const batch = makeBatch(s, size, count);
  BatchResults results;
  double best = infinity, device = infinity;
  for (int repeat = 0; repeat <= s.repeats; ++repeat) {
    solver.solve(batch.view(), s.options, results);
    if (repeat == 0 && s.repeats > 0) continue;
    best = std::min(best, results.seconds);
    device = std::min(device, results.deviceSeconds);
  }
  std::size_t optimal = 0;
  double pivots = 0.0, residual = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    optimal += results.status[k] == BatchStatus::optimal;
    pivots += results.iterations[k];
    residual = std::max(residual, results.residual[k]);
  }
  double const perSecond = static_cast<double>(count) / best;
  std::printf(
      "| %s | %s | %zu | %zu optimal, %zu by the ordinary solver | %.1f | %.0e | %.0f | %.0f | |\n",
      bench::problemName(s.family, size.rows, size.columns).c_str(), results.device.c_str(), count,
      optimal, results.again, pivots / static_cast<double>(count), residual,
      results.deviceSeconds > 0.0 ? static_cast<double>(count) / device : 0.0, perSecond);
  std::fflush(stdout);
  int const threads = s.options.threads > 0
                          ? s.options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (s.agree > 0) compareAnswers(s, size, results, threads);
  if (s.peers) comparePeers(s, size, threads, perSecond);
}

template <class Word>
Word wordOf(std::string const& text, std::vector<std::pair<char const*, Word>> const& words) {
  for (auto const& [name, word] : words)
    if (text == name) return word;
  throw std::invalid_argument("what is " + text + "?");
}

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    std::string const name = argv[i];
    if (name == "--peers") {
      s.peers = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(name + " wants a value");
    std::string const value = argv[++i];
    Size size{};
    if (name == "--family" && bench::familyOf(value)) {
      s.family = *bench::familyOf(value);
    } else if (name == "--size" &&
               std::sscanf(value.c_str(), "%dx%d", &size.rows, &size.columns) == 2) {
      s.sizes.push_back(size);
    } else if (name == "--count") {
      s.counts.push_back(static_cast<std::size_t>(std::atof(value.c_str())));
    } else if (name == "--engine") {
      s.options.engine = wordOf<BatchEngine>(value, {{"auto", BatchEngine::automatic},
                                                     {"cuda", BatchEngine::cuda},
                                                     {"host", BatchEngine::host}});
    } else if (name == "--pricing") {
      s.options.pricing = wordOf<BatchPricing>(value, {{"auto", BatchPricing::automatic},
                                                       {"steepest", BatchPricing::steepest},
                                                       {"devex", BatchPricing::devex},
                                                       {"dantzig", BatchPricing::dantzig}});
    } else if (name == "--threads") {
      s.options.threads = std::atoi(value.c_str());
    } else if (name == "--block-threads") {
      s.options.blockThreads = std::atoi(value.c_str());
    } else if (name == "--repeats") {
      s.repeats = std::max(0, std::atoi(value.c_str()));
    } else if (name == "--peer-seconds") {
      s.peerSeconds = std::atof(value.c_str());
    } else if (name == "--agree") {
      s.agree = static_cast<std::size_t>(std::atof(value.c_str()));
    } else if (name == "--seed") {
      s.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else {
      throw std::invalid_argument("what is " + name + " " + value + "?");
    }
  }
  if (s.sizes.empty()) s.sizes = {{10, 10}, {28, 32}, {50, 50}, {100, 100}, {200, 200}};
  if (s.counts.empty()) s.counts = {0};
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Settings const s = parse(argc, argv);
    BatchSolver solver;
    std::printf(
        "| problems | solved on | count | answers | pivots each | residual | device, a second | a "
        "second | faster by |\n|---|---|---|---|---|---|---|---|---|\n");
    for (Size const size : s.sizes)
      for (std::size_t const count : s.counts)
        measure(s, solver, size, count > 0 ? count : usualCount(size));
    return 0;
  } catch (std::invalid_argument const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 64;
  } catch (EngineUnavailable const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 69;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 70;
  }
}
