// SPDX-License-Identifier: EPL-2.0
// The record of the machine, the sizes that follow from it, and its file.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/solve/plan.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

using testing::TemporaryFolder;

Machine with(std::string const& card) {
  Machine machine = referenceMachine();
  machine.device = builtInDevice(card).value();
  return machine;
}

/// As another process would choose, of which each has one record.
Placement planWith(Machine const& machine, Shape const& shape, History const& history = {}) {
  Machine const before = osi_cuda::machine();
  useMachine(machine);
  Placement const plan = placementFor(shape, {}, history);
  useMachine(before);
  return plan;
}

Shape dense(int rows, int columns) {
  return {rows, columns, std::int64_t{rows} * columns};
}

BOOST_AUTO_TEST_SUITE(cost)

// To the last bit: choices of today rest on these.
BOOST_AUTO_TEST_CASE(the_reference_has_the_numbers_that_were_fitted) {
  Machine const& m = referenceMachine();
  BOOST_TEST(deviceCells(m) == 2.5e5);
  BOOST_TEST(lastAttemptCells(m) == 4e6);
  BOOST_TEST(openingSeconds(m) == 0.35);
  BOOST_TEST(barrierSide(m) == 1000.0);
  BOOST_TEST(barrierCells(m) == 2e6);
  BOOST_TEST(tableauPivotSeconds(m, 300, 700) == 0.25e-9 * 300.0 * 700.0 + 40e-9 * 1000.0);
  BOOST_TEST(devicePivotSeconds(m, 300, 700) == 7e-6 + 8e-14 * 300.0 * 700.0);
  BOOST_TEST(scatteredOnHost(m) == 10.0);
  BOOST_TEST(scatteredOnDevice(m) == 300.0);
  BOOST_TEST(hostIterationSeconds(m, 1e9, 4, 500.0) == 1e9 / (2e10 * 4) + 1.5e-7 * 500.0);
  BOOST_TEST(batchWorthDevice(m, false) == 0.5);
  BOOST_TEST(batchWorthDevice(m, true) == 2e-3);
  BOOST_TEST(variantsWorthDevice(m, false) == 1.0);
  BOOST_TEST(variantsWorthDevice(m, true) == 5e-3);
  BOOST_TEST(1.2 * deviceCells(m) == 300'000.0);
  Machine const copy = m;  // the same by value
  BOOST_TEST(barrierSide(copy) == 1000.0);
}

BOOST_AUTO_TEST_CASE(an_H100_makes_the_choices_of_an_H200) {
  Machine const h100 = with("NVIDIA H100 80GB HBM3");
  BOOST_TEST(deviceCells(h100) == deviceCells(referenceMachine()));
  BOOST_TEST(barrierSide(h100) == 1000.0);
  BOOST_TEST(devicePivotSeconds(h100, 5000, 2500) ==
             devicePivotSeconds(referenceMachine(), 5000, 2500));
}

BOOST_AUTO_TEST_CASE(a_faster_device_is_worth_it_for_smaller_problems) {
  Machine fast = referenceMachine();
  fast.device.barrier /= 2.0;
  BOOST_TEST(deviceCells(fast) < 0.6 * 2.5e5);
  Shape const between = dense(400, 400);
  BOOST_TEST(!planWith(referenceMachine(), between).device);
  BOOST_TEST(planWith(fast, between).device);
  Machine slowHost = referenceMachine();
  slowHost.host.stream /= 4.0;
  BOOST_TEST(deviceCells(slowHost) < 0.3 * 2.5e5);
  // A card that is slower by the entry than the processor is worth it for none.
  Machine slow = referenceMachine();
  slow.device.matrix /= 1e4;
  BOOST_TEST(std::isinf(deviceCells(slow)));
  BOOST_TEST(!planWith(slow, dense(3000, 3000)).device);
}

BOOST_AUTO_TEST_CASE(slow_scattered_additions_speak_for_a_tableau) {
  Shape const shape{200, 400, 1600};
  BOOST_TEST(planWith(referenceMachine(), shape).factors == true);
  Machine slow = referenceMachine();
  slow.host.sparse /= 20.0;
  BOOST_TEST(!planWith(slow, shape).factors);
}

// Cards for games make a 64th of their operations in double precision: products of bytes replace
// those, and pivots, which are few operations each, come before the interior point method.
BOOST_AUTO_TEST_CASE(little_double_precision_changes_the_form) {
  DeviceWork work;
  work.rows = 1024;
  work.columns = work.order = 512;
  work.product = work.order * work.order * work.rows;
  work.factor = work.order * work.order * work.order / 3.0;
  work.inverse = 32;
  DeviceWork large = work;
  large.order = 8192;
  large.factor = large.order * large.order * large.order / 3.0;
  auto const bytesPay = [&](Machine const& m) {
    return roughProductSeconds(m, work) < productSeconds(m, work);
  };
  BOOST_TEST(!bytesPay(referenceMachine()));
  for (char const* card : {"RTX 4090", "L4", "RTX 3060"}) {
    Machine const m = with(card);
    BOOST_TEST_CONTEXT(card) {
      BOOST_TEST(bytesPay(m));
      BOOST_TEST(barrierSide(m) != 1000.0);
      BOOST_TEST(factorSeconds(m, large) > 10.0 * factorSeconds(referenceMachine(), large));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_card_is_known_by_its_whole_name) {
  BOOST_TEST(builtInDevice("NVIDIA L4").has_value());
  BOOST_TEST(!builtInDevice("NVIDIA L40S").has_value());
  BOOST_TEST(!builtInDevice("NVIDIA GeForce RTX 4090 Laptop GPU").has_value());
  BOOST_TEST(!builtInDevice("NVIDIA H100 80GB HBM3 MIG 1g.10gb").has_value());
  BOOST_TEST(builtInDevice("NVIDIA A100-SXM4-80GB").has_value());
  BOOST_TEST(builtInDevice("A100").has_value());
}

// The peak rates of NVIDIA's data sheets, in double precision, that the table of units gives.
BOOST_AUTO_TEST_CASE(properties_give_the_peaks_of_data_sheets) {
  DeviceRates const h200 = builtInDevice("H200").value(), a100 = builtInDevice("A100").value(),
                    ada = builtInDevice("RTX 4090").value();
  auto const near = boost::test_tools::tolerance(0.03);
  BOOST_TEST(a100.matrix / h200.matrix == 19.5 / 67.0, near);
  BOOST_TEST(a100.fp64 / h200.fp64 == 9.7 / 33.5, near);
  BOOST_TEST(ada.fp64 / h200.fp64 == 1.29 / 33.5, near);
  BOOST_TEST(ada.bandwidth / h200.bandwidth == 1.008 / 4.8, near);
  // An unknown card: by what the driver tells; what it does not tell is the reference's.
  DeviceProperties half{"NVIDIA Unknown", 9, 0, 66, 1.98e9, 2.4e12, 4e10};
  BOOST_TEST(ratesOf(half).matrix == 0.5 * h200.matrix);
  BOOST_TEST(ratesOf(half).bandwidth == 0.5 * h200.bandwidth);
  BOOST_TEST(ratesOf(half).memory == 4e10);
  BOOST_TEST(ratesOf({}).matrix == h200.matrix);
  // Of an architecture that is not in the table: those of the newest one before it.
  DeviceProperties newer{"NVIDIA Newer", 12, 1, 132, 1.98e9, 4.8e12, 4e10};
  BOOST_TEST(ratesOf(newer).fp64 < 0.05 * h200.fp64);
}

BOOST_AUTO_TEST_CASE(products_of_bytes_are_for_cards_with_little_double_precision) {
  for (std::string const card : {"H200", "H100", "A100"}) BOOST_TEST(!slicesPay(with(card)), card);
  for (std::string const card : {"RTX 4090", "L4", "RTX 3060"})
    BOOST_TEST(slicesPay(with(card)), card);
  Machine turing = referenceMachine();  // T4, by what a driver tells
  turing.device = ratesOf({"NVIDIA Unknown", 7, 5, 40, 1.59e9, 3.2e11, 16e9});
  BOOST_TEST(slicesPay(turing));
}

BOOST_AUTO_TEST_CASE(estimates_name_the_way_that_measurements_found_fastest) {
  Machine const& m = referenceMachine();
  Beginning open;
  open.deviceOpen = true;
  open.threads = 16;
  // docs/evidence/dense.md: 0.047 s and 0.098 s.
  double const inside = estimatedSeconds(m, Way::deviceBarrier, dense(5000, 2500), open).value(),
               pivots = estimatedSeconds(m, Way::devicePivots, dense(5000, 2500), open).value();
  BOOST_TEST(inside == 0.047, boost::test_tools::tolerance(0.3));
  BOOST_TEST(pivots == 0.098, boost::test_tools::tolerance(0.3));
  auto const ways = estimatesOf(m, dense(5000, 2500), open);
  BOOST_TEST(ways.size() == 5u);
  BOOST_TEST((ways.front().way == Way::deviceBarrier));
  BOOST_TEST(std::ranges::is_sorted(ways, {}, &Estimate::seconds));
  // Small: the processor, all the more where the device has to be opened.
  BOOST_TEST((estimatesOf(m, dense(50, 50)).front().way < Way::devicePivots));
  // Of a sparse problem sizes do not tell what an interior point method takes on the processor;
  // from a basis there is none at all.
  Shape const sparse{20000, 30000, 90000};
  BOOST_TEST(!estimatedSeconds(m, Way::hostBarrier, sparse).has_value());
  BOOST_TEST(*estimatedSeconds(m, Way::hostFactors, sparse) <
             *estimatedSeconds(m, Way::hostTableau, sparse));
  BOOST_TEST(*estimatedSeconds(m, Way::hostFactors, sparse) == hostPivotsSeconds(m, sparse));
  Beginning warm;
  warm.pivots = 10.0;
  BOOST_TEST(estimatesOf(m, sparse, warm).size() == 3u);
  BOOST_TEST(*estimatedSeconds(m, Way::hostFactors, sparse, warm) ==
             10.0 * factoredPivotSeconds(m, 20000, 30000, 90000));
}

BOOST_AUTO_TEST_CASE(a_file_gives_back_what_was_written) {
  TemporaryFolder folder;
  Machine machine = with("RTX 4090");
  machine.date = "2026-11-27";
  machine.hostName = "Some CPU";
  machine.deviceName = "NVIDIA GeForce RTX 4090";
  Machine back = readMachine(folder.write("m.json", machineText(machine)));
  for (MachineField const& field : machineFields()) BOOST_TEST(field.of(back) == field.of(machine));
  BOOST_TEST(back.deviceName == machine.deviceName);
  BOOST_TEST(back.hostSource == "calibrated 2026-11-27");
  // Without a device there are no numbers of one.
  machine.deviceName.clear();
  BOOST_TEST(machineText(machine).find("device_") == std::string::npos);
  BOOST_TEST(readMachine(folder.write("h.json", machineText(machine))).device.matrix ==
             referenceMachine().device.matrix);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_refused_with_one_message) {
  TemporaryFolder folder;
  Machine machine = referenceMachine();
  machine.date = "2026-11-27";
  machine.deviceName = "NVIDIA H200";
  std::string const good = machineText(machine);
  auto const fault = [&](std::string const& text) -> std::string {
    std::string const file = folder.write("m.json", text);
    try {
      readMachine(file);
    } catch (std::runtime_error const& error) {
      std::string const message = error.what();
      BOOST_TEST(message.starts_with(file + ": "), message);
      BOOST_TEST(message.find('\n') == std::string::npos);
      return message;
    }
    return {};
  };
  BOOST_TEST(fault(good).empty());
  for (std::size_t length = 0; length + 2 < good.size(); ++length)
    BOOST_TEST(!fault(good.substr(0, length)).empty(), length);
  auto const changed = [&](std::string const& from, std::string const& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  BOOST_TEST(fault(changed("machine 1", "machine 9")).find("not a record") != std::string::npos);
  BOOST_TEST(fault(changed("\"device_matrix\": ", "\"device_matrix\": -")).find("device_matrix") !=
             std::string::npos);
  BOOST_TEST(!fault(changed("\"device_matrix\": ", "\"device_matrix\": 1e400, \"x\": ")).empty());
  BOOST_TEST(!fault(changed("\"device_matrix\": ", "\"device_matrix\": nan, \"x\": ")).empty());
  BOOST_TEST(!fault(std::string(1 << 20, '\0')).empty());
  BOOST_TEST(!fault(good + "more").empty());
  BOOST_CHECK_THROW(readMachine(folder.path().string()), std::runtime_error);
  BOOST_CHECK_THROW(readMachine(folder.file("none.json")), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_file_is_named_for_host_and_device) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  std::string const file = machineFile("AMD EPYC 9/4", "NVIDIA H200");
  BOOST_TEST(file == "/somewhere/osi-cuda/machine-AMD-EPYC-9-4-NVIDIA-H200.json");
  setenv("XDG_CACHE_HOME", "relative", 1);  // the specification says: ignored
  BOOST_TEST(machineFile("a", "").starts_with(std::string(std::getenv("HOME")) + "/.cache/"));
  unsetenv("XDG_CACHE_HOME");
}

BOOST_AUTO_TEST_CASE(a_processor_is_measured) {
  HostRates const rates = measureHost(0.3, {});
  HostRates const& usual = referenceMachine().host;
  for (auto const& [found, expected] :
       {std::pair(rates.dense, usual.dense), std::pair(rates.stream, usual.stream),
        std::pair(rates.sparse, usual.sparse)}) {
    BOOST_TEST(found > expected / 30.0);
    BOOST_TEST(found < expected * 30.0);
  }
  BOOST_TEST(rates.cores >= 1.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
