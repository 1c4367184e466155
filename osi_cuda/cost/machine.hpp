// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace osi_cuda {

/// What a processor does in a second. Rates of one core.
struct HostRates {
  double dense = 0.0;   ///< operations in a dense product, double precision
  double stream = 0.0;  ///< bytes read or written in passes over arrays that no cache holds
  double sparse = 0.0;  ///< additions to scattered places of a vector: the work of sparse factors
  double cores = 0.0;
};

/// What a device does in a second, and what it takes to make it begin.
struct DeviceRates {
  double fp64 = 0.0;       ///< operations, double precision, without matrix units
  double matrix = 0.0;     ///< operations in a dense product, double precision
  double bytes = 0.0;      ///< operations in a product of one-byte integers
  double bandwidth = 0.0;  ///< bytes read or written, of its memory
  double launch = 0.0;     ///< seconds from one small kernel to the next
  double barrier = 0.0;    ///< seconds until all blocks of a grid have met
  double opening = 0.0;    ///< seconds to open it, once in a process
  double wait = 0.0;       ///< seconds of a small copy to the host that the host waits for
  double copy = 0.0;       ///< bytes from the host's memory to its own
  double link = 0.0;       ///< bytes from device to device
  double memory = 0.0;     ///< bytes, of it
};

/// All numbers of a machine that choices rest on: cost_model.hpp makes seconds and sizes of them.
struct Machine {
  HostRates host;
  DeviceRates device;
  std::string hostName, deviceName;      ///< as the system and the driver call them; may be empty
  std::string hostSource, deviceSource;  ///< "built-in H200", "calibrated 2026-11-27", ...
  std::string date;                      ///< of a calibration
};

/// A number of the record: its name in files, its unit, and where it is. The one list of them.
struct MachineField {
  char const *name, *unit;
  double& (*of)(Machine&);
  bool ofDevice;
};
std::span<MachineField const> machineFields();

/// What a driver tells of a device. 0: not known.
struct DeviceProperties {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  double multiprocessors = 0.0;
  double clock = 0.0;      ///< of these, 1/s, at most
  double bandwidth = 0.0;  ///< bytes a second, of its memory
  double memory = 0.0;     ///< bytes
};

/// The machine that the formulas of cost_model.hpp were fitted on: an H200 and its host. It decides
/// wherever nothing else is known, so that choices are alike on such machines.
Machine const& referenceMachine();
/// The reference's rates, each times what the device has of it by its data sheet: multiprocessors,
/// clock, units by compute capability, bandwidth. The reference's own where properties are missing.
DeviceRates ratesOf(DeviceProperties const& device);
/// The record of a card by its name, as the driver tells it or in short ("A100"), if there is one.
/// Parts of a card (MIG) have none.
std::optional<DeviceRates> builtInDevice(std::string_view name);
/// The short names of all such cards.
std::span<std::string_view const> builtInDevices();

/// The record of this process. At the first call the calibrated file of this host and its first
/// device is read, if there is one; or else what the variable OSI_CUDA_MACHINE names: `builtin`
/// (the reference), `builtin:CARD`, or a file. Without either, a card has its built-in record or,
/// once it was opened, one by its properties. The result lives as long as the process.
Machine const& machine();
/// That of choices for a problem of so many entries. Small ones take milliseconds whatever is
/// chosen: they are the reference's, and no file is read for them.
Machine const& machineFor(double cells);
/// Whether machine() has been called, and what was wrong with the file or the variable: one message
/// or nothing.
std::string machineFault();

/// A device was opened: the record becomes the one of this device, unless the variable fixes it.
void deviceFound(DeviceProperties const& device);
/// This record from now on, whatever the variable says.
void useMachine(Machine machine);

/// The rates of a core of this processor, in about so many seconds: the best of many short runs, as
/// other programs may be at work. `stop` (may be empty) is polled between runs; the rates so far
/// are returned then.
HostRates measureHost(double seconds, std::function<bool()> const& stop);

/// The processor as the system calls it, and the first card as the driver's files do, which are
/// there before the driver is loaded; empty where they do not tell.
std::string hostName();
std::string firstDeviceName();

/// Where the calibrated record of this pair lies: under $XDG_CACHE_HOME/osi-cuda/, or
/// ~/.cache/osi-cuda/. Empty where neither variable names a folder.
std::string machineFile(std::string const& host, std::string const& device);

/// The record in a file. Throws std::runtime_error with one message for a file that can't be read,
/// is no such record, lacks a number, or has one that no machine can have.
Machine readMachine(std::string const& file);
/// The text of such a file: a flat JSON object.
std::string machineText(Machine machine);

}  // namespace osi_cuda
