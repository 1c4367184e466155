// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/start_point.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/solve/engine_slot.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// What the last solve left behind.
struct LastAnswer {
  Basis basis;                         ///< the next solve begins there
  StartPoint start;                    ///< or at this point, where there is one
  bool solvedBefore = false;           ///< this problem, so that a solve of it is no first one
  std::array<Resumed, 2> resumed;      ///< on the processor and on a device
  std::optional<Basis> keptBasis;      ///< what the engine may have kept, in the problem's terms
  std::int64_t keptPivots = 0;         ///< since the refactorisation before it
  Toggle enclose = Toggle::automatic;  ///< what the options of the last solve said
  double work = 0.0;                   ///< its counted work
  std::optional<InverseRow> dualRay;   ///< its last one
};

/// What a Solver keeps from call to call: nothing of a solve that is at work. Rows and columns that
/// come or go cost as many rows and columns of the tableau.
struct Session : EngineSlot, LastAnswer {
  Session() = default;
  /// Without engines.
  Session(Session const& other) = default;
  /// For a solve on a thread of its own, with the problem and the form of `other`, which nobody
  /// changes meanwhile.
  static Session beside(Session const& other) { return {other, Beside{}}; }

  /// Replaces the problem; the engine stays for it.
  void load(LinearProgram problem);
  /// The engine with the present basis. Throws std::logic_error where it holds another.
  Engine& tableau() const;
  History history(Options const& options) const;
  /// Where the next solve of the problem is made: asked before there is an engine for it.
  Placement placement(Options const& options, Run const& run) const;
  /// By which method: asked when the engine has the problem.
  Method method(Options const& options, Run const& run) const;
  /// Takes what a session of the same problem has come to, with its engine.
  void takeOver(Session& other);
  /// After rows or columns came or went; `lp` has the change already.
  void reshaped(Reshape const& change);

 private:
  Session(Session const& other, Beside beside) : EngineSlot(other, beside), LastAnswer(other) {}
};

/// Counts a solve as one of this process while it lives.
class AtWork {
 public:
  AtWork() { ++count; }
  ~AtWork() { --count; }
  AtWork(AtWork const&) = delete;
  AtWork& operator=(AtWork const&) = delete;

  static inline std::atomic<int> count = 0;  ///< solves at work
};

bool isSlackBasis(Basis const& basis);

}  // namespace osi_cuda
