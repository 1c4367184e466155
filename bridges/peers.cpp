// SPDX-License-Identifier: EPL-2.0
// What all bridges do, and the modules of the other solvers: how they are found, opened and made
// bridges.
#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "bridges/bridge_module.hpp"
#include "bridges/translation.hpp"
#include "osi_cuda/base/module_file.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

/// One solver that this project knows.
struct Peer {
  char const* name;
  char const* built;    ///< when the module is built
  char const* library;  ///< how to get what the module links to
};

constexpr std::array<Peer, 4> peers{{
    {"glpk", "where Debian's package libglpk-dev is installed",
     "on Debian, apt-get install libglpk40"},
    {"lp_solve", "where Debian's packages lp-solve and liblpsolve55-dev are installed",
     "on Debian, apt-get install lp-solve"},
    {"clp", "where Debian's package coinor-libclp-dev is installed",
     "on Debian, apt-get install coinor-libclp1"},
    {"highs", "everywhere",
     "OSI_CUDA_HIGHS names the library: Debian 13 has it, and Python's packages highsbox and "
     "highspy up to 1.15 bring one"},
}};

/// The first column or row with lower > upper, as a message; empty when there is none.
std::string crossedBoundsOf(LinearProgram const& lp) {
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.columnLower[j] > lp.columnUpper[j])
      return "the bounds of column " + lp.columnName(j) + " cross";
  for (int i = 0; i < lp.rows(); ++i)
    if (lp.rowLower[i] > lp.rowUpper[i]) return "the bounds of row " + lp.rowName(i) + " cross";
  return {};
}

/// A solver behind its module. What every solver needs is done here: crossed bounds are infeasible
/// without asking, since three of the four refuse such a problem, and no certificate goes
/// unchecked.
class PeerBridge final : public Bridge {
 public:
  PeerBridge(char const* name, BridgeModule const& module) : name_(name), module_(module) {}

  std::string name() const override { return name_; }
  std::string version() const override { return module_.version(); }
  std::vector<std::string> algorithms() const override {
    std::istringstream words(module_.algorithms);
    return {std::istream_iterator<std::string>(words), {}};
  }
  bool startsFromBasis(std::string const& algorithm) const override {
    return module_.startsFromBasis(algorithm);
  }

 protected:
  Solution run(LinearProgram const& lp, BridgeOptions const& options) const override {
    Solution solution;
    if (solution.message = crossedBoundsOf(lp); !solution.message.empty()) {
      solution.status = Status::infeasible;
      solution.farkas.assign(lp.rows(), 0.0);  // verifyFarkas accepts crossed bounds by themselves
      return solution;
    }
    solution = module_.run(lp, options);
    if (!solution.farkas.empty())
      solution.farkas = farkasOfEitherSign(lp, std::move(solution.farkas));
    if (!solution.ray.empty())
      solution.ray = rayOfEitherSign(lp, solution.columnValues, std::move(solution.ray));
    return solution;
  }

 private:
  char const* name_;
  BridgeModule const& module_;
};

std::string whyNot(Peer const& peer, ModuleSearch const& search) {
  if (search.fault == ModuleFault::missing)
    return search.reason + "; this module of osi-cuda is built " + peer.built;
  if (search.fault == ModuleFault::unusable) return search.reason + "; " + peer.library;
  return search.reason;
}

BridgeReport open(Peer const& peer) {
  ModuleSearch const search =
      openModule({concat("OsiCudaBridge-", peer.name, ".so"), "osiCudaBridge",
                  OSI_CUDA_BRIDGE_INTERFACE, "OSI_CUDA_BRIDGE_PATH"});
  if (search.fault != ModuleFault::none) return {peer.name, nullptr, whyNot(peer, search)};
  auto const& module = *static_cast<BridgeModule const*>(search.table);
  try {
    module.version();  // a module may open the solver's library itself
  } catch (std::runtime_error const& error) {
    return {peer.name, nullptr, concat(error.what(), "; ", peer.library)};
  }
  return {peer.name,
          std::make_shared<PeerBridge>(peer.name, module),
          {},
          module.library ? module.library() : ""};
}

}  // namespace

Solution Bridge::solve(LinearProgram const& lp, BridgeOptions const& options) const {
  if (auto const fault = findFault(lp); !fault.empty()) throw std::invalid_argument(fault);
  auto chosen = options;
  auto const known = algorithms();
  if (chosen.algorithm.empty()) chosen.algorithm = known.front();
  if (std::ranges::find(known, chosen.algorithm) == known.end())
    throw BridgeLimit(name() + " has no algorithm '" + chosen.algorithm + "'");
  if (!startsFromBasis(chosen.algorithm)) chosen.startBasis = {};
  auto const fits = [](auto const& statuses, int length) { return statuses.size() == at(length); };
  auto const& start = chosen.startBasis;
  if (!start.empty() && !(fits(start.columns, lp.columns()) && fits(start.rows, lp.rows())))
    throw std::invalid_argument("the start basis does not have the sizes of the problem");

  Stopwatch const watch;
  Solution solution = run(lp, chosen);
  solution.seconds = watch.seconds();
  if (solution.columnValues.size() == at(lp.columns()))
    solution.rowActivity = activityOf(lp, solution.columnValues);
  solution.residuals = residualsOf(lp, solution);
  return solution;
}

BridgePointer findBridge(std::vector<BridgePointer> const& among, std::string const& name) {
  for (auto const& bridge : among)
    if (bridge->name() == name) return bridge;
  return nullptr;
}

std::vector<BridgeReport> findBridges() {
  std::vector<BridgeReport> reports;
  for (Peer const& peer : peers) reports.push_back(open(peer));
  return reports;
}

std::vector<BridgePointer> bridges() {
  std::vector<BridgePointer> usable;
  for (BridgeReport& report : findBridges())
    if (report.bridge) usable.push_back(std::move(report.bridge));
  return usable;
}

std::string whyUnavailable(std::string const& name) {
  for (Peer const& peer : peers)
    if (name == peer.name) return open(peer).reason;
  return {};
}

}  // namespace osi_cuda
