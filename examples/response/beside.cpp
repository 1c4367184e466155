// SPDX-License-Identifier: EPL-2.0
#include "examples/response/beside.hpp"

#include <cstdlib>

#include "bridges/bridge.hpp"
#include "bridges/highs_library.hpp"
#include "examples/common/failure.hpp"

namespace osi_cuda::response {
namespace {

Rival open(std::vector<BridgeReport> const& reports, std::string const& name) {
  std::string reason;
  for (BridgeReport const& report : reports) {
    if (report.name != name) continue;
    if (report.bridge)
      return {name + ' ' + report.bridge->version(),
              [bridge = report.bridge](LinearProgram const& lp, double seconds) {
                BridgeOptions options;
                options.algorithm = bridge->algorithms().front();  // the dual simplex method
                options.timeLimit = seconds;
                return bridge->solve(lp, options);
              }};
    reason = report.reason;
  }
  char const* const path = std::getenv("OSI_CUDA_HIGHS");
  auto const highs = name == "highs" ? HighsLibrary::load(path ? path : "") : nullptr;
  if (!highs)
    throw examples::Failure(examples::ExitStatus::unavailable, name + " is not here: " + reason);
  return {name + ' ' + highs->version(), [highs](LinearProgram const& lp, double seconds) {
            return highs->solve(lp, seconds, false);
          }};
}

}  // namespace

std::vector<std::string> rivalNames() {
  return {"clp", "highs"};
}

std::vector<Rival> openRivals(std::vector<std::string> const& names) {
  std::vector<BridgeReport> const reports = findBridges();
  std::vector<Rival> rivals;
  for (std::string const& name : names) rivals.push_back(open(reports, name));
  return rivals;
}

}  // namespace osi_cuda::response
