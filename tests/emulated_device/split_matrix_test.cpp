// SPDX-License-Identifier: EPL-2.0
// A matrix whose products several devices share: the parts by themselves, and whole solves beside
// those of one device, also where a device is lost or has too little memory.
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"

#include <boost/test/unit_test.hpp>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;
using emulated_runtime::Failure;

namespace {

/// Of the order of a normal matrix: its diagonal gets so much more, to be positive definite.
constexpr double shift = 10.0;
/// Columns of a panel.
constexpr int width = 32;

/// Lower triangle, by columns, of the matrix whose factor is the lower triangle of `all`.
std::vector<double> factored(std::vector<double> const& all, int order) {
  auto const at = [&](int i, int j) {
    return all[static_cast<std::size_t>(j * normalStride(order) + i)];
  };
  std::vector<double> lower;
  for (int j = 0; j < order; ++j)
    for (int i = j; i < order; ++i) {
      double sum = 0.0;
      for (int k = 0; k <= j; ++k) sum += at(i, k) * at(j, k);
      lower.push_back(sum);
    }
  return lower;
}

/// What one or several shares make of a matrix: the lower triangles of both normal matrices (where
/// all factor it: of what that is the factor), and products with vectors.
struct Products {
  std::vector<double> exact, rough, plain, transposed;

  Products(std::vector<int> const& devices, int m, int n, bool byColumns) {
    emulated_runtime::reset();
    {
      auto const rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
      int const order = byColumns ? n : m;
      std::size_t const cells = rows * columns,
                        normal = static_cast<std::size_t>(order) *
                                 static_cast<std::size_t>(normalStride(order));
      std::vector<double> a(cells), root(std::max(rows, columns)), x(root.size(), 1.0);
      for (std::size_t k = 0; k < cells; ++k) a[k] = std::sin(1.0 + static_cast<double>(k));
      for (std::size_t k = 0; k < root.size(); ++k) {
        root[k] = 1.0 + static_cast<double>(k % 7);
        x[k] = std::cos(static_cast<double>(k));
      }
      cuda::SplitMatrix split(devices, width);
      cuda::DeviceArray<double> aThere(cells), scratch(cells + 4096), normalThere(normal),
          rootThere(root.size()), xThere(root.size()), out(root.size());
      cudaStream_t const stream = split.stream();
      cuda::upload(stream, aThere.data(), a.data(), cells);
      cuda::upload(stream, rootThere.data(), root.data(), root.size());
      cuda::upload(stream, xThere.data(), x.data(), x.size());
      split.load(m, n, byColumns, aThere.data(), scratch.data(), normalThere.data());
      auto const fetched = [&](double const* from, std::size_t count) {
        std::vector<double> numbers(count);
        cuda::download(stream, numbers.data(), from, count);
        return numbers;
      };
      int const blocks = (order + width - 1) / width;
      cuda::DeviceArray<int> info(static_cast<std::size_t>(blocks));
      auto const formed = [&](bool inBytes) {
        split.form(rootThere.data(), inBytes);
        std::vector<double> all = fetched(normalThere.data(), normal);
        for (int k = 0; k < order; ++k)
          all[static_cast<std::size_t>(k * normalStride(order) + k)] += shift;
        cuda::upload(stream, normalThere.data(), all.data(), normal);
        split.sum(1.0);
        if (split.factors(split.sharesOf(byColumns ? m : n), order)) {
          split.factor(info.data());
          std::vector<int> codes(static_cast<std::size_t>(blocks), -1);
          cuda::download(stream, codes.data(), info.data(), codes.size());
          for (int const code : codes) BOOST_TEST(code == 0);
          return factored(fetched(normalThere.data(), normal), order);
        }
        all = fetched(normalThere.data(), normal);
        std::vector<double> lower;
        for (int j = 0; j < order; ++j)
          for (int i = j; i < order; ++i)
            lower.push_back(all[static_cast<std::size_t>(j * normalStride(order) + i)]);
        return lower;
      };
      exact = formed(false);
      if (split.fitsBytes(m, n, byColumns)) rough = formed(true);
      split.multiply(false, xThere.data(), out.data());
      plain = fetched(out.data(), rows);
      split.multiply(true, xThere.data(), out.data());
      transposed = fetched(out.data(), columns);
    }
    BOOST_TEST(emulated_runtime::held().empty());
    for (std::string const& fault : emulated_runtime::faults()) BOOST_TEST(false, fault);
  }
  bool operator==(Products const&) const = default;
};

void checkNear(std::vector<double> const& a, std::vector<double> const& b, double tolerance) {
  BOOST_TEST_REQUIRE(a.size() == b.size());
  double size = 0.0, most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::fabs(b[k]));
    most = std::max(most, std::fabs(a[k] - b[k]));
  }
  BOOST_TEST(most <= tolerance * size);
}

Solver solverOnDevices() {
  EngineMakers makers;
  makers.device = [](EngineOptions const& wanted) {
    return std::make_unique<cuda::CudaEngine>(wanted);
  };
  makers.deviceBarrier = [](BarrierOptions wanted) {
    wanted.panelWidth = width;
    return cuda::makeDeviceBarrier(wanted);
  };
  return solverWith(makers);
}

