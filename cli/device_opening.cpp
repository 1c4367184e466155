// SPDX-License-Identifier: EPL-2.0
#include "cli/device_opening.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "osi_cuda/solve/engines.hpp"

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

BarrierOptions barrierOptionsOf(Options const& options) {
  return {options.threads, devicesOf(options)};
}

/// Two iterations: the first use of all that iterations use. Nothing where that fails, as another
/// try tells why.
std::unique_ptr<Barrier> exercised(DeviceOpening::BarrierMaker const& maker,
                                   Options const& options) {
  try {
    LinearProgram const lp = exercise();
    StandardForm const form = makeStandardForm(lp, false);
    std::unique_ptr<Barrier> barrier = maker(barrierOptionsOf(options));
    BarrierRequest request;
    request.iterationLimit = 2;
    request.handover = false;
    barrier->load(form);
    barrier->run(request);
    barrier->unload();
    return barrier;
  } catch (std::exception const&) {
    return nullptr;
  }
}

}  // namespace

LinearProgram exercise() {
  constexpr int rows = 1536, columns = 768;
  LinearProgram lp;
  lp.sense = Sense::maximize;
  std::uint32_t state = 1;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      state = 1664525U * state + 1013904223U;  // Numerical Recipes' generator: any will do
      lp.matrix.add(i, ((state >> 8) | 1U) * 0x1p-24);
    }
    lp.endColumn(1.0, 0.0, infinity);
  }
  for (int i = 0; i < rows; ++i) lp.addRow(-infinity, columns);
  return lp;
}

DeviceOpening::DeviceOpening(Options const& options, std::string const& file, Maker maker,
                             BarrierMaker barrierMaker, Translation translation)
    : maker_(std::move(maker)),
      barrierMaker_(std::move(barrierMaker)),
      translation_(std::move(translation)),
      asked_(options),
      options_(engineOptionsOf(options)) {
  bool const large = isLarge(file);
  bool const wanted =
      isDevice(options.engine) || (options.engine == EngineChoice::automatic && large);
  if (!wanted) return;
  bool const withBarrier =
      large && (options.algorithm == AlgorithmChoice::automatic || forStarts(options.algorithm));
  std::promise<std::string> sentence;
  std::promise<std::unique_ptr<Engine>> engine;
  sentence_ = sentence.get_future();
  opening_ = engine.get_future();
  auto const open = [maker = maker_, barrierMaker = barrierMaker_, engineOptions = options_,
                     options, withBarrier,
                     translation = translation_](std::promise<std::string> said,
                                                 std::promise<std::unique_ptr<Engine>> made) {
    std::unique_ptr<Barrier> none;
    said.set_value(translation(engineOptions.device));
    try {
      made.set_value(maker(engineOptions));
    } catch (...) {
      made.set_exception(std::current_exception());
      return none;
    }
    if (!withBarrier) return none;
    return exercised(barrierMaker, options);
  };
  barrier_ = std::async(std::launch::async, open, std::move(sentence), std::move(engine));
}

std::unique_ptr<Engine> DeviceOpening::engine(EngineOptions const& wanted) {
  if (opening_.valid() && wanted == options_) return opening_.get();
  return maker_(wanted);
}

std::unique_ptr<Barrier> DeviceOpening::barrier(BarrierOptions const& wanted) {
  if (barrier_.valid() && wanted == barrierOptionsOf(asked_))
    if (std::unique_ptr<Barrier> made = barrier_.get()) return made;
  return barrierMaker_(wanted);
}

EngineMakers DeviceOpening::makers() {
  EngineMakers makers;
  makers.device = [this](EngineOptions const& wanted) { return engine(wanted); };
  makers.translation = [this](int device) {
    return sentence_.valid() ? sentence_.get() : translation_(device);
  };
  makers.deviceBarrier = [this](BarrierOptions const& wanted) { return barrier(wanted); };
  return makers;
}

}  // namespace osi_cuda::cli
