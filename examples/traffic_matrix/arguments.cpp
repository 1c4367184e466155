// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "examples/common/failure.hpp"
#include "osi_cuda/base/spelling.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

std::vector<std::string> const weightNames = {"hops", "routing-cost", "distance",
                                              "inverse-capacity"};

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return text;
}

}  // namespace

std::size_t choice(std::string const& option, std::string const& name,
                   std::vector<std::string> const& names) {
  auto const found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw Failure(ExitStatus::usage, option + " must be " + joined(names) + ", not '" + name + "'" +
                                       suggestion(name, names));
}

void require(bool good, std::string const& option, std::string const& condition, double value) {
  if (good) return;
  constexpr int digits = 12;
  throw Failure(ExitStatus::usage,
                option + " must be " + condition + ", not " + shell::shortNumber(value, digits));
}

void makeFolder(std::string const& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    throw Failure(ExitStatus::cannotWrite,
                  "can't make folder '" + path + "'" + (error ? ": " + error.message() : ""));
}

void NetworkArguments::addTo(CLI::App& app, bool required) {
  app.add_option("--network", path, "network file, SNDlib's native format")
      ->type_name("FILE")
      ->required(required);
  app.add_option("--weights", weights,
                 "what routes minimise: " + joined(weightNames) + " [" + weights + "]")
      ->type_name("NAME");
  app.add_flag("--directed", directed, "a link of the file carries one direction, not both");
}

NetworkFile NetworkArguments::read() const {
  NetworkOptions options;
  options.weights = static_cast<NetworkOptions::Weights>(choice("--weights", weights, weightNames));
  if (directed) options.directions = NetworkOptions::Directions::asWritten;
  return readNetwork(path, options);
}

void ObjectiveArguments::addTo(CLI::App& app) {
  char const* const group = "Objective";
  app.add_option("--objective", name, joined(objectiveNames) + " [sum]")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--q", q, "errors in units of estimate^q: 0 absolute, 1 relative [1]")
      ->group(group);
  app.add_option("--alpha", alpha, "asymmetric: weight of traffic below its estimate [2]")
      ->group(group);
  app.add_option("--beta", beta, "piecewise: weight of what exceeds gamma [4]")->group(group);
  app.add_option("--gamma", gamma, "piecewise: the error from which on beta counts [0.2 if q is 1]")
      ->group(group);
}

Objective ObjectiveArguments::objective() const {
  Objective objective;
  objective.kind = static_cast<Objective::Kind>(choice("--objective", name, objectiveNames));
  objective.q = q;
  require(q >= 0.0 && q <= 1.0, "--q", "from 0 to 1", q);
  auto const reject = [&](char const* option, double value) {
    if (value != absent)
      throw Failure(ExitStatus::usage,
                    std::string(option) + " means nothing to --objective " + name);
  };
  if (objective.isAsymmetric()) {
    objective.alpha = alpha == absent ? 2.0 : alpha;
    require(objective.alpha > 0.0, "--alpha", "more than 0", alpha);
  } else {
    reject("--alpha", alpha);
  }
  if (!objective.isPiecewise()) {
    reject("--beta", beta);
    reject("--gamma", gamma);
    return objective;
  }
  objective.beta = beta == absent ? 4.0 : beta;
  require(objective.beta >= 1.0, "--beta", "at least 1", beta);
  if (gamma == absent && q < 1.0)
    throw Failure(ExitStatus::usage,
                  "--gamma is needed with --q below 1, as its unit is that of traffic^(1 - q)");
  objective.gamma = gamma == absent ? 0.2 : gamma;
  require(objective.gamma >= 0.0, "--gamma", "at least 0", gamma);
  return objective;
}

}  // namespace osi_cuda::examples::traffic
