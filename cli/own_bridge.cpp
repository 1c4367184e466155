// SPDX-License-Identifier: EPL-2.0
#include "cli/own_bridge.hpp"

#include <ostream>

#include "osi_cuda/errors.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda::cli {
namespace {

class OwnBridge final : public Bridge {
 public:
  OwnBridge(std::string name, Options const& base) : name_(std::move(name)), base_(base) {}

  std::string name() const override { return name_; }
  std::string version() const override { return OSI_CUDA_VERSION; }
  std::vector<std::string> algorithms() const override { return {"auto", "primal", "dual"}; }
  bool startsFromBasis(std::string const&) const override { return true; }

 protected:
  Solution run(LinearProgram const& lp, BridgeOptions const& options) const override {
    Options own = base_;
    own.algorithm = options.algorithm == "primal" ? AlgorithmChoice::primal
                    : options.algorithm == "dual" ? AlgorithmChoice::dual
                                                  : AlgorithmChoice::automatic;
    own.timeLimit = options.timeLimit;
    own.threads = options.threads;
    Callbacks callbacks;
    callbacks.interrupted = options.interrupted;
    try {
      Solver solver(lp);
      if (!options.startBasis.empty()) solver.setBasis(options.startBasis);
      return solver.solve(own, callbacks);
    } catch (EngineUnavailable const& unavailable) {
      throw BridgeLimit(unavailable.what());
    }
  }

 private:
  std::string name_;
  Options base_;
};

}  // namespace

BridgePointer makeOwnBridge(std::string const& name, Options const& base) {
  return std::make_shared<OwnBridge>(name, base);
}

std::vector<BridgePointer> allSolvers(Options const& base) {
  Options host = base;
  host.engine = EngineChoice::host;
  Options cuda = base;
  cuda.engine = EngineChoice::cuda;
  std::vector<BridgePointer> all{makeOwnBridge("osi_cuda", base),
                                 makeOwnBridge("osi_cuda@host", host),
                                 makeOwnBridge("osi_cuda@cuda", cuda)};
  for (auto& bridge : bridges()) all.push_back(std::move(bridge));
  return all;
}

void tellMissing(std::ostream& log) {
  for (BridgeReport const& report : findBridges())
    if (!report.bridge)
      log << "osi-cuda: solver " << report.name << " is left out: " << report.reason << '\n';
}

}  // namespace osi_cuda::cli
