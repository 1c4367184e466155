// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bridges/comparison.hpp"
#include "osi_cuda/options.hpp"
#include "shell/command.hpp"
#include "tests/support/reference.hpp"

namespace osi_cuda::bench {

/// What bench_netlib was told.
struct NetlibSettings {
  Options options;  ///< time limit 120 s, no presolve
  std::vector<AlgorithmChoice> algorithms{AlgorithmChoice::primal, AlgorithmChoice::dual};
  std::vector<Contestant> peers;
  double peerLimit = 60.0;  ///< seconds
  bool peerPresolve = false;

  std::string set = "netlib";  ///< or "kennington", "all"
  std::vector<std::string> only;
  double minCells = 0.0, maxCells = 1e300;
  double memoryLimit = 60e9;  ///< bytes of a tableau with the FP32 copy that exact weights need
  std::string resultsFile;    ///< empty: none
};

/// Adds the arguments to `app`; what is returned gives what was said, once that has been parsed, or
/// throws Failure(usage).
std::function<NetlibSettings()> addNetlibSettings(CLI::App& app);

/// The label of our own runs: engine, algorithm, the pricing where it was asked for, and whether
/// there was a presolve.
std::string ownLabel(Options const& options, AlgorithmChoice algorithm);

/// Bytes of a dense tableau of that many entries with its FP32 copy.
double tableauBytes(testing::Instance const& instance);

/// The problems that these settings pick, by size; `left` takes those that the memory limit
/// leaves out.
std::vector<testing::Instance> pickInstances(NetlibSettings const& settings,
                                             std::vector<testing::Instance>& left);

}  // namespace osi_cuda::bench
