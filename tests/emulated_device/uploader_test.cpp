// SPDX-License-Identifier: EPL-2.0
// What is sent to the device arrives whole, however much it is and whatever is on its way before
// it: the page-locked memory that it passes through grows with what is sent.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "osi_cuda/engine/cuda/owners.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(uploader)

BOOST_AUTO_TEST_CASE(all_sizes_arrive_one_after_the_other) {
  constexpr std::size_t piece = (std::size_t{1} << 21) / sizeof(double);
  std::vector<std::size_t> const counts{1,         piece,          3 * piece + 5, 7,
                                        2 * piece, 20 * piece + 3, 4 * piece,     1};
  emulated_runtime::reset();
  {
    std::vector<cuda::DeviceArray<double>> there;
    cuda::Stream const stream = cuda::makeStream();
    cuda::Uploader uploader;
    for (std::size_t const count : counts) {
      there.emplace_back(count);
      std::vector<double> here(count);
      for (std::size_t k = 0; k < count; ++k) here[k] = static_cast<double>(k % 1000 + count);
      uploader.upload(stream, there.back().data(), here.data(), count);
      std::fill(here.begin(), here.end(), -1.0);  // the host side is safe to reuse
    }
    cuda::check(cudaStreamSynchronize(stream));
    for (std::size_t u = 0; u < counts.size(); ++u) {
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < counts[u]; ++k)
        wrong += there[u].data()[k] != static_cast<double>(k % 1000 + counts[u]);
      BOOST_TEST(wrong == 0, "upload " << u);
    }
  }
  BOOST_TEST(emulated_runtime::held().empty());
  BOOST_TEST(emulated_runtime::faults().empty());
}

// A re-solve sends some twenty small arrays: none waits for those before it.
BOOST_AUTO_TEST_CASE(small_uploads_wait_for_none) {
  emulated_runtime::reset();
  cuda::Stream const stream = cuda::makeStream();
  cuda::Uploader uploader;
  std::vector<double> const here(1000, 2.0);
  cuda::DeviceArray<double> there(40 * here.size());
  for (std::size_t k = 0; k < 40; ++k)
    uploader.upload(stream, there.data() + k * here.size(), here.data(), here.size());
  BOOST_TEST(emulated_runtime::waits() == 0);
  cuda::check(cudaStreamSynchronize(stream));
  BOOST_TEST(std::count(there.data(), there.data() + there.size(), 2.0) == 40000);
}

BOOST_AUTO_TEST_SUITE_END()
