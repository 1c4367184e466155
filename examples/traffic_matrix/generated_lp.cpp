// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/generated_lp.hpp"

#include <cmath>
#include <numeric>

#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/formulation.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/routing.hpp"

namespace osi_cuda::examples::traffic {
namespace {

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

}  // namespace

LinearProgram generatedLp(Objective::Kind kind, int nodes, std::uint64_t seed) {
  constexpr double meanTraffic = 1.0, spread = 0.5, sigma = 0.2, floorShare = 1e-4;
  Random random(seed);
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
  auto const solver = makeSolver("clp");
  formulate(question, Formulation::errorRows).lp.loadInto(*solver);
  return readBack(*solver);
}

}  // namespace osi_cuda::examples::traffic
