// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "osi_cuda/options.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda::cli {

/// Opens the device on a thread of its own while the problem is read: both take some tenths of a
/// second for a large file. Nothing is begun for the host engine, nor with the automatic choice
/// unless the file is so large that its problem is one for a device and reading it takes a while.
/// What goes wrong is told where the engine is asked for, as if it were made there.
class DeviceOpening {
 public:
  using Maker = std::function<std::unique_ptr<Engine>(EngineOptions const&)>;

  /// `file`: what will be read, `-` for standard input. `maker` makes an engine on a device.
  DeviceOpening(Options const& options, std::string const& file, Maker maker = makeCudaEngine);
  DeviceOpening(DeviceOpening const&) = delete;
  DeviceOpening& operator=(DeviceOpening const&) = delete;

  bool begun() const { return opening_.valid(); }

  /// Makers of engines of which the one on the device gives away what was opened, if that is what
  /// is asked for. They must not outlive this object.
  EngineMakers makers();

 private:
  std::unique_ptr<Engine> engine(EngineOptions const& wanted);

  Maker maker_;
  EngineOptions options_;
  std::future<std::unique_ptr<Engine>> opening_;
};

}  // namespace osi_cuda::cli
