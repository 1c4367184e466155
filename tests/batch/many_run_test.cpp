// SPDX-License-Identifier: EPL-2.0
// What a lost device leaves of a run, and how several devices share it.
#include "osi_cuda/batch/many_run.hpp"
#include "osi_cuda/solve/engines.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::batch {
namespace {

/// Four problems with a column and a row each.
class FourProblems : public ManyRun {
 public:
  FourProblems(BatchOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
               std::atomic<bool>& stop)
      : ManyRun(options, results, callbacks, stop) {
    auto const one = [](std::size_t) { return std::size_t{1}; };
    open(4, one, one);
  }
  using ManyRun::addCertificate;
  using ManyRun::reopenUncertified;
  using ManyRun::report;

 private:
  double solveOn(DeviceMany&, DeviceJob) override { return 0.0; }
  bool makeSolvers() override { return false; }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t, int) override { return {}; }
  LinearProgram problemOf(std::size_t) const override { return {}; }
};

/// Answers problem k by the objective k.
class CountingDevice final : public DeviceMany {
 public:
  explicit CountingDevice(std::size_t lostAfter = SIZE_MAX) : lostAfter_(lostAfter) {}
  std::string device() const override { return "counting"; }
  bool fits(int, int) const override { return true; }
  double solve(BatchJob const&) override { return 0.0; }
  void setBase(LinearProgram const&, Basis const&) override {}
  void setBase(LinearProgram const&, PlacedEngine const&, bool) override {}
  double solve(VariantJob const&) override { return 0.0; }
  void clear(AnswerArrays const&, std::size_t, std::size_t, std::size_t) override {}

  double work(DeviceJob const& job) {
    thread = std::this_thread::get_id();
    for (std::size_t place = 0; place < job.chosen.size(); ++place) {
      if (place == lostAfter_) throw EngineUnavailable("lost");
      if (job.goneBy(place)) break;
      std::size_t const k = job.chosen[place];
      job.targets.report[k] = {BatchStatus::optimal, 0, static_cast<double>(k)};
      answered.push_back(k);
    }
    return 1.0;
  }

  std::vector<std::size_t> answered;
  std::thread::id thread;

 private:
  std::size_t const lostAfter_;
};

constexpr std::size_t many = 1000;

class SharedRun : public ManyRun {
 public:
  SharedRun(BatchOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
            std::atomic<bool>& stop)
      : ManyRun(options, results, callbacks, stop) {
    auto const none = [](std::size_t) { return std::size_t{0}; };
    open(many, none, none);
  }
  std::size_t onHost = 0;

 private:
  bool fits(DeviceMany const&, std::size_t k) const override { return k != 5; }
  double solveOn(DeviceMany& device, DeviceJob job) override {
    return dynamic_cast<CountingDevice&>(device).work(job);
  }
  bool makeSolvers() override { return true; }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t k, int) override {
    ++onHost;
    return {{BatchStatus::optimal, 0, static_cast<double>(k)}, nullptr};
  }
  LinearProgram problemOf(std::size_t) const override { return {}; }
};

struct Shared {
  Shared() {
    options.engine = EngineChoice::cuda;
    options.threads = 1;
  }
  CountingDevice& add(int number, std::size_t lostAfter = SIZE_MAX) {
    auto made = std::make_unique<CountingDevice>(lostAfter);
    CountingDevice& device = *made;
    int const before = static_cast<int>(
        std::ranges::count(devices, number, [](auto const& one) { return one.first.first; }));
    devices[{number, before}] = std::move(made);
    options.devices += (options.devices.empty() ? "" : ",") + std::to_string(number);
    return device;
  }
  void solve() {
    SharedRun run(options, results, callbacks, stop);
    run.ManyRun::solve(&devices, false);
    onHost = run.onHost;
  }
  void checkAnswers() const {
    for (std::size_t k = 0; k < many; ++k) {
      BOOST_TEST((results.status[k] == BatchStatus::optimal));
      BOOST_TEST(results.objective[k] == static_cast<double>(k));
    }
  }

  BatchOptions options;
  BatchCallbacks callbacks;
  BatchResults results;
  std::atomic<bool> stop = false;
  KeptDevices devices;
  std::size_t onHost = 0;
};

BOOST_AUTO_TEST_SUITE(many_run)

