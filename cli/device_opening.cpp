// SPDX-License-Identifier: EPL-2.0
#include "cli/device_opening.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace osi_cuda::cli {
namespace {

// A file of this size takes some hundredths of a second, and its problem has several hundred
// thousand coefficients, packed or not: more than from which the solver takes a device by itself.
constexpr std::uintmax_t largeFile = std::uintmax_t{8} << 20;

bool isLarge(std::string const& file) {
  std::error_code unknown;
  std::uintmax_t const size = std::filesystem::file_size(file, unknown);
  return !unknown && size >= largeFile;
}

bool isSame(EngineOptions const& a, EngineOptions const& b) {
  return a.threads == b.threads && a.device == b.device && a.blockSize == b.blockSize &&
         a.sketchSize == b.sketchSize;
}

}  // namespace

DeviceOpening::DeviceOpening(Options const& options, std::string const& file, Maker maker)
    : maker_(std::move(maker)) {
  options_.threads = options.threads;
  options_.device = options.device;
  options_.blockSize = options.blockSize;
  options_.sketchSize = options.sketchSize;
  bool const wanted = options.engine == EngineChoice::cuda ||
                      (options.engine == EngineChoice::automatic && isLarge(file));
  if (wanted)
    opening_ = std::async(std::launch::async,
                          [maker = maker_, wanted = options_] { return maker(wanted); });
}

std::unique_ptr<Engine> DeviceOpening::engine(EngineOptions const& wanted) {
  if (opening_.valid() && isSame(wanted, options_)) return opening_.get();
  return maker_(wanted);
}

EngineMakers DeviceOpening::makers() {
  EngineMakers makers;
  makers.device = [this](EngineOptions const& wanted) { return engine(wanted); };
  return makers;
}

}  // namespace osi_cuda::cli
