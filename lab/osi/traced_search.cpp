// SPDX-License-Identifier: EPL-2.0
#include "lab/osi/traced_search.hpp"

#include <chrono>
#include <cstring>
#include <stdexcept>

namespace osi_cuda::testing {

// FNV-1a over the bytes (Fowler, Noll and Vo).
void SearchTrace::add(double number) {
  unsigned char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  for (unsigned char const byte : bytes) fingerprint = (fingerprint ^ byte) * 0x100000001B3ull;
}

void TracedOsiCuda::record(bool hot) {
  trace_->add(hot ? 1.0 : 0.0);
  for (int j = 0; j < getNumCols(); ++j) {
    trace_->add(getColLower()[j]);
    trace_->add(getColUpper()[j]);
  }
}

void TracedOsiCuda::initialSolve() {
  record(false);
  OsiCudaSolverInterface::initialSolve();
  ++trace_->solves;
  trace_->pivots += getIterationCount();
}

void TracedOsiCuda::resolve() {
  record(false);
  OsiCudaSolverInterface::resolve();
  ++trace_->solves;
  trace_->pivots += getIterationCount();
  trace_->add(getIterationCount());
  if (isProvenOptimal()) trace_->add(getObjValue());
}

template <class Call>
void TracedOsiCuda::timed(Call call) {
  auto const begin = std::chrono::steady_clock::now();
  call();
  trace_->hotSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void TracedOsiCuda::markHotStart() {
  timed([this] { OsiCudaSolverInterface::markHotStart(); });
}

void TracedOsiCuda::solveFromHotStart() {
  record(true);
  timed([this] { OsiCudaSolverInterface::solveFromHotStart(); });
  ++trace_->hotSolves;
  trace_->add(getIterationCount());
  if (isProvenOptimal()) trace_->add(getObjValue());
}

void TracedOsiCuda::unmarkHotStart() {
  timed([this] { OsiCudaSolverInterface::unmarkHotStart(); });
}

TracedRun searchTraced(std::string const& file, TracedSettings const& settings) {
  TracedOsiCuda solver;
  solver.messageHandler()->setLogLevel(0);
  for (auto const& [name, value] : settings.options) solver.setSolverOption(name, value);
  if (solver.readMps(file.c_str(), "") != 0) throw std::runtime_error(file + " cannot be read");
  if (settings.hotLimit > 0) solver.setIntParam(OsiMaxNumIterationHotStart, settings.hotLimit);
  auto const begin = std::chrono::steady_clock::now();
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  addCuts(model, settings.cuts);
  model.setNumberStrong(settings.strong);
  model.setNumberBeforeTrust(settings.strong > 0 ? settings.trust : 0);
  model.setMaximumNodes(settings.nodes);
  model.initialSolve();
  model.branchAndBound();
  TracedRun run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.proved = model.isProvenOptimal();
  run.objective = model.getObjValue();
  run.bound = model.getBestPossibleObjValue();
  run.nodes = model.getNodeCount();
  run.trace = solver.trace();
  run.ahead = solver.getBranchesAhead();
  return run;
}

}  // namespace osi_cuda::testing
