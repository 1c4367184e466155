// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// An emulated device, for the host's side of the CUDA engine: what the engine
/// calls of the runtime, cuBLAS, cuSOLVER and cuSPARSE is defined here and linked in their place.
/// Memory is the host's, kernels run on fibers, and what is queued in a stream is done when
/// somebody waits for it, no earlier: who reads too soon reads what was there before.
///
/// It watches its callers (faults()) and fails when it is told to.
namespace emulated_runtime {

/// A new device, with nothing of before: two devices of 8 multiprocessors and a GiB each.
void reset();

/// The number-th call that may fail, counted from 1 on, fails: with the error of no memory, or, if
/// the device is lost, with that of a device that is gone, as do all calls after it; or only those
/// for the device that is the current one then.
enum class Failure { once, lost, one };
void failAt(long number, Failure failure);
/// So many calls that may fail there were since the last reset().
long calls();
/// How often somebody waited for work that was not done yet, since the last reset().
long waits();

/// How many handles were told to make products in double precision of bytes.
long sliced();

void setDevices(int count);
/// The newest CUDA that the driver serves, as 12040; 0: there is no driver.
void setDriver(int version);
/// Of each device, as 86.
void setCapability(int capability);
/// Whether a device can read the memory of another one; it can unless this says no.
void setPeers(bool canRead);
void setMemory(std::size_t bytes);
void setCooperative(bool launches);

/// What is allocated, and was at most, in bytes of device memory.
std::size_t allocated();
std::size_t mostAllocated();
/// Bytes that were copied to the device, and from there, since the last reset().
std::size_t uploaded();
std::size_t downloaded();
/// What callers hold: a line for each kind of thing of which there is something left.
std::vector<std::string> held();
/// What callers did wrong: copies beyond what is allocated, sizes that no library takes, memory
/// given back twice, kernels that no device runs.
std::vector<std::string> faults();

/// Of what kernels do in which order.
void setSeed(unsigned long long seed);

}  // namespace emulated_runtime
