// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <boost/test/unit_test.hpp>

#include "osi_cuda/errors.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

namespace osi_cuda::response {

/// Each call of the runtime that `work` makes, of which there are more than `least`, fails once,
/// but for the last `atTheEnd`, which end what is done: it is told, and nothing stays behind.
template <class Work>
void failEachCallOnce(Work const& work, long least, long atTheEnd) {
  emulated_runtime::reset();
  work();
  long const calls = emulated_runtime::calls();
  BOOST_TEST(calls > least);
  for (long number = 1; number + atTheEnd <= calls; ++number) {
    emulated_runtime::reset();
    emulated_runtime::failAt(number, emulated_runtime::Failure::once);
    BOOST_CHECK_THROW(work(), EngineUnavailable);
    BOOST_TEST(emulated_runtime::held().empty());
  }
}

}  // namespace osi_cuda::response
