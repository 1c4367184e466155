// SPDX-License-Identifier: EPL-2.0
#include "cli/regress.hpp"

#include <cmath>

#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

std::string fromTo(std::string const& what, std::string const& before, std::string const& now) {
  return what + ' ' + before + " -> " + now;
}

/// A quantity of which less is better; nothing when the limits call it equal.
void compareAmount(std::vector<Change>& changes, std::string const& what, double before, double now,
                   double factor, double more) {
  bool const worse = now > factor * before && now >= before + more;
  bool const better = before > factor * now && before >= now + more;
  constexpr int digits = 4;
  if (worse || better)
    changes.push_back({worse, fromTo(what, shortNumber(before, digits), shortNumber(now, digits))});
}

void compareStatus(std::vector<Change>& changes, RunRecord const& before, RunRecord const& now) {
  if (before.status == now.status) return;
  // A run that found nothing and now does has improved; everything else has to be looked at.
  bool const improved = !isClaim(before.status) && isClaim(now.status);
  changes.push_back({!improved, fromTo("status", before.status, now.status)});
}

}  // namespace

std::vector<Change> changesSince(RunRecord const& before, RunRecord const& now,
                                 RegressionLimits const& limits) {
  std::vector<Change> changes;
  if (now.status == "skipped" && before.status == "skipped") return changes;
  compareStatus(changes, before, now);
  if (before.status != now.status) return changes;
  constexpr int digits = 12;
  if (before.objective && now.objective &&
      !agree(*now.objective, *before.objective, limits.objectiveTolerance))
    changes.push_back({true, fromTo("objective", shortNumber(*before.objective, digits),
                                    shortNumber(*now.objective, digits))});
  if (before.proved && !now.proved) changes.push_back({true, "no longer proved"});
  if (!before.proved && now.proved) changes.push_back({false, "now proved"});
  if (!isClaim(now.status)) return changes;  // stopped by a limit: amounts say nothing
  compareAmount(changes, "iterations", static_cast<double>(before.iterations),
                static_cast<double>(now.iterations), limits.iterationFactor,
                static_cast<double>(limits.iterationsMore));
  if (before.host == now.host && before.device == now.device)
    compareAmount(changes, "seconds", before.seconds, now.seconds, limits.timeFactor,
                  limits.secondsMore);
  return changes;
}

std::vector<Change> faultsOf(RunRecord const& now, Instance const& expected,
                             RegressionLimits const& limits) {
  std::vector<Change> faults;
  if (now.verdict == "wrong" || now.verdict == "disputed")
    faults.push_back({true, now.verdict + ": " + now.message});
  if (!isClaim(now.status)) return faults;
  if (!expected.status.empty() && expected.status != now.status) {
    faults.push_back({true, "status " + now.status + ", the list states " + expected.status});
  } else if (expected.objective && now.objective &&
             !agree(*now.objective, *expected.objective, limits.objectiveTolerance)) {
    constexpr int digits = 12;
    faults.push_back({true, "objective " + shortNumber(*now.objective, digits) +
                                ", the list states " + shortNumber(*expected.objective, digits)});
  }
  return faults;
}

}  // namespace osi_cuda::cli
