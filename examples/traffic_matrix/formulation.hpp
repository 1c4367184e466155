// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CoinPackedMatrix.hpp>
#include <string>
#include <vector>

#include "examples/traffic_matrix/linear_model.hpp"
#include "examples/traffic_matrix/objective.hpp"

namespace osi_cuda::examples::traffic {

/// The question: which X >= 0 with R X = L is nearest to E?
struct Question {
  CoinPackedMatrix const& routing;  ///< R, links x pairs
  std::vector<int> measured;        ///< the links whose load is known, ascending
  std::vector<double> loads;        ///< L, by link; only that of measured links counts
  std::vector<double> prior;        ///< E, by pair
  std::vector<double> units;        ///< w, by pair
  Objective objective;
};

/// Two LPs with the same answer.
enum class Formulation {
  errorRows,  ///< columns X_j and C_j >= cost of e_j, the cost's slopes as rows
  deviations  ///< columns p_j, n_j with X_j = E_j + w_j (p_j - n_j), the slopes as costs
};

/// "rows", "deviations", in the order of Formulation.
inline std::vector<std::string> const formulationNames{"rows", "deviations"};

struct FormulatedLp {
  LinearModel lp;
  std::vector<Expression> traffic;  ///< X_j in terms of the LP's columns
};

/// The rows R X = L of measured links, whatever columns X is made of. `slack`, by measured link, is
/// added to R X; empty: none.
void addLinkRows(LinearModel& lp, CoinPackedMatrix const& routing, std::vector<int> const& measured,
                 std::vector<double> const& loads, std::vector<Expression> const& X,
                 std::vector<Expression> const& slack = {});

FormulatedLp formulate(Question const& question, Formulation formulation);

}  // namespace osi_cuda::examples::traffic
