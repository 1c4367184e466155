// SPDX-License-Identifier: EPL-2.0
// Times another solver on the dense problems of bench_dense, from the model in memory:
//     bench_peers --solver clp/dual|clp/primal|highs/dual|highs/primal|highs/ipm
//     bench_cupdlpx --solver cupdlpx
//                 [--family origin|signed|uniform] [--size ROWSxCOLUMNS]... [--limit S]
//                 [--tolerance T]
//                 [--threads N] [--seed N] [--results FILE]
// One line a size; with --results also one in that file, for bench_netlib --print; what is there
// already is not run again. A solver that does not end by itself 15 s after its limit (60) is ended
// with the process, exit status 75. --tolerance (1e-8) is cuPDLPx's.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/dense_model.hpp"
#include "bench/dense_peers.hpp"
#include "bench/results.hpp"
#include "bench/watchdog.hpp"

using namespace osi_cuda;
using bench::Result;

namespace {

constexpr double grace = 15.0;  ///< seconds beyond the limit

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Size {
  int rows, columns;
};

struct Settings : bench::PeerSettings {
  std::uint64_t seed = 1;
  bench::DenseFamily family = bench::DenseFamily::origin;
  std::vector<Size> sizes;
  std::string resultsFile;
};

/// "cupdlpx/1e-08": to another tolerance it is another solver.
std::string labelOf(Settings const& s) {
  if (s.solver != "cupdlpx") return s.solver;
  char text[40];
  std::snprintf(text, sizeof text, "cupdlpx/%.0e", s.tolerance);
  return text;
}

void print(Result const& r, double objective) {
  std::printf("| %s | %s | %s | %lld | %.4f | %.10g | %.0e |\n", r.problem.c_str(),
              r.solver.c_str(), r.status.c_str(), static_cast<long long>(r.iterations), r.seconds,
              objective, r.residual);
  std::fflush(stdout);
}

void measure(Settings const& s, Size size, bench::ResultsFile& results) {
  Result r;
  r.problem = bench::problemName(s.family, size.rows, size.columns);
  r.rows = size.rows;
  r.columns = size.columns;
  r.solver = labelOf(s);
  r.error = r.residual = std::numeric_limits<double>::quiet_NaN();
  if (results.has(r.problem, r.solver)) return;
  LinearProgram const lp = bench::denseModel(s.family, size.rows, size.columns, s.seed);
  double const begin = now();
  bench::Watchdog const watchdog(s.limit + grace, [&] {
    r.status = toString(Status::timeLimit);
    r.seconds = now() - begin;
    results.append(r);
    print(r, 0.0);
  });
  Solution const solution = bench::solveByPeer(lp, s);
  r.seconds = now() - begin;
  r.status = toString(solution.status);
  r.residual = solution.residuals.largest();
  r.iterations = solution.iterations;
  // A first-order method is judged by its own criterion, the others as everywhere else.
  r.right = solution.status == Status::optimal && (s.solver == "cupdlpx" || r.residual <= 1e-6);
  results.append(r);
  print(r, solution.objective);
}

Settings parse(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; i += 2) {
    std::string const name = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(name + " wants a value");
    std::string const value = argv[i + 1];
    Size size{};
    if (name == "--solver") {
      s.solver = value;
    } else if (name == "--family" && bench::familyOf(value)) {
      s.family = *bench::familyOf(value);
    } else if (name == "--size" &&
               std::sscanf(value.c_str(), "%dx%d", &size.rows, &size.columns) == 2) {
      s.sizes.push_back(size);
    } else if (name == "--limit") {
      s.limit = std::atof(value.c_str());
    } else if (name == "--tolerance") {
      s.tolerance = std::atof(value.c_str());
    } else if (name == "--threads") {
      s.threads = std::atoi(value.c_str());
    } else if (name == "--seed") {
      s.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--results") {
      s.resultsFile = value;
    } else {
      throw std::invalid_argument("what is " + name + " " + value + "?");
    }
  }
  if (s.solver.empty()) throw std::invalid_argument("--solver is missing");
  if (s.sizes.empty()) s.sizes = {{1000, 500}, {2000, 1000}};
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Settings const s = parse(argc, argv);
    bench::ResultsFile results(s.resultsFile);
    // Opens whatever has to be opened.
    bench::solveByPeer(bench::denseModel(s.family, 100, 50, s.seed), s);
    for (Size const size : s.sizes) measure(s, size, results);
    return 0;
  } catch (std::invalid_argument const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 64;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 70;
  }
}
