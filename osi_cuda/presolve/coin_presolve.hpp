// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CoinMessageHandler.hpp>
#include <CoinPresolveMatrix.hpp>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/presolve/presolve.hpp"

namespace osi_cuda {

/// Presolves by the actions of CoinUtils. Throws std::runtime_error with a message where they
/// fail, std::bad_alloc.
PresolveOutcome presolveByCoin(LinearProgram const& lp, PresolveRequest const& request);

}  // namespace osi_cuda

/// What the files of this module share about CoinUtils' presolve.
namespace osi_cuda::coin {

/// CoinUtils takes bounds of this size and more for none, in some of its actions.
inline constexpr double infiniteBound = 1e20;
/// Entries up to this size are none to CoinUtils.
inline constexpr double zeroEntry = 1e-12;

/// A bound as CoinUtils writes it, and back.
double toCoin(double bound);
double fromCoin(double bound);

/// Says nothing: what a presolve finds is told by the solver.
class SilentHandler : public CoinMessageHandler {
 public:
  int print() override { return 0; }
  void checkSeverity() override {}
  CoinMessageHandler* clone() const override { return new SilentHandler(*this); }
};

/// The list of actions that were applied, the last one first; owns them.
class Actions {
 public:
  Actions() = default;
  ~Actions();
  Actions(Actions const&) = delete;
  Actions& operator=(Actions const&) = delete;

  CoinPresolveAction const* first = nullptr;
};

/// The rows of a problem that CoinUtils sees: those with a bound. The others say nothing, and some
/// of its actions rely on there being one.
std::vector<int> boundedRows(LinearProgram const& lp);

/// What CoinUtils worked on, and what it made of it.
class CoinPresolved final : public Presolved {
 public:
  Solution postsolve(LinearProgram const& lp, Solution const& reduced) const override;

  Actions actions;
  std::vector<int> boundedRows;  ///< rows of the given problem, in CoinUtils' order
  int allColumns = 0;            ///< columns of the given problem
  CoinBigIndex allNonzeros = 0;  ///< most entries that postsolve has to have room for
};

}  // namespace osi_cuda::coin
