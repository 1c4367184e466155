// SPDX-License-Identifier: EPL-2.0
#include "bench/textbook/problems.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "bench/dense_model.hpp"
#include "cli/failure.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/formulation.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/routing.hpp"

namespace osi_cuda::textbook {
namespace {

namespace traffic = examples::traffic;

/// What OSI's solver was given, as plain data.
LinearProgram readBack(OsiSolverInterface const& solver) {
  LinearProgram lp;
  int const m = solver.getNumRows(), n = solver.getNumCols();
  CoinPackedMatrix const& matrix = *solver.getMatrixByCol();
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  for (int j = 0; j < n; ++j) {
    for (CoinBigIndex k = matrix.getVectorFirst(j); k < matrix.getVectorLast(j); ++k) {
      lp.matrix.indices.push_back(matrix.getIndices()[k]);
      lp.matrix.values.push_back(matrix.getElements()[k]);
    }
    lp.matrix.starts.push_back(std::int64_t(lp.matrix.indices.size()));
  }
  auto const take = [&](double const* from, int count) {
    std::vector<double> values(from, from + count);
    for (double& value : values)
      if (std::abs(value) >= solver.getInfinity()) value = value > 0 ? infinity : -infinity;
    return values;
  };
  lp.objective = take(solver.getObjCoefficients(), n);
  lp.columnLower = take(solver.getColLower(), n);
  lp.columnUpper = take(solver.getColUpper(), n);
  lp.rowLower = take(solver.getRowLower(), m);
  lp.rowUpper = take(solver.getRowUpper(), m);
  return lp;
}

LinearProgram trafficModel(traffic::Objective::Kind kind, int nodes, std::uint64_t seed) {
  constexpr double meanTraffic = 1.0, spread = 0.5, sigma = 0.2, floorShare = 1e-4;
  traffic::Random random(seed);
  traffic::Network const network = traffic::generateNetwork(nodes, random);
  CoinPackedMatrix const routing = traffic::routingMatrix(network);
  std::vector<double> const truth =
      traffic::generateTruth(traffic::Pairs(nodes), meanTraffic, spread, random);
  std::vector<int> measured(network.links.size());
  std::iota(measured.begin(), measured.end(), 0);
  std::vector<double> const prior = traffic::noisyMatrix(truth, sigma, random);
  traffic::Objective objective;
  objective.kind = kind;
  traffic::Question const question{routing,
                                   measured,
                                   traffic::linkLoads(routing, truth),
                                   prior,
                                   traffic::errorUnits(prior, objective.q, floorShare),
                                   objective};
  auto const solver = examples::makeSolver("clp");
  traffic::formulate(question, traffic::Formulation::errorRows).lp.loadInto(*solver);
  return readBack(*solver);
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
    return trafficModel(sum ? traffic::Objective::Kind::sum : traffic::Objective::Kind::minimax,
                        rows, seed);
  throw cli::Failure(cli::ExitStatus::usage,
                     "expected a problem like origin:1000x500, signed:..., uniform:..., "
                     "traffic-sum:20 or traffic-minimax:20, found '" +
                         name + "'");
}

}  // namespace osi_cuda::textbook
