// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/run.hpp"

namespace osi_cuda {

/// Tells Callbacks::trace what the control does, in the words of docs/reference/program.md. Where
/// nobody listens, every call returns at once. It changes nothing: a traced solve makes the same
/// pivots.
class Tracer {
 public:
  /// `run` must outlive the object.
  explicit Tracer(Run const& run) : run_(run) {}

  bool listening() const { return run_.traces(); }

  /// The engine has the problem and the basis to start from.
  void start(LinearProgram const& lp, Engine const& engine, Algorithm algorithm) const;

  /// A new round of the control: what is left to do, and who does it. An algorithm other than the
  /// last round's is a change of algorithm.
  void round(int number, Algorithm algorithm, Measure const& measure);

  /// A run of pivots came back. `objective` is in the problem's own terms, `altered` says which
  /// working bounds and costs are not the problem's ("" where none).
  void launch(PivotRequest const& request, PivotReport const& report, char const* phase,
              Measure const& measure, double objective, char const* altered) const;

  /// An algorithm's phase is over, and why.
  void phaseEnd(char const* phase, Stop stop, std::string const& why) const;

  void drift(Drift const& drift, bool tooFar) const;
  /// `condition`: an estimate for the new basis.
  void refactor(Refactorisation const& change, double condition) const;

  /// The caller has saved the present basis, which took so many seconds.
  void checkpoint(double took) const;

  /// Working bounds or costs were changed: "perturb_bounds", "relax_bounds", "restore", ...
  void change(char const* kind) const;
  void perturb(char const* kind, double size, int count) const;

  /// A claim was verified, a point by these residuals before it was rounded to doubles.
  void proof(char const* claim, bool proved, std::optional<Residuals> const& residuals) const;

  void end(Solution const& solution) const;

 private:
  Run const& run_;
  char const* lastAlgorithm_ = "";
};

}  // namespace osi_cuda