BOOST_FIXTURE_TEST_CASE(devices_share_the_problems, Shared) {
  CountingDevice const &one = add(3), &two = add(1), &three = add(0);
  solve();
  checkAnswers();
  constexpr std::size_t run = 5;  // (many - 1) / (3 * 64) lie together
  for (CountingDevice const* const device : {&one, &two, &three}) {
    BOOST_TEST(device->answered.size() >= 333u - run);
    BOOST_TEST(device->answered.size() <= 333u + run);
    BOOST_TEST((device->thread != std::this_thread::get_id()));
  }
  BOOST_TEST(onHost == 1u);
  BOOST_TEST(results.onDevice == many - 1);
  BOOST_TEST(results.device == "3 x counting");
  BOOST_TEST(results.deviceSeconds == 1.0);
  BOOST_TEST(!results.deviceLost);
  // One of them stays for a call that asks for no other.
  options.devices = "1";
  solve();
  checkAnswers();
  BOOST_TEST(devices.size() == 1u);
  BOOST_TEST((two.thread == std::this_thread::get_id()));
  BOOST_TEST(results.device == "counting");
}

// Its parts overlap then, and answers are what they are.
BOOST_FIXTURE_TEST_CASE(a_device_that_is_named_twice_has_two_shares, Shared) {
  CountingDevice const &one = add(2), &two = add(2);
  solve();
  checkAnswers();
  std::size_t const first = one.answered.size();
  BOOST_TEST(first + two.answered.size() == many - 1);
  BOOST_TEST(first >= 495u);
  BOOST_TEST(first <= 505u);
  options.devices = "2";
  solve();
  BOOST_TEST(devices.size() == 1u);
  BOOST_TEST(one.answered.size() == first + many - 1);
}

BOOST_FIXTURE_TEST_CASE(threads_take_what_a_lost_device_leaves, Shared) {
  add(0);
  add(1, 10);
  solve();
  checkAnswers();
  BOOST_TEST(results.deviceLost);
  BOOST_TEST(onHost == many - results.onDevice);
  BOOST_TEST(results.onDevice >= 495u + 10u);
  BOOST_TEST(results.onDevice <= 505u + 10u);
  BOOST_TEST(devices.empty());
}

BOOST_FIXTURE_TEST_CASE(a_lost_device_ends_a_run_that_is_to_stop_then, Shared) {
  add(0);
  add(1, 10);
  options.deviceLoss = DeviceLoss::stop;
  BOOST_CHECK_THROW(solve(), DeviceLost);
  BOOST_TEST(devices.empty());
}

// Callbacks come from the calling thread; a wish to stop reaches all devices.
BOOST_FIXTURE_TEST_CASE(devices_stop, Shared) {
  add(0);
  add(1);
  bool foreign = false;
  std::thread::id const own = std::this_thread::get_id();
  callbacks.progress = [&](std::size_t, std::size_t) {
    foreign = foreign || std::this_thread::get_id() != own;
  };
  options.timeLimit = 0.0;
  stop = true;
  solve();
  BOOST_TEST(!foreign);
  BOOST_TEST(std::ranges::count(results.status, BatchStatus::optimal) +
                 std::ranges::count(results.status, BatchStatus::timeLimit) ==
             static_cast<std::ptrdiff_t>(many));
}

BOOST_AUTO_TEST_CASE(devices_are_options) {
  BatchOptions options;
  BOOST_TEST(devicesOf(options).size() == 1u);
  BOOST_TEST(setOption(options, "devices", "2,0") == "");
  std::vector<int> const expected{2, 0};
  BOOST_TEST(devicesOf(options) == expected, boost::test_tools::per_element());
  BOOST_TEST(setOption(options, "devices", "all") == "");
  for (char const* const text : {"-1", "a", "0,", ",", "0 1", "1,x", "none"}) {
    BOOST_TEST(!setOption(options, "devices", text).empty(), text);
    BOOST_TEST(options.devices == "all");
  }
  BOOST_TEST(setOption(options, "devices", "one") == "");
  BOOST_TEST(options.devices.empty());
}

// The device reported four ends and was lost before the certificates of the last two came.
BOOST_AUTO_TEST_CASE(reports_without_certificates_are_open_again) {
  BatchOptions const options;
  BatchCallbacks const callbacks;
  BatchResults results;
  std::atomic<bool> stop = false;
  FourProblems run(options, results, callbacks, stop);
  using enum BatchStatus;
  BatchStatus const ends[] = {optimal, infeasible, infeasible, unbounded};
  for (std::size_t k = 0; k < 4; ++k) run.report(k).end = ends[k];
  run.addCertificate(1, {1, {1.0}, {1.0}, {}, {}, 0.0});
  std::size_t const chosen[] = {0, 1, 2, 3};
  run.reopenUncertified(chosen);
  BatchStatus const expected[] = {optimal, infeasible, interrupted, interrupted};
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST((run.report(k).end == expected[k]));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::batch
