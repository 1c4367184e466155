// SPDX-License-Identifier: EPL-2.0
// Parameters and hints. Values live in the base class; what this class adds are ranges, and the
// strongest hints, which the base class refuses.
#include <array>
#include <cmath>
#include <utility>

#include "osi/state.hpp"

namespace {

/// The range of the solver's own options; beyond it no answer is meant.
bool fitsTolerance(double value) {
  osi_cuda::OptionRecord const& record = *osi_cuda::findOption("primal-tolerance");
  return value >= record.minimum && value <= record.maximum;
}

/// The base class looks up whatever key it is given.
bool isKey(int key, int end) {
  return key >= 0 && key < end;
}

/// The option that is no solver's, and its words.
constexpr char const* aheadOption = "branches-ahead";
constexpr std::array<std::pair<char const*, osi_cuda::Toggle>, 3> aheadWords{
    {{"auto", osi_cuda::Toggle::automatic},
     {"on", osi_cuda::Toggle::on},
     {"off", osi_cuda::Toggle::off}}};

}  // namespace

bool OsiCudaSolverInterface::setIntParam(OsiIntParam key, int value) {
  switch (key) {
    case OsiMaxNumIteration:
    case OsiMaxNumIterationHotStart:
      return value >= 0 && OsiSolverInterface::setIntParam(key, value);
    case OsiNameDiscipline:
      return value >= 0 && value <= 2 && OsiSolverInterface::setIntParam(key, value);
    default:
      return false;
  }
}

bool OsiCudaSolverInterface::setDblParam(OsiDblParam key, double value) {
  if (std::isnan(value)) return false;
  switch (key) {
    case OsiDualTolerance:
    case OsiPrimalTolerance:
      return fitsTolerance(value) && OsiSolverInterface::setDblParam(key, value);
    case OsiObjOffset:
      if (!std::isfinite(value)) return false;
      if (value != doubleParam(key)) state_->forgetOptimum();
      return OsiSolverInterface::setDblParam(key, value);
    case OsiDualObjectiveLimit:
    case OsiPrimalObjectiveLimit:
      state_->senseOfLimit[key] = state_->sense;
      return OsiSolverInterface::setDblParam(key, value);
    default:
      return false;
  }
}

bool OsiCudaSolverInterface::setStrParam(OsiStrParam key, std::string const& value) {
  return key == OsiProbName && OsiSolverInterface::setStrParam(key, value);
}

bool OsiCudaSolverInterface::getIntParam(OsiIntParam key, int& value) const {
  return isKey(key, OsiLastIntParam) && OsiSolverInterface::getIntParam(key, value);
}

bool OsiCudaSolverInterface::getStrParam(OsiStrParam key, std::string& value) const {
  return isKey(key, OsiLastStrParam) && OsiSolverInterface::getStrParam(key, value);
}

// Objective limits are in the user's sense and turn with it, as OsiClp's do: branch and bound reads
// one, multiplies by the sense, and takes it for its cutoff.
bool OsiCudaSolverInterface::getDblParam(OsiDblParam key, double& value) const {
  if (!isKey(key, OsiLastDblParam) || !OsiSolverInterface::getDblParam(key, value)) return false;
  bool const isLimit = key == OsiDualObjectiveLimit || key == OsiPrimalObjectiveLimit;
  if (isLimit) value *= state_->sense * state_->senseOfLimit[key];
  return true;
}

double OsiCudaSolverInterface::doubleParam(OsiDblParam key) const {
  double value = 0.0;
  getDblParam(key, value);
  return value;
}

bool OsiCudaSolverInterface::setHintParam(OsiHintParam key, bool yesNo, OsiHintStrength strength,
                                          void* otherInformation) {
  if (!isKey(key, OsiLastHintParam)) return false;
  bool const cannot = yesNo && key == OsiDoCrash;
  // The base class throws at the strongest strength before it knows what is possible.
  OsiSolverInterface::setHintParam(key, yesNo, strength == OsiForceDo ? OsiHintDo : strength);
  state_->forced[key] = strength == OsiForceDo;
  state_->hintInformation[key] = otherInformation;
  // OsiClp's programs rely on it, whatever the strength: who asks for less hears nothing.
  if (key == OsiDoReducePrint) handler_->setLogLevel(yesNo ? 0 : 1);
  if (cannot && strength == OsiForceDo)
    osi_cuda::osi::refuse("setHintParam", "osi_cuda has no crash procedure");
  return true;
}

bool OsiCudaSolverInterface::getHintParam(OsiHintParam key, bool& yesNo, OsiHintStrength& strength,
                                          void*& otherInformation) const {
  if (!getHintParam(key, yesNo, strength)) return false;
  otherInformation = state_->hintInformation[key];
  return true;
}

bool OsiCudaSolverInterface::getHintParam(OsiHintParam key, bool& yesNo,
                                          OsiHintStrength& strength) const {
  if (!getHintParam(key, yesNo)) return false;
  OsiSolverInterface::getHintParam(key, yesNo, strength);
  if (state_->forced[key]) strength = OsiForceDo;
  return true;
}

bool OsiCudaSolverInterface::getHintParam(OsiHintParam key, bool& yesNo) const {
  return isKey(key, OsiLastHintParam) && OsiSolverInterface::getHintParam(key, yesNo);
}

void OsiCudaSolverInterface::setSolverOption(std::string const& name, std::string const& value) {
  if (name == aheadOption) {
    for (auto const& [word, toggle] : aheadWords) {
      if (value != word) continue;
      state_->branchesAhead = toggle;
      return;
    }
    osi_cuda::osi::refuse("setSolverOption", "option branches-ahead takes auto, on or off, not '",
                          value, "'");
  }
  std::string const fault = osi_cuda::setOption(state_->options, name, value);
  if (!fault.empty()) osi_cuda::osi::refuse("setSolverOption", fault);
}

std::string OsiCudaSolverInterface::getSolverOption(std::string const& name) const {
  if (name == aheadOption)
    for (auto const& [word, toggle] : aheadWords)
      if (toggle == state_->branchesAhead) return word;
  osi_cuda::OptionRecord const* const record = osi_cuda::findOption(name);
  if (!record) osi_cuda::osi::refuse("getSolverOption", "there is no option '", name, "'");
  return record->get(state_->options);
}

void OsiCudaSolverInterface::setInterrupt(std::function<bool()> interrupted) {
  state_->interrupted = std::move(interrupted);
}

std::string OsiCudaSolverInterface::getEngineName() const {
  return osi_cuda::toString(state_->engine);
}

double OsiCudaSolverInterface::getSolveSeconds() const {
  return state_->seconds;
}

void OsiCudaSolverInterface::setLogLevel(int level) {
  handler_->setLogLevel(level);
}
