// SPDX-License-Identifier: EPL-2.0
#include "tests/support/batch_checks.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::testing {
namespace {

template <class T>
std::vector<T> piece(std::vector<T> const& array, std::vector<std::size_t> const& start,
                     std::size_t k) {
  return {array.begin() + static_cast<std::ptrdiff_t>(start[k]),
          array.begin() + static_cast<std::ptrdiff_t>(start[k + 1])};
}

BatchCertificate const* certificateOf(BatchResults const& results, std::size_t k) {
  auto const found =
      std::ranges::lower_bound(results.certificates, k, {}, &BatchCertificate::problem);
  return found == results.certificates.end() || found->problem != k ? nullptr : &*found;
}

/// Within the tolerance; or multipliers times moved bounds are up to ten times that, and there is
/// no optimum exactly (docs/guide/proofs.md#the-rule).
bool optimumStands(LinearProgram const& lp, Solution const& s, double tolerance) {
  Residuals r = residualsOf(lp, s);
  if (r.largest() <= tolerance) return true;
  r.complementarity /= 10.0;
  if (!(r.largest() <= tolerance)) return false;
  Options exactly;
  exactly.engine = EngineChoice::host;
  exactly.exact = Toggle::on;
  Status const exact = Solver(lp).solve(exactly).status;
  return exact == Status::infeasible || exact == Status::unbounded;
}

}  // namespace

Solution pointOf(BatchResults const& results, std::size_t k) {
  Solution s;
  s.columnValues = piece(results.x, results.columnStart, k);
  s.rowDuals = piece(results.y, results.rowStart, k);
  return s;
}

void checkAnswer(LinearProgram const& lp, BatchResults const& results, std::size_t k) {
  Solution const s = pointOf(results, k);
  auto const columns = piece(results.columnStatus, results.columnStart, k);
  auto const rows = piece(results.rowStatus, results.rowStart, k);
  BatchStatus const status = results.status[k];
  if (status == BatchStatus::optimal || status == BatchStatus::unbounded) {
    auto const basic = std::count(columns.begin(), columns.end(), VariableStatus::basic) +
                       std::count(rows.begin(), rows.end(), VariableStatus::basic);
    BOOST_TEST(basic == lp.rows());
  }
  BatchCertificate const* const certificate = certificateOf(results, k);
  if (status == BatchStatus::optimal) {
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
    BOOST_TEST((results.proof[k] == ProofGrade::tolerance));
    BOOST_TEST(certificate == nullptr);
  } else if (status == BatchStatus::infeasible) {
    BOOST_REQUIRE(certificate != nullptr);
    BOOST_TEST(verifyFarkas(lp, certificate->farkas, certificate->farkasLow).proved);
    BOOST_TEST((results.proof[k] == ProofGrade::extended));
  } else if (status == BatchStatus::unbounded) {
    BOOST_REQUIRE(certificate != nullptr);
    // Its point is feasible within the options' tolerance, as that of the ordinary solver is.
    BOOST_TEST(verifyRay(lp, s.columnValues, certificate->ray, Options().primalTolerance,
                         certificate->rayLow)
                   .proved);
    BOOST_TEST((results.proof[k] == ProofGrade::extended));
  } else {
    BOOST_TEST((results.proof[k] == ProofGrade::none));
  }
}

bool stands(LinearProgram const& lp, BatchResults const& results, std::size_t k, double tolerance) {
  Solution const s = pointOf(results, k);
  BatchCertificate const* const certificate = certificateOf(results, k);
  switch (results.status[k]) {
    case BatchStatus::optimal:
      return optimumStands(lp, s, tolerance);
    case BatchStatus::infeasible:
      return certificate && verifyFarkas(lp, certificate->farkas, certificate->farkasLow).proved;
    case BatchStatus::unbounded:
      return certificate &&
             verifyRay(lp, s.columnValues, certificate->ray, tolerance, certificate->rayLow).proved;
    default:
      return true;
  }
}

void checkSameBits(BatchResults const& results, std::size_t k, BatchResults const& others,
                   std::size_t l) {
  BOOST_TEST((results.status[k] == others.status[l]));
  BOOST_TEST(results.iterations[k] == others.iterations[l]);
  BOOST_TEST((results.objective[k] == others.objective[l]));
  BOOST_TEST((results.residual[k] == others.residual[l]));
  BOOST_TEST((piece(results.x, results.columnStart, k) == piece(others.x, others.columnStart, l)));
  BOOST_TEST((piece(results.y, results.rowStart, k) == piece(others.y, others.rowStart, l)));
  BOOST_TEST((piece(results.columnStatus, results.columnStart, k) ==
              piece(others.columnStatus, others.columnStart, l)));
  BOOST_TEST((piece(results.rowStatus, results.rowStart, k) ==
              piece(others.rowStatus, others.rowStart, l)));
  BatchCertificate const *const a = certificateOf(results, k), *const b = certificateOf(others, l);
  BOOST_REQUIRE((a == nullptr) == (b == nullptr));
  if (a)
    BOOST_TEST((a->farkas == b->farkas && a->farkasLow == b->farkasLow && a->ray == b->ray &&
                a->rayLow == b->rayLow));
}

std::vector<LinearProgram> poisonedProblems() {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  LinearProgram plain;  // min x + y, x + y >= 1, x, y >= 0
  plain.matrix.rows = 1;
  plain.matrix.columns = 2;
  plain.matrix.starts = {0, 1, 2};
  plain.matrix.indices = {0, 0};
  plain.matrix.values = {1.0, 1.0};
  plain.objective = {1.0, 1.0};
  plain.columnLower = {0.0, 0.0};
  plain.columnUpper = {infinity, infinity};
  plain.rowLower = {1.0};
  plain.rowUpper = {infinity};
  std::vector<LinearProgram> problems(9, plain);
  problems[0].matrix.values[1] = nan;
  problems[1].objective[0] = infinity;
  problems[2].rowLower[0] = nan;
  problems[3].rowUpper[0] = 0.5;  // below the lower bound
  problems[4].objective[1] = -1.0;
  problems[5].columnUpper = {0.25, 0.25};
  problems[6] = {};
  LinearProgram& noRows = problems[7];
  noRows.matrix = {};
  noRows.matrix.columns = 2;
  noRows.matrix.starts = {0, 0, 0};
  noRows.rowLower.clear();
  noRows.rowUpper.clear();
  LinearProgram& noColumns = problems[8];
  noColumns.matrix = {};
  noColumns.matrix.rows = 1;
  noColumns.objective.clear();
  noColumns.columnLower.clear();
  noColumns.columnUpper.clear();
  return problems;
}

std::string poisonedStatus(std::size_t k) {
  static char const* const words[] = {"invalid",    "invalid", "invalid", "infeasible", "unbounded",
                                      "infeasible", "optimal", "optimal", "infeasible"};
  return words[k];
}

}  // namespace osi_cuda::testing
