// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// HiGHS, loaded when the program runs, through the C interface of its shared library. So that the
/// wheel of its Python package, which brings the library but no headers, is enough.
class HighsLibrary {
 public:
  /// `path`: the shared library; empty: libhighs.so.1 where the system finds it. Null when there is
  /// none, or when it lacks a function.
  static std::shared_ptr<HighsLibrary const> load(std::string const& path);

  virtual ~HighsLibrary() = default;
  virtual std::string version() const = 0;
  /// HiGHS as its own program solves, with presolve, or without; feasibility tolerances 1e-7.
  virtual Solution solve(LinearProgram const& lp, double timeLimit, bool presolve) const = 0;
  /// By its interior point method with crossover, presolve as it likes. Iterations are those of
  /// both parts; the time limit is looked at now and then only.
  virtual Solution solveByInteriorPoint(LinearProgram const& lp, double timeLimit,
                                        int threads) const = 0;
};

}  // namespace osi_cuda
