// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/problems.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "examples/common/failure.hpp"
#include "examples/traffic_matrix/formulation.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "lab/bench/dense_model.hpp"

namespace osi_cuda::textbook {
namespace {

/// The question of examples/traffic_matrix for a generated network: formulation with error
/// rows, errors relative to an estimate that is off by 20 %, all links measured.
LinearProgram trafficProblem(examples::traffic::Objective::Kind kind, int nodes,
                             std::uint64_t seed) {
  using namespace examples::traffic;
  constexpr double meanTraffic = 1.0, spread = 0.5, sigma = 0.2, floorShare = 1e-4;
  examples::Random random(seed);
  Network const network = generateNetwork(nodes, random);
  CoinPackedMatrix const routing = routingMatrix(network);
  std::vector<double> const truth = generateTruth(Pairs(nodes), meanTraffic, spread, random);
  std::vector<int> measured(network.links.size());
  std::iota(measured.begin(), measured.end(), 0);
  std::vector<double> const prior = noisyMatrix(truth, sigma, random);
  Objective objective;
  objective.kind = kind;
  Question const question{routing,
                          measured,
                          linkLoads(routing, truth),
                          prior,
                          errorUnits(prior, objective.q, floorShare),
                          objective};
  return formulate(question, Formulation::errorRows).lp.program();
}

}  // namespace

std::string familyOfProblem(std::string const& name) {
  return name.substr(0, name.find(':'));
}

LinearProgram makeProblem(std::string const& name, std::uint64_t seed) {
  std::string const family = familyOfProblem(name);
  std::string const size = name.substr(std::min(name.size(), family.size() + 1));
  int rows = 0, columns = 0;
  char rest = 0;
  if (auto const dense = bench::familyOf(family);
      dense && std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) == 2 && rows > 0 &&
      columns > 0)
    return bench::denseModel(*dense, rows, columns, seed);
  bool const sum = family == "traffic-sum", minimax = family == "traffic-minimax";
  if ((sum || minimax) && std::sscanf(size.c_str(), "%d%c", &rows, &rest) == 1 && rows >= 3)
    return trafficProblem(
        sum ? examples::traffic::Objective::Kind::sum : examples::traffic::Objective::Kind::minimax,
        rows, seed);
  throw examples::Failure(examples::ExitStatus::usage,
                          "expected a problem like origin:1000x500, signed:..., uniform:..., "
                          "traffic-sum:20 or traffic-minimax:20, found '" +
                              name + "'");
}

}  // namespace osi_cuda::textbook
