// SPDX-License-Identifier: EPL-2.0
// Construction, copies, reset, and what the class says of itself.

#include "CoinMessageHandler.hpp"
#include "osi/hot_start.hpp"
#include "osi/state.hpp"

OsiCudaSolverInterface::OsiCudaSolverInterface() : state_(std::make_unique<State>()) {
  // As OsiClp's; names are lazy: those that exist.
  OsiSolverInterface::setIntParam(OsiNameDiscipline, 1);
  OsiSolverInterface::setIntParam(OsiMaxNumIteration, COIN_INT_MAX);
  OsiSolverInterface::setDblParam(OsiPrimalObjectiveLimit, COIN_DBL_MAX);
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