Options barrierOn(std::string const& devices) {
  Options options;
  options.engine = EngineChoice::cuda;
  options.algorithm = AlgorithmChoice::barrier;
  options.exact = Toggle::off;
  BOOST_TEST(setOption(options, "devices", devices) == "");
  return options;
}

struct Solved {
  Solution solution;
  std::vector<std::string> notices;

  Solved(LinearProgram const& lp, Options const& options) {
    Solver solver = solverOnDevices();
    solver.load(lp);
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& sentence) { notices.push_back(sentence); };
    solution = solver.solve(options, callbacks);
    BOOST_TEST(toString(solution.status) == "optimal");
  }
  bool told(std::string const& part) const {
    return std::ranges::any_of(
        notices, [&](auto const& text) { return text.find(part) != std::string::npos; });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(split_matrix)

// Blocks by rows and by columns, of lengths that are no multiples of anything, of up to five shares
// (one has no lines), on one device and on two.
BOOST_AUTO_TEST_CASE(shares_make_what_one_device_makes) {
  for (auto const& [m, n] : {std::pair(77, 41), std::pair(41, 77), std::pair(600, 33)})
    for (bool const byColumns : {true, false}) {
      Products const alone({0}, m, n, byColumns);
      for (std::vector<int> const& devices :
           {std::vector{0, 0}, {0, 1}, {1, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1, 1}}) {
        Products const shared(devices, m, n, byColumns);
        checkNear(shared.exact, alone.exact, 1e-13);
        checkNear(shared.plain, alone.plain, 1e-13);
        checkNear(shared.transposed, alone.transposed, 1e-13);
        if (!shared.rough.empty()) checkNear(shared.rough, alone.exact, 1e-4);
        BOOST_TEST((Products(devices, m, n, byColumns) == shared));
      }
    }
}

// A card with little double precision: its products are made of bytes, which the library does, and
// its one device factors panel by panel, so that the factor is made of such products as well.
BOOST_AUTO_TEST_CASE(a_card_with_little_double_precision_factors_by_products) {
  Machine const before = machine();
  auto const as = [](char const* card) {
    Machine record = referenceMachine();
    record.device = builtInDevice(card).value();
    useMachine(record);
  };
  auto const factors = [](int order) {
    cuda::SplitMatrix const split({0}, 0);
    return std::pair{split.factors(1, order), split.widthOf(1, order)};
  };
  LinearProgram const lp = denseLp(200, 100, 5, false);
  as("H200");
  emulated_runtime::reset();
  Products const whole({0}, 77, 41, true);
  BOOST_TEST((factors(4000) == std::pair{false, 4000}));
  BOOST_TEST((factors(30000) == std::pair{false, 512}));
  Solved const usual(lp, barrierOn("0"));
  BOOST_TEST(emulated_runtime::sliced() == 0);
  as("RTX 4090");
  BOOST_TEST((factors(4000) == std::pair{true, 512}));
  BOOST_TEST((factors(500) == std::pair{false, 500}));
  Products const panels({0}, 77, 41, true);
  checkNear(panels.exact, whole.exact, 1e-13);
  Solved const little(lp, barrierOn("0"));
  BOOST_TEST(emulated_runtime::sliced() > 0);
  BOOST_TEST((little.solution.basis == usual.solution.basis));
  BOOST_TEST(emulated_runtime::held().empty());
  for (std::string const& fault : emulated_runtime::faults()) BOOST_TEST(false, fault);
  useMachine(before);
}

BOOST_AUTO_TEST_CASE(solves_end_at_the_vertex_of_one_device) {
  for (auto const& [m, n] : {std::pair(200, 100), std::pair(60, 120)}) {
    LinearProgram const lp = denseLp(m, n, 5, false);
    emulated_runtime::reset();
    Solved const alone(lp, barrierOn("0"));
    for (char const* const devices : {"0,0", "0,1", "1,0,0", "0,1,0,1"}) {
      emulated_runtime::reset();
      Solved const shared(lp, barrierOn(devices)), again(lp, barrierOn(devices));
      BOOST_TEST((shared.solution.basis == alone.solution.basis), devices);
      BOOST_TEST(std::fabs(shared.solution.objective - alone.solution.objective) <=
                 1e-12 * std::fabs(alone.solution.objective));
      BOOST_TEST(shared.told(" x emulated"));
      BOOST_TEST((again.solution.columnValues == shared.solution.columnValues));
      BOOST_TEST(again.solution.iterations == shared.solution.iterations);
      BOOST_TEST(emulated_runtime::held().empty());
      for (std::string const& fault : emulated_runtime::faults()) BOOST_TEST(false, fault);
    }
  }
}

// A sparse matrix is not split, and pivots need one device only.
BOOST_AUTO_TEST_CASE(one_device_serves_what_is_not_split) {
  LinearProgram const lp = sparseLp(16, 40, 3, 3);
  emulated_runtime::reset();
  Solved const alone(lp, barrierOn("0")), shared(lp, barrierOn("0,1"));
  BOOST_TEST((shared.solution.columnValues == alone.solution.columnValues));
  Options options = barrierOn("1,0");
  options.algorithm = AlgorithmChoice::dual;
  Solved const pivots(lp, options);
  BOOST_TEST(std::fabs(pivots.solution.objective - alone.solution.objective) <= 1e-9);
}

// Whichever device it is and whatever it does: the other one answers, or the only one that was
// named twice gives way to the host.
BOOST_AUTO_TEST_CASE(others_answer_where_a_device_is_lost) {
  LinearProgram const lp = denseLp(40, 24, 5, false);
  emulated_runtime::reset();
  Solved const undisturbed(lp, barrierOn("0,1"));
  long const calls = emulated_runtime::calls();
  int onFirst = 0, onSecond = 0, onHost = 0;
  for (long number = calls / 10; number < calls; number += calls / 20) {
    for (char const* const devices : {"0,1", "0,0"}) {
      emulated_runtime::reset();
      emulated_runtime::failAt(number, Failure::one);
      Solved const s(lp, barrierOn(devices));
      onFirst += s.told("device lost; continuing with --devices 0") ? 1 : 0;
      onSecond += s.told("device lost; continuing with --devices 1") ? 1 : 0;
      bool const host = s.told("; continuing with engine host");  // cuSOLVER has its own words
      onHost += host ? 1 : 0;
      BOOST_TEST((s.solution.engine == (host ? SolveEngine::host : SolveEngine::cuda)));
      BOOST_TEST(s.solution.deviceLost == host);
      BOOST_TEST(std::fabs(s.solution.objective - undisturbed.solution.objective) <=
                 1e-9 * std::fabs(undisturbed.solution.objective));
      BOOST_TEST(emulated_runtime::held().empty());
    }
  }
  BOOST_TEST(onFirst > 2);
  BOOST_TEST(onSecond > 2);
  BOOST_TEST(onHost > 2);
}

// A refactorisation after the interior point method, of a basis that exchanges refuse as two
// columns are nearly equal: the only one to use the second device there.
BOOST_AUTO_TEST_CASE(others_answer_where_a_device_is_lost_in_a_refactorisation) {
  LinearProgram lp = denseLp(150, 145, 5, false);
  for (std::size_t i = 0, last = 144 * 150; i < 150; ++i)
    lp.matrix.values[last + i] = lp.matrix.values[i] + 1e-7 * lp.matrix.values[last + i];
  Options options = barrierOn("0,1"), pivots = options;
  options.iterationLimit = 1;
  pivots.algorithm = AlgorithmChoice::primal;
  pivots.iterationLimit = 1;
  Basis basis;
  basis.columns.assign(145, VariableStatus::basic);
  basis.rows.assign(145, VariableStatus::atLower);
  basis.rows.resize(150, VariableStatus::basic);
  long calls = 0;
  auto const notices = [&](long failing) {
    emulated_runtime::reset();
    std::string all;
    {
      Solver solver = solverOnDevices();
      solver.load(lp);
      solver.solve(options);
      solver.setBasis(basis);
      long const before = emulated_runtime::calls();
      if (failing > 0) emulated_runtime::failAt(before + failing, Failure::one);
      Callbacks callbacks;
      callbacks.notice = [&](std::string const& sentence) { all += sentence + "\n"; };
      BOOST_TEST((solver.solve(pivots, callbacks).engine == SolveEngine::cuda));
      calls = emulated_runtime::calls() - before;
    }
    BOOST_TEST(emulated_runtime::held().empty());
    for (std::string const& fault : emulated_runtime::faults()) BOOST_TEST(false, fault);
    return all;
  };
  BOOST_TEST(notices(0) == "");
  int onFirst = 0, onSecond = 0;
  for (long failing = 1, last = calls; failing < last; failing += 5) {
    std::string const told = notices(failing);
    onFirst += told.find("device lost; continuing with --devices 0\n") != std::string::npos ? 1 : 0;
    onSecond +=
        told.find("device lost; continuing with --devices 1\n") != std::string::npos ? 1 : 0;
  }
  BOOST_TEST(onFirst > 1);
  BOOST_TEST(onSecond > 5);
}

// Memory is that of both devices together here: there is enough for one, and for no share besides.
BOOST_AUTO_TEST_CASE(a_share_without_room_is_left_to_the_first_device) {
  LinearProgram const lp = denseLp(300, 150, 1, false);
  emulated_runtime::reset();
  Solved const alone(lp, barrierOn("0"));
  std::size_t const most = emulated_runtime::mostAllocated();
  emulated_runtime::reset();
  emulated_runtime::setMemory(most + 10000);
  Solved const shared(lp, barrierOn("0,1"));
  BOOST_TEST(shared.told("of the memory of device 1"));
  BOOST_TEST(shared.told("continuing with --devices 0"));
  BOOST_TEST((shared.solution.columnValues == alone.solution.columnValues));
  BOOST_TEST(!shared.solution.deviceLost);
}

BOOST_AUTO_TEST_SUITE_END()
