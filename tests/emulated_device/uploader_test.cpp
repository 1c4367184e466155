// SPDX-License-Identifier: EPL-2.0
// What is sent to the device arrives whole, however much it is and whatever is on its way before
// it: the page-locked memory that it passes through grows with what is sent.
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstring>
#include <future>
#include <new>
#include <random>
#include <thread>

#include "osi_cuda/base/thread_pool.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;

namespace {

/// Sends some arrays of random lengths to a device by several threads; how many doubles are wrong
/// there.
std::size_t wrongDoubles(int device, unsigned seed) {
  cuda::check(cudaSetDevice(device));
  std::mt19937 random(seed);
  cuda::Stream const stream = cuda::makeStream();
  cuda::Uploader uploader;
  std::vector<cuda::DeviceArray<double>> there;
  auto const value = [&](std::size_t array, std::size_t k) {
    return static_cast<double>(1000 * seed + array) + 1e-9 * static_cast<double>(k);
  };
  for (std::size_t array = 0; array < 5; ++array) {
    std::size_t const count = (std::size_t{1} << 19) + random() % (std::size_t{1} << 21);
    there.emplace_back(count);
    auto const fill = [&](char* piece, std::size_t begin, std::size_t length) {
      for (std::size_t at = 0; at < length; at += sizeof(double)) {
        double const number = value(array, (begin + at) / sizeof(double));
        std::memcpy(piece + at, &number, sizeof(double));
      }
    };
    uploader.send(stream, reinterpret_cast<char*>(there.back().data()), count * sizeof(double),
                  fill, 8);
  }
  cuda::check(cudaStreamSynchronize(stream));
  std::size_t wrong = 0;
  for (std::size_t array = 0; array < there.size(); ++array)
    for (std::size_t k = 0; k < there[array].size(); ++k)
      wrong += there[array].data()[k] != value(array, k);
  return wrong;
}

}  // namespace

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

BOOST_AUTO_TEST_CASE(several_send_at_a_time) {
  emulated_runtime::reset();
  std::vector<std::future<std::size_t>> senders;
  for (unsigned sender = 0; sender < 4; ++sender)
    senders.push_back(std::async(std::launch::async, wrongDoubles, sender % 2, sender));
  for (std::future<std::size_t>& sender : senders) BOOST_TEST(sender.get() == 0);
  BOOST_TEST(emulated_runtime::held().empty());
  BOOST_TEST(emulated_runtime::faults().empty());
}

// The threads that would share the work have no core, as it were, until the send has returned.
BOOST_AUTO_TEST_CASE(a_send_waits_for_no_delayed_thread) {
  emulated_runtime::reset();
  std::atomic<int> held = 0;
  std::promise<void> gate;
  std::shared_future<void> const open(gate.get_future());
  auto const others = std::async(std::launch::async, [&] {
    runPieces(1000, 1000, [&](std::size_t, int) {
      ++held;
      open.wait();
    });
  });
  while (held < 2) std::this_thread::yield();
  auto sent = std::async(std::launch::async, wrongDoubles, 0, 1u);
  bool const came = sent.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  gate.set_value();
  BOOST_TEST(came);
  BOOST_TEST(sent.get() == 0);
}

// Of any thread.
BOOST_AUTO_TEST_CASE(what_fails_in_a_piece_is_thrown) {
  emulated_runtime::reset();
  cuda::Stream const stream = cuda::makeStream();
  cuda::Uploader uploader;
  std::size_t const bytes = std::size_t{32} << 20;
  cuda::DeviceArray<char> const there(bytes);
  for (std::size_t const bad : {std::size_t{0}, bytes / 2}) {
    auto const fill = [bad](char*, std::size_t begin, std::size_t) {
      if (begin == bad) throw std::bad_alloc();
    };
    BOOST_CHECK_THROW(uploader.send(stream, there.data(), bytes, fill, 8), std::bad_alloc);
  }
  BOOST_TEST(wrongDoubles(0, 7) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
