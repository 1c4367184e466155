// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// The settings of one solve by a bridge.
struct BridgeOptions {
  std::string algorithm;        ///< one of Bridge::algorithms(); empty: the first of them
  double timeLimit = infinity;  ///< wall seconds
  /// The basis to start from; empty: the solver's own choice. Ignored by algorithms without one.
  Basis startBasis;
  /// The solver's own presolve as it likes; clp and highs, without a start basis. Others ignore it.
  bool presolve = false;
  int threads = 1;                    ///< at most that many, for solvers that have threads
  std::function<bool()> interrupted;  ///< polled while solving; true: stop soon. May be empty.
};

/// A bridge was asked for what its solver can't do: an algorithm it has not got, a problem beyond
/// its limits. what() is a message.
class BridgeLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another solver, in this process, in the project's own terms: it takes a LinearProgram and brings
/// back a Solution, whatever the solver's own conventions about the objective constant, the sense,
/// signs of duals, infinite bounds, basis statuses and empty problems are. Bridges keep
/// nothing of a problem; solve() may be called from several threads at a time.
class Bridge {
 public:
  virtual ~Bridge() = default;

  /// As on the command line: "glpk", "lp_solve", "clp", "highs".
  virtual std::string name() const = 0;
  /// The version of the library found at run time.
  virtual std::string version() const = 0;
  /// The first one is the default.
  virtual std::vector<std::string> algorithms() const = 0;
  /// Does this algorithm start from BridgeOptions::startBasis?
  virtual bool startsFromBasis(std::string const& algorithm) const = 0;
  /// Does what the first solve by this algorithm would take longer for: opens a device.
  virtual void open(std::string const& /*algorithm*/) const {}

  /// Solves `lp`, presolve off unless wanted, feasibility tolerances 1e-7 where the solver lets
  /// them be set. In the Solution status, message, objective, points, basis, certificates and
  /// iterations are the solver's claims, translated; rowActivity, residuals and seconds
  /// (translation included) are this project's. A claim of infeasible or unbounded comes with a
  /// certificate where the solver gives one. Vectors that the solver does not give are empty, and
  /// residuals infinite then. Throws BridgeLimit, or std::invalid_argument with findFault's
  /// message.
  Solution solve(LinearProgram const& lp, BridgeOptions const& options = {}) const;

 protected:
  /// What solve() leaves to the solver: `lp` is sound and options.algorithm is known.
  virtual Solution run(LinearProgram const& lp, BridgeOptions const& options) const = 0;
};

using BridgePointer = std::shared_ptr<Bridge const>;

/// A solver that was asked for by name is not here. what() is a message that says why, and how
/// to get it.
class BridgeUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What there is of one other solver that this project knows.
struct BridgeReport {
  std::string name;
  BridgePointer bridge;      ///< null when its module or the solver's library is missing
  std::string reason;        ///< with null: what is missing, and how to get it
  std::string library = {};  ///< the file of a library that its module opened, if it did
};

/// All solvers that this project knows, in a fixed order: glpk, lp_solve, clp, highs. Each is a
/// module of its own that is opened here (bridge_module.hpp) where OSI_CUDA_BRIDGE_PATH, a folder,
/// says, or else beside the program and in ../lib/osi-cuda from there.
std::vector<BridgeReport> findBridges();

/// Those of findBridges that can be used.
std::vector<BridgePointer> bridges();

/// The bridge of that name, or null.
BridgePointer findBridge(std::vector<BridgePointer> const& among, std::string const& name);

/// Why the solver of that name can't be used; empty when it can, or when nobody knows it.
std::string whyUnavailable(std::string const& name);

}  // namespace osi_cuda
