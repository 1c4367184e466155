// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/cost/machine.hpp"

namespace osi_cuda {

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
