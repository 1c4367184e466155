// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/solve/engine_makers.hpp"

namespace osi_cuda::cli {

/// max x_1 + ... + x_n within rows of coefficients between 0 and 1: dense, and not too small for
/// the kernels that a large problem needs, for the first use of a device.
LinearProgram exercise();

/// Opens the device on threads of its own while the problem is read: both take some tenths of a
/// second for a large file. Nothing is begun for the host engine, nor with the automatic choice
/// unless the file is so large that its problem is one for a device and reading it takes a while.
/// For a large file the interior point method is made as well, behind the engine, and used once on
/// a small problem: the first use of each part of a library takes longer than all iterations that
/// follow, and the engine takes over the problem in the meantime.
/// What goes wrong is told where the engine is asked for, as if it were made there.
class DeviceOpening {
 public:
  using Maker = std::function<std::unique_ptr<Engine>(EngineOptions const&)>;
  using BarrierMaker = std::function<std::unique_ptr<Barrier>(BarrierOptions const&)>;
  using Translation = std::function<std::string(int device)>;

  /// `file`: what will be read, `-` for standard input. The makers make engines on a device.
  DeviceOpening(Options const& options, std::string const& file, Maker maker = makeDeviceEngine,
                BarrierMaker barrierMaker = makeCudaBarrier,
                Translation translation = translationNotice);
  DeviceOpening(DeviceOpening const&) = delete;
  DeviceOpening& operator=(DeviceOpening const&) = delete;

  bool begun() const { return opening_.valid(); }

  /// Makers of engines of which those on the device give away what was opened, if that is what
  /// is asked for. They must not outlive this object.
  EngineMakers makers();

 private:
  std::unique_ptr<Engine> engine(EngineOptions const& wanted);
  std::unique_ptr<Barrier> barrier(BarrierOptions const& wanted);

  Maker maker_;
  BarrierMaker barrierMaker_;
  Translation translation_;
  Options const asked_;
  EngineOptions const options_;        ///< of the engine
  std::future<std::string> sentence_;  ///< is known before the opening begins
  std::future<std::unique_ptr<Engine>> opening_;
  std::future<std::unique_ptr<Barrier>> barrier_;  ///< may come to nothing; waits for its thread
};

}  // namespace osi_cuda::cli
