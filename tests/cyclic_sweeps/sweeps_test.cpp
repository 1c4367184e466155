// SPDX-License-Identifier: EPL-2.0
// Cyclic sweeps on the host against dense solves; Maxwell's splitting: order, energy, steps back;
// the program.
#include <lapacke.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "examples/cyclic_sweeps/maxwell.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::cyclic_sweeps {
namespace {

std::vector<double> randomField(std::size_t cells, std::uint64_t seed) {
  examples::Random random(seed);
  std::vector<double> field(cells);
  for (double& value : field) value = 2.0 * random.uniform() - 1.0;
  return field;
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

/// All lines of a direction by dense solves.
void solveDensely(Lines const& l, std::vector<double>& field) {
  int const n = l.length;
  for (int s = 0; s < l.count; ++s) {
    std::vector<double> a(std::size_t(n) * n, 0.0), d(n);
    std::vector<int> pivots(n);
    for (int k = 0; k < n; ++k) {
      a[std::size_t(k) * n + (k + n - 1) % n] += l.m.a;
      a[std::size_t(k) * n + k] += l.m.b;
      a[std::size_t(k) * n + (k + 1) % n] += l.m.c;
      d[k] = field[s * l.across + k * l.along];
    }
    BOOST_REQUIRE(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a.data(), n, pivots.data(), d.data(), 1) ==
                  0);
    for (int k = 0; k < n; ++k) field[s * l.across + k * l.along] = d[k];
  }
}

BOOST_AUTO_TEST_CASE(sweepsSolveTheSystems) {
  for (auto const& [rows, columns] : {std::pair{3, 3}, {3, 40}, {17, 5}, {37, 50}})
    for (auto const& matrix :
         {CyclicMatrix{-1.0, 3.0, -1.0}, {-30.0, 61.0, -30.0}, {0.5, 4.0, -2.0}, {0.0, 2.0, 1.0}}) {
      Grid const grid{rows, columns, matrix, {-0.2, -1.4, 0.3}};
      std::vector<double> const start = randomField(grid.cells(), 5);
      std::vector<double> dense = start;
      solveDensely(rowLines(grid), dense);
      solveDensely(columnLines(grid), dense);
      for (int const threads : {1, 2}) {
        std::vector<double> field = start;
        sweepOnHost(grid, field, 1, threads);
        BOOST_TEST(difference(field, dense) < 1e-13);
      }
    }
}

/// The factors that the fused form goes by: the product of both circles is the matrix.
BOOST_AUTO_TEST_CASE(factorsMultiplyToTheMatrix) {
  for (auto const& m : {CyclicMatrix{-1.0, 3.0, -1.0}, {0.5, 4.0, -2.0}, {-3.0, -7.0, 2.0}}) {
    Factors const f = factorsOf(m);
    double const p = 1.0 / f.scale;  // (1 - forward S) p (1 - backward S'), S the shift
    BOOST_TEST(-f.forward * p == m.a, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(-f.backward * p == m.c, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(p * (1.0 + f.forward * f.backward) == m.b, boost::test_tools::tolerance(1e-14));
    double const slowest = std::max(std::abs(f.forward), std::abs(f.backward));
    BOOST_TEST(std::pow(slowest, f.reach()) < 0x1p-53 * (1.0 - slowest));
  }
}

/// The largest error of any component at time 3/4, of a wave of one and two periods.
double waveError(int rows, int columns, double cellsOfStep) {
  double const width = 1.0 / columns;
  int const steps = int(std::ceil(0.75 / (cellsOfStep * width)));
  MaxwellField field = planeWave(rows, columns, width, 1, 2, 0.0);
  splitMaxwell(field, 0.75 / steps, steps, 2);
  MaxwellField const right = planeWave(rows, columns, width, 1, 2, 0.75);
  return std::max({difference(field.ex, right.ex), difference(field.ey, right.ey),
                   difference(field.hz, right.hz)});
}

BOOST_AUTO_TEST_CASE(wavesTravelWithSecondOrder) {
  for (double const cellsOfStep : {0.5, 3.0}) {  // below and beyond the explicit scheme's limit
    double before = waveError(48, 32, cellsOfStep);
    for (int const finer : {2, 4}) {
      double const now = waveError(48 * finer, 32 * finer, cellsOfStep);
      double const order = std::log2(before / now);
      if (finer == 4 || cellsOfStep < 1.0) {
        BOOST_TEST(order > 1.9);
        BOOST_TEST(order < 2.1);
      }
      before = now;
    }
    BOOST_TEST(before < (cellsOfStep < 1.0 ? 0.03 : 0.3));
  }
}

BOOST_AUTO_TEST_CASE(theEnergyStays) {
  MaxwellField field{23, 30, 0.1, {}, {}, {}};
  field.ex = randomField(field.cells(), 4);
  field.ey = randomField(field.cells(), 5);
  field.hz = randomField(field.cells(), 6);
  for (double const step : {0.02, 0.3, 5.0}) {  // up to fifty cells
    double const before = splitEnergy(field, step);
    splitMaxwell(field, step, 200, 2);
    BOOST_TEST(splitEnergy(field, step) == before, boost::test_tools::tolerance(1e-10));
  }
}

/// The factors of a step with the time reversed are the inverse ones, in the inverse order.
BOOST_AUTO_TEST_CASE(stepsBackUndoSteps) {
  MaxwellField const start = planeWave(12, 9, 0.2, 2, 1, 0.3);
  MaxwellField field = start;
  splitMaxwell(field, 0.25, 3, 1);
  BOOST_TEST(difference(field.hz, start.hz) > 0.1);
  splitMaxwell(field, -0.25, 3, 2);
  for (auto const part : {&MaxwellField::ex, &MaxwellField::ey, &MaxwellField::hz})
    BOOST_TEST(difference(field.*part, start.*part) < 1e-13);
}

testing::ProgramResult run(std::vector<std::string> words) {
  std::string const ours = testing::osiCudaProgram();
  words.insert(words.begin(), ours.substr(0, ours.rfind('/')) + "/cyclic_sweeps");
  testing::Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

BOOST_AUTO_TEST_CASE(theProgramOnTheHost) {
  testing::TemporaryFolder const folder;
  std::string const csv = folder.file("sweeps.csv"), svg = folder.file("sweeps.svg");
  auto const measured = run({"measure", "--device", "host", "--sizes", "30x40,40x50", "--repeats",
                             "1", "--results", csv, "--svg", svg});
  BOOST_TEST(measured.status == 0);
  BOOST_TEST(measured.output.find("40 x 50") != std::string::npos);
  BOOST_TEST(testing::readWholeFile(svg).find("host, 1 core") != std::string::npos);
  BOOST_TEST(run({"report", csv}).output.find("| host, 1 core |") != std::string::npos);
  std::string const wave = folder.file("wave.svg");
  auto const waves = run({"wave", "--device", "host", "--cells", "64", "--svg", wave});
  BOOST_TEST(waves.status == 0);
  BOOST_TEST(waves.output.find("64 x 64, 10 steps") != std::string::npos);
  BOOST_TEST(testing::readWholeFile(wave).find("hz after") != std::string::npos);
  BOOST_TEST(run({"measure", "--sizes", "2x5"}).status == 64);
  BOOST_TEST(
      run({"measure", "--device", "host", "--sizes", "5x5", "--svg", "/nowhere/a.svg"}).status ==
      73);
}

}  // namespace
}  // namespace osi_cuda::cyclic_sweeps
