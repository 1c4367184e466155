// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "bridges/bridge.hpp"

namespace osi_cuda::testing {

/// In which way the faulty solver is wrong.
enum class Fault {
  none,
  objective,         ///< the right point, another objective value
  point,             ///< the right objective value, a point that breaks a bound or a row
  duals,             ///< the right point with duals of the wrong sign
  notOptimal,        ///< a worse point, honestly valued
  saysInfeasible,    ///< of a problem with an optimum
  saysUnbounded,     ///< of a problem with an optimum
  falseCertificate,  ///< infeasible, with multipliers that prove nothing
  saysOptimal,       ///< of any problem: x = 0, y = 0
  throws
};

/// A solver that Clp does the work for and that then lies. Exists in tests only.
class FaultyBridge final : public Bridge {
 public:
  explicit FaultyBridge(Fault fault) : fault_(fault) {}
  std::string name() const override { return "faulty"; }
  std::string version() const override { return "0"; }
  std::vector<std::string> algorithms() const override { return {"only"}; }
  bool startsFromBasis(std::string const&) const override { return false; }
  void setFault(Fault fault) { fault_ = fault; }

 protected:
  Solution run(LinearProgram const& lp, BridgeOptions const& options) const override;

 private:
  Fault fault_;
};

}  // namespace osi_cuda::testing
