// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CoinPackedMatrix.hpp>
#include <OsiSolverInterface.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "examples/traffic_matrix/estimation.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// A generated network with everything known.
struct TrafficCase {
  TrafficCase(int nodes, unsigned seed, double sigma = 0.2) {
    examples::Random random(seed);
    network = examples::traffic::generateNetwork(nodes, random);
    examples::traffic::Pairs const pairs(nodes);
    routing = examples::traffic::routingMatrix(network);
    truth = examples::traffic::generateTruth(pairs, 100.0, 0.5, random);
    loads = examples::traffic::linkLoads(routing, truth);
    prior = examples::traffic::noisyMatrix(truth, sigma, random);
  }

  examples::traffic::Observation observation() const {
    std::vector<int> measured(loads.size());
    std::iota(measured.begin(), measured.end(), 0);
    return {routing, measured, loads, prior};
  }

  examples::traffic::Network network;
  CoinPackedMatrix routing;
  std::vector<double> truth, loads, prior;
};

/// Every objective, with parameters that make it differ from the others.
inline std::vector<examples::traffic::Objective> allObjectives() {
  using Kind = examples::traffic::Objective::Kind;
  std::vector<examples::traffic::Objective> all;
  for (double const q : {0.0, 0.5, 1.0}) {
    all.push_back({Kind::minimax, 1.0, 1.0, 0.0, q});
    all.push_back({Kind::sum, 1.0, 1.0, 0.0, q});
    all.push_back({Kind::asymmetric, 3.0, 1.0, 0.0, q});
    all.push_back({Kind::asymmetric, 0.4, 1.0, 0.0, q});
    all.push_back({Kind::piecewise, 1.0, 4.0, 0.15 * (q < 1.0 ? 50.0 : 1.0), q});
    all.push_back({Kind::asymmetricPiecewise, 2.0, 3.0, 0.1 * (q < 1.0 ? 50.0 : 1.0), q});
  }
  return all;
}

/// The problem that an OSI solver holds, for the bridges.
inline LinearProgram linearProgramOf(OsiSolverInterface const& solver) {
  LinearProgram lp;
  CoinPackedMatrix const& matrix = *solver.getMatrixByCol();
  int const rows = solver.getNumRows(), columns = solver.getNumCols();
  lp.matrix.rows = rows;
  lp.matrix.columns = columns;
  for (int j = 0; j < columns; ++j) {
    for (CoinBigIndex k = matrix.getVectorFirst(j); k < matrix.getVectorLast(j); ++k) {
      lp.matrix.indices.push_back(matrix.getIndices()[k]);
      lp.matrix.values.push_back(matrix.getElements()[k]);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  auto const copy = [&](double const* values, int count) {
    std::vector<double> result(values, values + count);
    for (double& value : result)
      if (std::abs(value) >= solver.getInfinity()) value = std::copysign(infinity, value);
    return result;
  };
  lp.objective = copy(solver.getObjCoefficients(), columns);
  lp.columnLower = copy(solver.getColLower(), columns);
  lp.columnUpper = copy(solver.getColUpper(), columns);
  lp.rowLower = copy(solver.getRowLower(), rows);
  lp.rowUpper = copy(solver.getRowUpper(), rows);
  return lp;
}

}  // namespace osi_cuda::testing
