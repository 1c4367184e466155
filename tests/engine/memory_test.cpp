// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/memory.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "osi_cuda/solve/solver.hpp"

using namespace osi_cuda;

namespace {

/// Without entries, so that nothing but a tableau would be large.
LinearProgram emptyProblem(int rows, int columns) {
  LinearProgram lp;
  lp.matrix.rows = rows;
  lp.matrix.columns = columns;
  lp.matrix.starts.assign(static_cast<std::size_t>(columns) + 1, 0);
  lp.objective.assign(static_cast<std::size_t>(columns), 1.0);
  lp.columnLower.assign(static_cast<std::size_t>(columns), 0.0);
  lp.columnUpper.assign(static_cast<std::size_t>(columns), 1.0);
  lp.rowLower.assign(static_cast<std::size_t>(rows), 0.0);
  lp.rowUpper.assign(static_cast<std::size_t>(rows), 1.0);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(sizes_are_powers_of_a_thousand) {
  BOOST_TEST(byteCount(0) == "0 B");
  BOOST_TEST(byteCount(999) == "999 B");
  BOOST_TEST(byteCount(1000) == "1.0 kB");
  BOOST_TEST(byteCount(999'949) == "999.9 kB");
  BOOST_TEST(byteCount(999'999) == "1.0 MB");
  BOOST_TEST(byteCount(std::numeric_limits<std::uint64_t>::max()) == "18446.7 PB");
  BOOST_TEST(availableMemory().value_or(1) > 0u);
}

BOOST_AUTO_TEST_CASE(needs_grow_with_the_tableau_and_the_largest_basis) {
  BOOST_TEST(bytesNeeded({}) == 13'016u);
  // 8 m n of the tableau, 8 p^2 of the LU, and a dense block that stays small.
  std::uint64_t const million = 1'000'000;
  std::uint64_t const needed = bytesNeeded({2 * million, million, 0, 128, 64});
  BOOST_TEST(needed > 24 * million * million);
  BOOST_TEST(needed < 25 * million * million);
  BOOST_TEST(factorBytes(million, 2 * million) == 8 * (million * million + densestBlock));
  BOOST_TEST(factorBytes(100, 50) == 8u * (2500 + 2500));
  BOOST_TEST(factorBytes(100, 30) == 8u * (900 + 30 * 70));
  BOOST_TEST(factorBytes(40, 100) == 8u * (1600 + 20 * 20));
  // Every part counts.
  ProblemSize const size{1000, 500, 30000, 64, 64};
  for (auto const part : {&ProblemSize::rows, &ProblemSize::columns, &ProblemSize::nonzeros,
                          &ProblemSize::blockSize, &ProblemSize::sketchSize}) {
    ProblemSize larger = size;
    ++(larger.*part);
    BOOST_TEST(bytesNeeded(larger) > bytesNeeded(size));
  }
}

BOOST_AUTO_TEST_CASE(the_host_says_how_much_it_would_need) {
  Solver solver(emptyProblem(2'000'000, 1'000'000));
  Options options;
  options.engine = EngineChoice::host;
  options.representation = Representation::tableau;
  auto const isClear = [](NotEnoughMemory const& e) {
    std::string const text = e.what();
    return text.rfind("2000000 x 1000000 needs 24.", 0) == 0 &&
           text.find(" TB of memory, ") != std::string::npos &&
           text.find(" are available") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(solver.solve(options), NotEnoughMemory, isClear);
  BOOST_CHECK_THROW(solver.solve(options), std::bad_alloc);  // as documented
  solver.load(emptyProblem(20, 10));
  BOOST_TEST((solver.solve(options).status == Status::optimal));
}

BOOST_AUTO_TEST_SUITE_END()
