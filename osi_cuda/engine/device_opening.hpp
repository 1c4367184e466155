// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {

/// Opens an engine by `make` on a thread of its own and waits for it, until `stop` says not to: to
/// start the driver and to open a device takes some 0.4 s and cannot be ended in the middle. Null
/// then; the thread drops the engine when it comes, and the device stays open for the process.
/// What `ask` says there first, of the device's number, is told here by `tell` before or after the
/// engine is made. Throws what `ask` and `make` throw.
std::unique_ptr<Engine> openUnless(
    std::function<std::string(int device)> ask,
    std::function<std::unique_ptr<Engine>(EngineOptions const&)> make, EngineOptions options,
    std::function<bool()> const& stop, std::function<void(std::string const&)> const& tell);

/// Whether such a thread is at work that nobody waits for. A process ends after it, unless it ends
/// by std::_Exit.
bool opensInBackground();

}  // namespace osi_cuda
