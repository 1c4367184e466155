// SPDX-License-Identifier: EPL-2.0
// Construction, copies, reset, and what the class says of itself.

#include "CoinMessageHandler.hpp"
#include "osi/hot_start.hpp"
#include "osi/state.hpp"

OsiCudaSolverInterface::OsiCudaSolverInterface() : state_(std::make_unique<State>()) {
  OsiSolverInterface::setIntParam(OsiNameDiscipline, 1);  // lazy, as OsiClp's: names that exist
  OsiSolverInterface::setStrParam(OsiSolverName, "osicuda");
  OsiSolverInterface::setStrParam(OsiProbName, "");
  OsiSolverInterface::setDblParam(OsiPrimalTolerance, state_->options.primalTolerance);
  OsiSolverInterface::setDblParam(OsiDualTolerance, state_->options.dualTolerance);
}

OsiCudaSolverInterface::OsiCudaSolverInterface(OsiCudaSolverInterface const& other)
    : OsiSolverInterface(other), state_(std::make_unique<State>(*other.state_)) {}

OsiCudaSolverInterface& OsiCudaSolverInterface::operator=(OsiCudaSolverInterface const& other) {
  if (this != &other) {
    OsiSolverInterface::operator=(other);
    state_ = std::make_unique<State>(*other.state_);
  }
  return *this;
}

OsiCudaSolverInterface::~OsiCudaSolverInterface() = default;

OsiSolverInterface* OsiCudaSolverInterface::clone(bool copyData) const {
  return copyData ? new OsiCudaSolverInterface(*this) : new OsiCudaSolverInterface();
}

void OsiCudaSolverInterface::reset() {
  *this = OsiCudaSolverInterface();
}
