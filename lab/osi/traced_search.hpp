// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/osi/mip_runs.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace osi_cuda::testing {

/// What a search asked its solver for, over all clones.
struct SearchTrace {
  std::uint64_t fingerprint = 0xCBF29CE484222325ull;  ///< of what was solved and in which order
  long solves = 0, hotSolves = 0;
  long pivots = 0;          ///< of the solves that are no hot starts
  double hotSeconds = 0.0;  ///< wall time of hot starts, their marks included

  void add(double number);
};

/// An interface that tells what it was asked for and what it answered: column bounds, iterations
/// and optimum of every solve. Two searches with one fingerprint have one tree.
class TracedOsiCuda : public OsiCudaSolverInterface {
 public:
  TracedOsiCuda() : trace_(std::make_shared<SearchTrace>()) {}
  OsiSolverInterface* clone(bool copyData = true) const override {
    return copyData ? new TracedOsiCuda(*this) : new TracedOsiCuda();
  }
  void initialSolve() override;
  void resolve() override;
  void markHotStart() override;
  void solveFromHotStart() override;
  void unmarkHotStart() override;
  SearchTrace const& trace() const { return *trace_; }

 private:
  void record(bool hot);
  template <class Call>
  void timed(Call call);
  std::shared_ptr<SearchTrace> trace_;
};

struct TracedSettings {
  std::vector<std::pair<std::string, std::string>> options;  ///< of the interface
  int strong = 10;      ///< candidates of strong branching; 0: none
  int trust = 1000000;  ///< branches of a column after which its pseudo-costs do
  unsigned cuts = 0;    ///< bits of Cuts
  int nodes = 1000000;  ///< at most
  int hotLimit = 0;     ///< pivots of a hot start at most; 0: as Osi has it
};

struct TracedRun {
  bool proved = false;
  double objective = 0.0;  ///< of the best solution
  double bound = 0.0;      ///< on the optimum
  int nodes = 0;
  double seconds = 0.0;  ///< wall time of the search
  SearchTrace trace;
  OsiCudaSolverInterface::AheadReport ahead;
};

/// Branch and bound by Cbc on one thread. Throws std::runtime_error where the file cannot be read.
TracedRun searchTraced(std::string const& file, TracedSettings const& settings);

}  // namespace osi_cuda::testing
