// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/solver.hpp"

/// The engines that there are: the part that each plays in a solver, and what those that can be
/// asked for by name run on.
namespace osi_cuda {

/// Who makes the engines of a solver. Tests put makers of their own in; an engine that stands for a
/// device calls itself "cuda".
struct EngineMakers {
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> host = makeHostEngine;
  /// The host's engine for sparse problems; empty: there is none.
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> factored = makeFactoredEngine;
  std::function<std::unique_ptr<Engine>(EngineOptions const&)> device = makeCudaEngine;
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
  return {options.threads, options.device, options.blockSize, options.sketchSize};
}

/// A solver without a problem whose engines come from `makers`.
Solver solverWith(EngineMakers makers);

/// An engine that options have a word for, and its devices: their names, by number. Throws
/// EngineUnavailable, with one sentence, where there are none.
struct EngineDevices {
  EngineChoice engine;
  std::vector<std::string> (*names)();
};
inline constexpr EngineDevices engineDevices[] = {
    {EngineChoice::host, [] { return std::vector{makeHostEngine({})->traits().device}; }},
    {EngineChoice::cuda, [] { return cudaModule().deviceNames(); }}};

}  // namespace osi_cuda
