// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  void start(LinearProgram const& lp, Engine const& engine, Algorithm algorithm) const {
    if (!listening()) return;
    run_.trace("start", {{"rows", lp.rows()},
                         {"columns", lp.columns()},
                         {"nonzeros", whole(at(lp.matrix.nonzeros()))},
                         {"engine", toString(engine.traits().name)},
                         {"device", engine.traits().device},
                         {"block_size", engine.traits().blockSize},
                         {"algorithm", toString(algorithm)}});
  }

  /// A new round of the control: what is left to do, and who does it. An algorithm other than the
  /// last round's is a change of algorithm.
  void round(int number, Algorithm algorithm, Measure const& measure) {
    if (!listening()) return;
    char const* const name = toString(algorithm);
    std::vector<TraceField> fields{{"round", number}, {"algorithm", name}};
    if (*lastAlgorithm_ != '\0')
      fields.push_back({"changed", std::string_view(lastAlgorithm_) != name});
    add(fields, measure);
    lastAlgorithm_ = name;
    run_.trace("round", std::move(fields));
  }

  /// A run of pivots came back. `objective` is in the problem's own terms, `altered` says which
  /// working bounds and costs are not the problem's ("" where none).
  void launch(PivotRequest const& request, PivotReport const& report, char const* phase,
              Measure const& measure, double objective, char const* altered) const {
    if (!listening()) return;
    std::vector<TraceField> fields{{"phase", phase},
                                   {"rule", toString(request.pricing)},
                                   {"primal_tolerance", request.primalTolerance},
                                   {"dual_tolerance", request.dualTolerance},
                                   {"pivot_tolerance", request.pivotTolerance},
                                   {"relative_pivot", request.relativePivot},
                                   {"budget", request.budget}};
    if (request.useCutoff) fields.push_back({"cutoff", request.cutoff});
    fields.push_back({"altered", altered});
    fields.push_back({"stop", toString(report.stop)});
    fields.push_back({"pivots", report.iterations - report.flips});
    fields.push_back({"flips", report.flips});
    fields.push_back({"degenerate", report.degenerate});
    fields.push_back({"worst_pivot", report.worstPivot});
    if (report.stop == Stop::ray || report.stop == Stop::unstable) {
      fields.push_back({"position", report.position});
      fields.push_back({"direction", report.direction});
    }
    add(fields, measure);
    fields.push_back({"objective", objective});
    run_.trace("launch", std::move(fields));
  }

  /// An algorithm's phase is over, and why.
  void phaseEnd(char const* phase, Stop stop, std::string const& why) const {
    if (!listening()) return;
    std::vector<TraceField> fields{{"phase", phase}, {"stop", toString(stop)}};
    if (!why.empty()) fields.push_back({"why", why});
    run_.trace("phase_end", std::move(fields));
  }

  void drift(Drift const& drift, bool tooFar) const {
    if (!listening()) return;
    run_.trace("drift", {{"primal", drift.primal}, {"dual", drift.dual}, {"too_far", tooFar}});
  }
  /// `condition`: an estimate for the new basis.
  void refactor(Refactorisation const& change, double condition) const {
    if (!listening()) return;
    run_.trace("refactor", {{"dropped", whole(change.dropped.size())},
                            {"added", whole(change.added.size())},
                            {"condition", condition}});
  }

  /// The caller has saved the present basis, which took so many seconds.
  void checkpoint(double took) const {
    if (listening()) run_.trace("checkpoint", {{"took", took}});
  }

  /// Working bounds or costs were changed: "perturb_bounds", "relax_bounds", "restore", ...
  void change(char const* kind) const {
    if (listening()) run_.trace(kind, {});
  }
  void perturb(char const* kind, double size, int count) const {
    if (listening()) run_.trace(kind, {{"size", size}, {"count", count}});
  }

  /// A claim was verified, a point by these residuals before it was rounded to doubles.
  void proof(char const* claim, bool proved, std::optional<Residuals> const& residuals) const {
    if (!listening()) return;
    std::vector<TraceField> fields{{"claim", claim}, {"proved", proved}};
    if (residuals) add(fields, *residuals);
    run_.trace("proof", std::move(fields));
  }

  void end(Solution const& solution) const {
    if (!listening()) return;
    std::vector<TraceField> fields{{"status", toString(solution.status)},
                                   {"objective", solution.objective}};
    add(fields, solution.residuals);
    if (!solution.message.empty()) fields.push_back({"message", solution.message});
    run_.trace("end", std::move(fields));
  }

 private:
  static std::int64_t whole(std::size_t number) { return static_cast<std::int64_t>(number); }

  static void add(std::vector<TraceField>& fields, Measure const& measure) {
    fields.insert(fields.end(), {{"primal_sum", measure.primalSum},
                                 {"primal_max", measure.primalMax},
                                 {"primal_count", measure.primalCount},
                                 {"dual_sum", measure.dualSum},
                                 {"dual_max", measure.dualMax},
                                 {"dual_count", measure.dualCount}});
  }

  static void add(std::vector<TraceField>& fields, Residuals const& residuals) {
    fields.push_back({"primal_residual", residuals.primal});
    fields.push_back({"dual_residual", residuals.dual});
    fields.push_back({"complementarity", residuals.complementarity});
  }

  Run const& run_;
  char const* lastAlgorithm_ = "";
};

}  // namespace osi_cuda
