// SPDX-License-Identifier: EPL-2.0
// The numbers of this machine: measured, stored, printed, forgotten.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/machine.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct CalibrateArguments {
  bool print = false, reset = false, json = false;
};

std::string today() {
  std::time_t const now = std::time(nullptr);
  std::tm parts{};
  char text[16];
  gmtime_r(&now, &parts);
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

/// In a process of its own, all kernels of the module are loaded, and those that the driver has to
/// translate for this card are in its cache from then on.
void translateKernels() {
  pid_t const child = fork();
  if (child == 0) {
    for (int const number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    if (!translationNotice(0).empty())
      std::cerr
          << "osi-cuda: the driver translates all kernels for this card first, a minute ...\n";
    try {
      makeCudaEngine(EngineOptions{});
    } catch (std::exception const&) {  // measureDevice says why
    }
    _exit(0);
  }
  while (child > 0 && waitpid(child, nullptr, WNOHANG) == 0) {
    if (interrupted()) kill(child, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// The device's rates; what it takes to open it is measured by opening it. Empty without one.
void measureDevice(Machine& machine) {
  constexpr int device = 0, order = 4096;
  try {
    Stopwatch const watch;
    std::unique_ptr<Engine> const engine = makeCudaEngine(EngineOptions{});
    double const opening = watch.seconds();
    machine.device = cudaModule().measure(device, order);
    machine.device.opening = opening;
    machine.deviceName = cudaModule().properties(device).name;
    machine.deviceSource = machine.hostSource;
  } catch (EngineUnavailable const& error) {
    std::cerr << "osi-cuda: no device is measured: " << error.what() << '\n';
  }
}

Machine measure() {
  constexpr double seconds = 3.0;
  catchInterrupts();
  std::cerr << "osi-cuda: measuring, some seconds ...\n";
  translateKernels();
  Machine machine = referenceMachine();
  machine.date = today();
  machine.hostName = hostName();
  machine.hostSource = "calibrated " + machine.date;
  machine.deviceName.clear();
  machine.host = measureHost(seconds, interrupted);
  if (!interrupted()) measureDevice(machine);
  if (interrupted())
    throw Failure(ExitStatus::stopped, "interrupted: the numbers of before are kept");
  return machine;
}

/// Where the record of this machine lies, or would lie.
std::string calibratedFile(std::string const& device) {
  std::string const file = machineFile(hostName(), device);
  if (file.empty())
    throw Failure(ExitStatus::cannotWrite,
                  "neither XDG_CACHE_HOME nor HOME names a folder for the record");
  return file;
}

void store(Machine const& machine) {
  std::string const file = calibratedFile(machine.deviceName);
  std::error_code failed;
  fs::create_directories(fs::path(file).parent_path(), failed);
  if (failed)
    throw Failure(ExitStatus::cannotWrite, "can't write '" + file + "': " + failed.message());
  writeTextFile(file, machineText(machine));
}

void reset() {
  for (std::string const& device : {machineInUse().deviceName, firstDeviceName()}) {
    std::string const file = calibratedFile(device);
    std::error_code failed;
    fs::remove(file, failed);
    if (failed)
      throw Failure(ExitStatus::cannotWrite, "can't remove '" + file + "': " + failed.message());
  }
}

std::string asText(Machine machine) {
  std::string text =
      fmt::format("host                {}, {}\ndevice              {}, {}\n",
                  machine.hostName.empty() ? hostName() : machine.hostName, machine.hostSource,
                  machine.deviceName.empty() ? "none" : machine.deviceName, machine.deviceSource);
  for (MachineField const& field : machineFields())
    if (!field.ofDevice || !machine.deviceName.empty())
      text += fmt::format("{:<19} {:.3g} {}\n", field.name, field.of(machine), field.unit);
  return text;
}

}  // namespace

Run setUpCalibrate(CLI::App& app) {
  auto const arguments = std::make_shared<CalibrateArguments>();
  CLI::Option* const print =
      app.add_flag("--print", arguments->print, "print the numbers in use, measure nothing");
  app.add_flag("--reset", arguments->reset, "forget what was measured on this machine")
      ->excludes(print);
  app.add_flag("--json", arguments->json, "print one JSON object and nothing else");
  return [arguments] {
    if (arguments->reset) {
      reset();
      return ExitStatus::optimal;
    }
    Machine machine;
    if (arguments->print) {
      machine = machineInUse();
    } else {
      machine = measure();
      store(machine);
    }
    if (arguments->json) {
      std::cout << toText(machineJson(machine)) << '\n';
    } else {
      std::cout << asText(machine);
      if (std::string const fault = machineFault(); arguments->print && !fault.empty())
        std::cerr << "osi-cuda: " << fault << '\n';
    }
    return ExitStatus::optimal;
  };
}

Machine const& machineInUse() {
  try {
    deviceFound(cudaModule().properties(0));
  } catch (EngineUnavailable const&) {  // there is none
  }
  return machine();
}

Json machineJson(Machine machine) {
  Json json{{"host",
             {{"name", machine.hostName.empty() ? hostName() : machine.hostName},
              {"source", machine.hostSource}}},
            {"device", {{"name", machine.deviceName}, {"source", machine.deviceSource}}}};
  for (MachineField const& field : machineFields()) json["rates"][field.name] = field.of(machine);
  if (std::string const fault = machineFault(); !fault.empty()) json["fault"] = fault;
  return json;
}

}  // namespace osi_cuda::cli
