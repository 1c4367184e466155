// SPDX-License-Identifier: EPL-2.0
// Each piece is done once before a call returns, by as many threads as were asked for at most, and
// no call waits for a thread that others hold up.
#include "osi_cuda/base/thread_pool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace osi_cuda;
using namespace std::chrono_literals;

namespace {

/// Pieces that others wait behind until it ends: as many threads of the pool as there can be.
class HeldUp {
 public:
  HeldUp() {
    caller_ = std::async(std::launch::async, [this] {
      runPieces(all_, std::size_t{1} << 10, [this](std::size_t, int) {
        ++held_;
        open_.wait();
      });
    });
    for (int last = 0; held_ < 2 || last < held_; std::this_thread::sleep_for(50ms)) last = held_;
  }
  ~HeldUp() {
    gate_.set_value();
    caller_.wait();
  }

 private:
  int const all_ = 1 << 10;
  std::atomic<int> held_{0};
  std::promise<void> gate_;
  std::shared_future<void> open_{gate_.get_future()};
  std::future<void> caller_;
};

/// Random calls: how many pieces were not done once when their call returned, or by a thread that
/// was not asked for, or by two of the same number at a time.
int wrongPieces(unsigned seed, int calls) {
  std::mt19937 random(seed);
  int wrong = 0;
  for (int call = 0; call < calls; ++call) {
    int const threads = 1 + static_cast<int>(random() % 8);
    std::size_t const count = random() % 40;
    auto const most = static_cast<unsigned>(random() % 3 * 50);  // microseconds
    std::vector<int> done(count, 0);  // plain: to return is to be through
    std::vector<unsigned> pause(count);
    for (unsigned& each : pause) each = static_cast<unsigned>(random() % (most + 1));
    std::vector<std::atomic<int>> inside(8);
    std::atomic<int> faults = 0;
    runPieces(threads, count, [&](std::size_t piece, int thread) {
      faults += thread < 0 || thread >= threads || inside[static_cast<std::size_t>(thread)]++ > 0;
      if (pause[piece] > 0) std::this_thread::sleep_for(std::chrono::microseconds(pause[piece]));
      ++done[piece];
      --inside[static_cast<std::size_t>(thread)];
    });
    wrong += faults;
    for (int const times : done) wrong += times != 1;
  }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(thread_pool)

BOOST_AUTO_TEST_CASE(each_piece_is_done_once_before_a_call_returns) {
  std::vector<std::future<int>> callers;
  for (unsigned seed = 1; seed <= 5; ++seed)
    callers.push_back(std::async(std::launch::async, wrongPieces, seed, 300));
  for (std::future<int>& caller : callers) BOOST_TEST(caller.get() == 0);
}

BOOST_AUTO_TEST_CASE(one_thread_is_the_callers) {
  for (int const threads : {0, 1})
    runPieces(threads, 20, [caller = std::this_thread::get_id()](std::size_t, int thread) {
      BOOST_TEST((thread == 0 && std::this_thread::get_id() == caller));
    });
}

BOOST_AUTO_TEST_CASE(threads_share_the_work) {
  std::atomic<int> come = 0;
  runPieces(4, 4, [&](std::size_t, int) {  // none has another piece before all four have come
    for (++come; come < 4;) std::this_thread::sleep_for(1ms);
  });
  BOOST_TEST(come == 4);
}

BOOST_AUTO_TEST_CASE(a_delayed_thread_holds_up_no_call) {
  std::optional<HeldUp> others(std::in_place);
  std::vector<int> done(100, 0);
  auto const call = std::async(std::launch::async, [&] {
    runPieces(8, done.size(), [&](std::size_t piece, int) { ++done[piece]; });
  });
  bool const came = call.wait_for(20s) == std::future_status::ready;
  others.reset();
  BOOST_TEST(came);
  call.wait();
  BOOST_TEST(std::count(done.begin(), done.end(), 1) == 100);
}

BOOST_AUTO_TEST_CASE(what_a_piece_throws_ends_the_call) {
  for (int const threads : {1, 8}) {
    std::atomic<int> begun = 0, inside = 0;
    auto const work = [&](std::size_t piece, int) {
      ++begun;
      ++inside;
      std::this_thread::sleep_for(1ms);
      --inside;
      if (piece == 5) throw std::bad_alloc();
    };
    BOOST_CHECK_THROW(runPieces(threads, 1000, work), std::bad_alloc);
    BOOST_TEST(inside == 0);
    BOOST_TEST(begun < 100);
    BOOST_TEST(wrongPieces(1, 20) == 0);  // and the next calls are as before
  }
}

BOOST_AUTO_TEST_CASE(a_child_works_alone) {
  BOOST_TEST(wrongPieces(2, 20) == 0);  // so that there are threads
  pid_t const child = fork();
  if (child == 0) {
    alarm(20);
    _exit(wrongPieces(3, 20) == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
