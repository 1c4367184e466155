// SPDX-License-Identifier: EPL-2.0
// What becomes of LAPACK's complaints. Calls of LAPACKE_dgetrf come here while one is wanted, and
// go on to the library before it.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <new>
#include <stdexcept>
#include <vector>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/engine/host/basis_factor.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/model/scaling.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;

namespace {

/// What the call says that comes after so many others.
int wantedCode = 0;
int callsBefore = 0;

// Codes of lapacke.h.
constexpr int noWorkMemory = -1010, noTransposeMemory = -1011;

int complain(int layout, int rows, int columns, double* a, int stride, int* pivots) {
  if (callsBefore-- == 0) return wantedCode;
  return LAPACKE_dgetrf(layout, rows, columns, a, stride, pivots);
}

struct Complaint {
  Complaint(int code, int calls) : before(blas::dgetrf.replace(&complain)) {
    wantedCode = code;
    callsBefore = calls;
  }
  ~Complaint() { blas::dgetrf.replace(before); }
  decltype(blas::dgetrf)::Pointer before;
};

std::vector<char> structuralBasis(LinearProgram const& lp) {
  std::vector<char> basic(static_cast<std::size_t>(lp.rows() + lp.columns()), 0);
  for (int i = 0; i < lp.rows(); ++i) basic[static_cast<std::size_t>(i)] = 1;
  return basic;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lapack)

BOOST_AUTO_TEST_CASE(an_allocation_that_fails_in_lapack_is_bad_alloc) {
  LinearProgram const lp = testing::denseLp(150, 200, 1, true);  // of two panels
  StandardForm const form = makeStandardForm(lp, true);
  for (int const code : {noWorkMemory, noTransposeMemory})
    for (int const calls : {0, 1}) {
      std::vector<char> basic = structuralBasis(lp);
      Complaint const complaint(code, calls);
      BOOST_CHECK_THROW(host::BasisFactor(form, basic, {}), std::bad_alloc);
    }
  std::vector<char> basic = structuralBasis(lp);
  Complaint const complaint(-6, 0);  // an argument that is wrong
  BOOST_CHECK_THROW(host::BasisFactor(form, basic, {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_solver_says_so_and_goes_on_afterwards) {
  EngineMakers makers;
  makers.precise = {};  // it would confirm the basis without LAPACK
  Solver solver = solverWith(makers);
  solver.load(testing::denseLp(60, 80, 1, true));
  Options options;
  options.engine = EngineChoice::host;
  Solution const reference = solver.solve(options);
  BOOST_REQUIRE((reference.status == Status::optimal));
  solver.load(testing::denseLp(60, 80, 1, true));
  solver.setBasis(reference.basis);
  {
    Complaint const complaint(noTransposeMemory, 0);
    BOOST_CHECK_THROW(solver.solve(options), std::bad_alloc);
  }
  BOOST_TEST((solver.basis() == reference.basis));
  Solution const again = solver.solve(options);
  BOOST_TEST((again.status == Status::optimal));
  BOOST_TEST(again.iterations == 0);
}

// Entries whose products are no numbers any more: their columns leave the basis, whatever LAPACK
// makes of a NaN.
BOOST_AUTO_TEST_CASE(numbers_that_overflow_leave_the_basis) {
  LinearProgram lp = testing::denseLp(150, 200, 1, true);
  lp.matrix.values[3] = 1e300;
  lp.matrix.values[150 + 7] = -1e300;
  lp.matrix.values[140 * 150 + 20] = 1e300;
  lp.matrix.values[141 * 150 + 3] = 1e300;
  lp.matrix.values[141 * 150 + 7] = 1e300;
  StandardForm const form = makeStandardForm(lp, false);
  std::vector<char> basic = structuralBasis(lp);
  host::BasisFactor const factor(form, basic, {});
  BOOST_TEST(std::count(basic.begin(), basic.end(), 1) == 150);
  BOOST_TEST(factor.dropped().size() == factor.added().size());
  {
    basic = structuralBasis(lp);
    Complaint const complaint(-4, 1);  // LAPACKE's word for a NaN, in the second panel
    host::BasisFactor const repaired(form, basic, {});
    BOOST_TEST(repaired.dropped().size() >= 22u);  // the columns of that panel
    BOOST_TEST(repaired.size() + repaired.dropped().size() == 150u);
    BOOST_TEST(std::count(basic.begin(), basic.end(), 1) == 150);
  }
}

BOOST_AUTO_TEST_SUITE_END()
