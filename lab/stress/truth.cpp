// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/truth.hpp"

#include <chrono>
#include <cmath>
#include <string>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::stress {
namespace {

Rationals parsed(std::vector<std::string> const& texts) {
  Rationals values;
  for (std::string const& text : texts) {
    values.emplace_back(text);
    values.back().canonicalize();
  }
  return values;
}

/// What the numbers prove, if anything.
Truth verified(LinearProgram const& lp, ExactCertificate const& certificate) {
  Truth truth;
  if (!certificate.proved) return truth;
  truth.status = certificate.status;
  Rationals const x = parsed(certificate.point);
  Rationals const y = parsed(certificate.rowMultipliers);
  switch (certificate.status) {
    case Status::optimal:
      truth.known = exactlyOptimal(lp, x, y);
      if (truth.known) truth.optimum = exactObjective(lp, x);
      break;
    case Status::infeasible:
      truth.known = judgeFarkas(lp, y) == Proof::exact;
      break;
    default:
      truth.known = exactlyFeasible(lp, x) && judgeRay(lp, parsed(certificate.ray)) == Proof::exact;
      break;
  }
  return truth;
}

}  // namespace

Truth truthOf(LinearProgram const& lp, double seconds) {
  using Clock = std::chrono::steady_clock;
  auto const start = Clock::now();
  auto const left = [&] {
    return seconds - std::chrono::duration<double>(Clock::now() - start).count();
  };
  // Bases of different engines miss by different roundings.
  for (auto const& [algorithm, representation] :
       {std::pair("auto", "auto"), std::pair("primal", "factors"), std::pair("dual", "tableau")}) {
    Options options;
    setOption(options, "engine", "host");
    setOption(options, "threads", "1");
    setOption(options, "exact", "on");
    setOption(options, "algorithm", algorithm);
    setOption(options, "representation", representation);
    options.timeLimit = left();
    if (options.timeLimit <= 0.0) break;
    Solver solver(lp);
    Solution const solution = solver.solve(options);
    Truth const truth = verified(lp, certificateOf(lp, solution, [&] { return left() <= 0.0; }));
    if (truth.known) return truth;
  }
  return {};
}

bool contains(ObjectiveEnclosure const& enclosure, Truth const& truth, Sense sense) {
  if (std::isnan(enclosure.lower) || std::isnan(enclosure.upper)) return false;
  if (truth.status == Status::optimal)
    return (std::isinf(enclosure.lower) ? enclosure.lower < 0
                                        : mpq_class(enclosure.lower) <= truth.optimum) &&
           (std::isinf(enclosure.upper) ? enclosure.upper > 0
                                        : mpq_class(enclosure.upper) >= truth.optimum);
  // No point: the least of nothing is infinity. No bound: minus infinity.
  bool const infinite = (truth.status == Status::infeasible) == (sense == Sense::minimize);
  return infinite ? enclosure.upper == infinity : enclosure.lower == -infinity;
}

}  // namespace osi_cuda::stress
