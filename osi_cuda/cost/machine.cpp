// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/machine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <iterator>
#include <mutex>

namespace osi_cuda {
namespace {

constexpr MachineField machineFieldTable[] = {
    {"host_dense", "operations/s", [](Machine& m) -> double& { return m.host.dense; }, false},
    {"host_stream", "bytes/s", [](Machine& m) -> double& { return m.host.stream; }, false},
    {"host_sparse", "additions/s", [](Machine& m) -> double& { return m.host.sparse; }, false},
    {"host_cores", "cores", [](Machine& m) -> double& { return m.host.cores; }, false},
    {"device_fp64", "operations/s", [](Machine& m) -> double& { return m.device.fp64; }, true},
    {"device_matrix", "operations/s", [](Machine& m) -> double& { return m.device.matrix; }, true},
    {"device_bytes", "operations/s", [](Machine& m) -> double& { return m.device.bytes; }, true},
    {"device_bandwidth", "bytes/s", [](Machine& m) -> double& { return m.device.bandwidth; }, true},
    {"device_launch", "s", [](Machine& m) -> double& { return m.device.launch; }, true},
    {"device_barrier", "s", [](Machine& m) -> double& { return m.device.barrier; }, true},
    {"device_opening", "s", [](Machine& m) -> double& { return m.device.opening; }, true},
    {"device_wait", "s", [](Machine& m) -> double& { return m.device.wait; }, true},
    {"device_copy", "bytes/s", [](Machine& m) -> double& { return m.device.copy; }, true},
    {"device_link", "bytes/s", [](Machine& m) -> double& { return m.device.link; }, true},
    {"device_memory", "bytes", [](Machine& m) -> double& { return m.device.memory; }, true}};

/// A card by the beginning of the driver's name for it, or by all of it.
struct CardRow {
  std::string_view word, name;
  bool begins;
  DeviceProperties is;
};

// NVIDIA's data sheets: H200 and H100 Tensor Core GPU (SXM), A100 40GB, L4; Ada GPU Architecture
// (RTX 4090), GeForce RTX 3060. Clocks are those that their peak rates are given for. Choices were
// measured on H100 and H200 alike: an H100's 3.35e12 bytes a second make no difference to them.
CardRow const cardTable[] = {
    {"H200", "NVIDIA H200", true, {{}, 9, 0, 132, 1.98e9, 4.8e12, 141e9}},
    {"H100", "NVIDIA H100", true, {{}, 9, 0, 132, 1.98e9, 4.8e12, 80e9}},
    {"A100", "NVIDIA A100", true, {{}, 8, 0, 108, 1.41e9, 1.555e12, 40e9}},
    {"RTX 4090", "NVIDIA GeForce RTX 4090", false, {{}, 8, 9, 128, 2.52e9, 1.008e12, 24e9}},
    {"L4", "NVIDIA L4", false, {{}, 8, 9, 58, 2.04e9, 3.0e11, 24e9}},
    {"RTX 3060", "NVIDIA GeForce RTX 3060", false, {{}, 8, 6, 28, 1.777e9, 3.6e11, 12e9}}};

/// Operations of a multiprocessor in a clock: double precision, the same by matrix unitTable (or
/// what there is instead), one-byte integers by matrix unitTable. From the tables "Arithmetic
/// Instructions" of NVIDIA's CUDA programming guide and the white papers of the architectures.
struct UnitRow {
  int capability;
  double fp64, matrix, bytes;
};
constexpr UnitRow unitTable[] = {{70, 64, 64, 512}, {75, 4, 4, 2048},     {80, 64, 128, 4096},
                                 {86, 4, 4, 2048},  {90, 128, 256, 8192}, {100, 128, 128, 16384},
                                 {103, 4, 4, 512},  {110, 4, 4, 2048}};

/// That of the device, or of the newest one before it.
UnitRow const& unitsOf(DeviceProperties const& device) {
  int const capability = 10 * device.major + device.minor;
  auto const after = std::upper_bound(std::begin(unitTable), std::end(unitTable), capability,
                                      [](int c, UnitRow const& u) { return c < u.capability; });
  return after == std::begin(unitTable) ? *after : *std::prev(after);
}

CardRow const* cardOf(std::string_view name) {
  if (name.find("MIG") != std::string_view::npos) return nullptr;
  auto const found = std::ranges::find_if(cardTable, [&](CardRow const& c) {
    return name == c.word || (c.begins ? name.starts_with(c.name) : name == c.name);
  });
  return found == std::end(cardTable) ? nullptr : found;
}

constexpr std::string_view deviceNotKnown = "built-in H200";

/// What the process has chosen. Records are kept: others have references.
struct MachineChoice {
  std::mutex mutex;
  std::atomic<Machine const*> now = nullptr;
  std::deque<Machine> kept;
  std::string fault;
  bool fixed = false;       ///< by the variable, or by useMachine
  DeviceProperties device;  ///< that was opened
};
MachineChoice& machineChoice() {
  static auto* const all = new MachineChoice;  // also of use while the process ends
  return *all;
}

/// What the variable names; nothing where it is not set. Throws what is wrong with it.
std::optional<Machine> askedMachine() {
  char const* const text = secure_getenv("OSI_CUDA_MACHINE");
  if (!text || !*text) return {};
  std::string const word = text;
  std::string const prefix = "builtin:";
  if (word == "builtin") return referenceMachine();
  if (!word.starts_with(prefix)) return readMachine(word);
  std::string const card = word.substr(prefix.size());
  auto const device = builtInDevice(card);
  if (!device) {
    std::string words;
    for (std::string_view const known : builtInDevices())
      words += (words.empty() ? "" : ", ") + std::string(known);
    throw std::runtime_error("OSI_CUDA_MACHINE: expected a built-in card (" + words + "), found '" +
                             card + "'");
  }
  Machine machine = referenceMachine();
  machine.device = *device;
  machine.deviceName = card;
  machine.deviceSource = "built-in " + card;
  return machine;
}

/// The calibrated record of this pair; nothing where there is none.
std::optional<Machine> calibratedMachine(std::string const& host, std::string const& device) {
  std::string const file = machineFile(host, device);
  std::error_code none;
  if (file.empty() || !std::filesystem::exists(file, none)) return {};
  Machine machine = readMachine(file);
  if (machine.hostName != host || machine.deviceName != device)
    throw std::runtime_error(file + ": was measured on another machine, '" + machine.hostName +
                             "' with '" + machine.deviceName + "'");
  return machine;
}

/// Without a variable and a file.
Machine usualMachine(std::string const& name, DeviceProperties const& device) {
  Machine machine = referenceMachine();
  machine.deviceName = name;
  if (CardRow const* const card = cardOf(name)) {
    machine.device = ratesOf(card->is);
    machine.deviceSource = "built-in " + std::string(card->word);
  } else if (!name.empty() && device.name == name && device.multiprocessors > 0.0) {
    machine.device = ratesOf(device);
    machine.deviceSource = "from properties";
  }
  return machine;
}

/// Chooses; the mutex is held.
void chooseMachine(MachineChoice& c) {
  Machine chosen;
  std::string const host = hostName(),
                    device = c.device.name.empty() ? firstDeviceName() : c.device.name;
  try {
    if (auto given = askedMachine()) {
      chosen = std::move(*given);
      c.fixed = true;
    } else {
      auto own = calibratedMachine(host, device);
      chosen = own ? std::move(*own) : usualMachine(device, c.device);
    }
  } catch (std::exception const& error) {
    c.fault = error.what();
    chosen = usualMachine(device, c.device);
  }
  c.now = &c.kept.emplace_back(std::move(chosen));
}

}  // namespace

std::span<MachineField const> machineFields() {
  return machineFieldTable;
}

// Device: measured on an H200 (docs/log/2026-11-22-dense.md): whole products make 50 to 59e12
// operations a second, of bytes 1.44e15, a copy 4.2e12 bytes, one from the host 52e9; a grid
// barrier takes 1.3 us. Host: a core of an AMD EPYC, as `osi-cuda calibrate` measures it.
Machine const& referenceMachine() {
  static Machine const machine{
      {5.0e10, 2.0e10, 1.28e9, 16},
      {3.3e13, 5.5e13, 1.44e15, 4.2e12, 2.2e-6, 1.3e-6, 0.35, 1.0e-5, 5.2e10, 3.9e11, 141e9},
      {},
      {},
      "built-in",
      std::string(deviceNotKnown),
      {}};
  return machine;
}

DeviceRates ratesOf(DeviceProperties const& device) {
  DeviceRates rates = referenceMachine().device;
  DeviceProperties const& of = cardTable[0].is;
  if (device.multiprocessors > 0.0 && device.clock > 0.0) {
    double const clocks = device.multiprocessors * device.clock / (of.multiprocessors * of.clock);
    UnitRow const &has = unitsOf(device), &had = unitsOf(of);
    rates.fp64 *= clocks * has.fp64 / had.fp64;
    rates.matrix *= clocks * has.matrix / had.matrix;
    rates.bytes *= clocks * has.bytes / had.bytes;
    rates.barrier *= of.clock / device.clock;
  }
  if (device.bandwidth > 0.0) rates.bandwidth *= device.bandwidth / of.bandwidth;
  if (device.memory > 0.0) rates.memory = device.memory;
  return rates;
}

std::optional<DeviceRates> builtInDevice(std::string_view name) {
  CardRow const* const card = cardOf(name);
  return card ? std::optional(ratesOf(card->is)) : std::nullopt;
}

std::span<std::string_view const> builtInDevices() {
  static auto const words = [] {
    std::array<std::string_view, std::size(cardTable)> all;
    std::ranges::transform(cardTable, all.begin(), &CardRow::word);
    return all;
  }();
  return words;
}

Machine const& machine() {
  MachineChoice& c = machineChoice();
  if (Machine const* const known = c.now) return *known;
  std::lock_guard const lock(c.mutex);
  if (!c.now) chooseMachine(c);
  return *c.now;
}

Machine const& machineFor(double cells) {
  constexpr double smallCells = 3e4;
  return cells < smallCells ? referenceMachine() : machine();
}

std::string machineFault() {
  MachineChoice& c = machineChoice();
  std::lock_guard const lock(c.mutex);
  return c.fault;
}

void deviceFound(DeviceProperties const& device) {
  MachineChoice& c = machineChoice();
  std::lock_guard const lock(c.mutex);
  if (c.fixed || c.device.name == device.name) return;
  c.device = device;
  if (c.now) chooseMachine(c);
}

void useMachine(Machine machine) {
  MachineChoice& c = machineChoice();
  std::lock_guard const lock(c.mutex);
  c.fixed = true;
  c.now = &c.kept.emplace_back(std::move(machine));
}

}  // namespace osi_cuda
