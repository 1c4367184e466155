// SPDX-License-Identifier: EPL-2.0
// The device memory that an engine takes is no more than the one formula says, and a device that
// has less is refused before anything is taken.
#include "osi_cuda/memory.hpp"

#include <boost/test/unit_test.hpp>

#include "osi_cuda/errors.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

/// The shadow of exact weights comes on top, if there is room.
std::uint64_t shadowBytes(StandardForm const& form) {
  auto const m = static_cast<std::uint64_t>(form.rows()),
             n = static_cast<std::uint64_t>(form.columns());
  return sizeof(float) * m * (n + 3) + sizeof(double) * (8 * (n + 3 + 16) + n + 3);
}

/// Packets, handles and the like, that have nothing to do with the size of a problem.
constexpr std::uint64_t fixed = 200000;

std::uint64_t formula(StandardForm const& form) {
  ProblemSize size;
  size.rows = static_cast<std::uint64_t>(form.rows());
  size.columns = static_cast<std::uint64_t>(form.columns());
  size.nonzeros = static_cast<std::uint64_t>(form.matrix().nonzeros());
  size.blockSize = 16;
  size.sketchSize = 64;
  return bytesNeeded(size);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_of_a_device)

BOOST_AUTO_TEST_CASE(an_engine_takes_no_more_than_the_formula_says) {
  for (auto const& lp : {denseLp(5, 3, 1, false), denseLp(3, 60, 2, false),
                         denseLp(70, 4, 3, false), sparseLp(30, 50, 4, 1)}) {
    StandardForm const form = makeStandardForm(lp, true);
    emulated_runtime::reset();
    EngineOptions options;
    options.blockSize = 16;
    cuda::CudaEngine engine(options);
    everythingWith(engine, form);
    auto const lines = static_cast<std::uint64_t>(form.rows() + form.columns());
    std::uint64_t const packets = 16 * 60 * lines;  // to each block, of each line
    BOOST_TEST(emulated_runtime::mostAllocated() <=
               formula(form) + shadowBytes(form) + packets + fixed);
  }
}

BOOST_AUTO_TEST_CASE(a_problem_that_is_too_large_takes_nothing) {
  Forms const forms(false);
  LinearProgram const large = denseLp(120, 110, 1, false);
  StandardForm const form = makeStandardForm(large, true);
  emulated_runtime::reset();
  emulated_runtime::setMemory(800000);
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  everythingWith(engine, forms.first);
  BOOST_CHECK_EXCEPTION(engine.load(form), EngineUnavailable, [](EngineUnavailable const& e) {
    return std::string(e.what()).rfind("engine cuda: 120 x 110 needs ", 0) == 0;
  });
  // What was held was given back on the way; the engine goes on with what fits.
  everythingWith(engine, forms.first);
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_CASE(memory_is_kept_from_problem_to_problem) {
  Forms const forms(false);
  emulated_runtime::reset();
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  everythingWith(engine, forms.second);
  std::size_t const held = emulated_runtime::allocated();
  everythingWith(engine, forms.first);
  everythingWith(engine, forms.second);
  BOOST_TEST(emulated_runtime::allocated() == held);
}

BOOST_AUTO_TEST_SUITE_END()
