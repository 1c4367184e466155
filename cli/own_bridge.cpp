// SPDX-License-Identifier: EPL-2.0
#include "cli/compare.hpp"

#include <mutex>
#include <new>
#include <ostream>

#include "cli/device_opening.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::cli {
namespace {

class OwnBridge final : public Bridge {
 public:
  OwnBridge(std::string name, Options const& base) : name_(std::move(name)), base_(base) {}

  std::string name() const override { return name_; }
  std::string version() const override { return OSI_CUDA_VERSION; }
  std::vector<std::string> algorithms() const override {
    return {"auto", "primal", "dual", "barrier"};
  }
  bool startsFromBasis(std::string const& algorithm) const override {
    return algorithm != "barrier";
  }

  void open(std::string const& algorithm) const override {
    if (!isDevice(base_.engine)) return;
    BridgeOptions options;
    options.algorithm = algorithm;
    try {
      LinearProgram const lp = exercise();
      Basis const basis = run(lp, options).basis;
      // From there again: a refactorisation is the first use of more libraries of a device.
      if (startsFromBasis(algorithm)) options.startBasis = basis;
      run(lp, options);
    } catch (BridgeLimit const&) {  // every solve says so
    }
  }

 protected:
  Solution run(LinearProgram const& lp, BridgeOptions const& options) const override {
    Options own = base_;
    findOption("algorithm")->set(own, options.algorithm);
    own.timeLimit = options.timeLimit;
    own.threads = options.threads;
    Callbacks callbacks;
    callbacks.interrupted = options.interrupted;
    try {
      Solver solver = takeSolver();
      solver.load(lp);
      if (!options.startBasis.empty()) solver.setBasis(options.startBasis);
      Solution solution = solver.solve(own, callbacks);
      solver.load({});
      std::lock_guard const lock(mutex_);
      idle_.push_back(std::move(solver));
      return solution;
    } catch (EngineUnavailable const& unavailable) {
      throw BridgeLimit(unavailable.what());
    } catch (std::bad_alloc const&) {
      throw BridgeLimit("not enough memory");
    }
  }

 private:
  /// One whose engine is open from an earlier solve, where there is one.
  Solver takeSolver() const {
    std::lock_guard const lock(mutex_);
    if (idle_.empty()) return Solver();
    Solver solver = std::move(idle_.back());
    idle_.pop_back();
    return solver;
  }

  std::string name_;
  Options base_;
  std::mutex mutable mutex_;  ///< of idle_
  std::vector<Solver> mutable idle_;
};

}  // namespace

std::vector<BridgePointer> allSolvers(Options const& base) {
  Options host = base;
  host.engine = EngineChoice::host;
  Options cuda = base;
  cuda.engine = EngineChoice::cuda;
  std::vector<BridgePointer> all{std::make_shared<OwnBridge>("osi_cuda", base),
                                 std::make_shared<OwnBridge>("osi_cuda@host", host),
                                 std::make_shared<OwnBridge>("osi_cuda@cuda", cuda)};
  for (auto& bridge : bridges()) all.push_back(std::move(bridge));
  return all;
}

void tellMissing(std::ostream& log) {
  for (BridgeReport const& report : findBridges())
    if (!report.bridge)
      log << "osi-cuda: solver " << report.name << " is left out: " << report.reason << '\n';
}

}  // namespace osi_cuda::cli
