// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/solve/solver.hpp"

/// The engines that there are: those that can be asked for by name, and the part that each plays in
/// a solver.
namespace osi_cuda {

/// An engine that options have a word for, and the names of its devices, by number. Both throw
/// EngineUnavailable, with a message, where there are none.
struct NamedEngine {
  EngineChoice engine;
  std::unique_ptr<Engine> (*make)(EngineOptions const&);
  std::vector<std::string> (*devices)();
};
inline constexpr NamedEngine namedEngines[] = {
    {EngineChoice::host, makeHostEngine,
     [] { return std::vector{makeHostEngine({})->traits().device}; }},
    {EngineChoice::cuda, makeCudaEngine, [] { return cudaModule().deviceNames(); }}};

/// The engine on the device that was asked for by name; without a name, CUDA's.
inline std::unique_ptr<Engine> makeDeviceEngine(EngineOptions const& options) {
  for (NamedEngine const& one : namedEngines)
    if (one.engine == options.engine && isDevice(one.engine)) return one.make(options);
  return makeCudaEngine(options);
}

/// Who makes the engines of a solver, each in its part. Tests put makers of their own in.
struct EngineMakers {
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> host = makeHostEngine;
  /// The host's engine for sparse problems; empty: there is none.
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> factored = makeFactoredEngine;
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> device = makeDeviceEngine;
  /// Whether such an engine was made in this process: the next one takes a few milliseconds.
  std::function<bool()> deviceWasOpened = osi_cuda::deviceWasOpened;
  /// What is to be said before a device is opened; empty: nothing.
  std::function<std::string(int device)> translation = translationNotice;
  /// The engine with more digits; empty: there is none, and a solve does without.
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> precise = makePreciseEngine;
  /// The interior point methods, beside the engines of the same places.
  std::function<std::unique_ptr<Barrier>(BarrierOptions const&)> hostBarrier = makeHostBarrier;
  std::function<std::unique_ptr<Barrier>(BarrierOptions const&)> deviceBarrier = makeCudaBarrier;
  /// The way to a smaller problem and back; empty: there is none.
  std::function<PresolveOutcome(LinearProgram const&, PresolveRequest const&)> presolve =
      osi_cuda::presolve;
};

/// What the options of a solve say to its engine.
inline EngineOptions engineOptionsOf(Options const& options) {
  return {options.engine,    options.threads,    firstDevice(options),
          options.blockSize, options.sketchSize, options.atWork};
}

/// A solver without a problem whose engines come from `makers`.
Solver solverWith(EngineMakers makers);

}  // namespace osi_cuda
