// SPDX-License-Identifier: EPL-2.0
//
// The device is opened while the file is read, or not at all.
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/device_opening.hpp"
#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::testing {
namespace {

using cli::DeviceOpening;

/// A file of that size, empty in the middle.
class SizedFile {
 public:
  explicit SizedFile(std::uintmax_t size)
      : path_(std::filesystem::temp_directory_path() /
              ("opening_test_" + std::to_string(::getpid()))) {
    std::ofstream(path_) << "NAME\n";
    std::filesystem::resize_file(path_, size);
  }
  SizedFile(SizedFile const&) = delete;
  SizedFile& operator=(SizedFile const&) = delete;
  ~SizedFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Counts the engines that it makes.
struct Maker {
  std::atomic<int> made = 0;
  DeviceOpening::Maker function() {
    return [this](EngineOptions const& options) {
      ++made;
      return makeHostEngine(options);
    };
  }
};

Options with(EngineChoice engine) {
  Options options;
  options.engine = engine;
  options.threads = 1;
  return options;
}

constexpr std::uintmax_t small = 1000, large = std::uintmax_t{9} << 20;

}  // namespace

BOOST_AUTO_TEST_SUITE(device_opening)

BOOST_AUTO_TEST_CASE(the_host_engine_opens_nothing) {
  SizedFile const file(large);
  Maker maker;
  BOOST_TEST(!DeviceOpening(with(EngineChoice::host), file.path(), maker.function()).begun());
  BOOST_TEST(maker.made == 0);
}

BOOST_AUTO_TEST_CASE(the_automatic_choice_goes_by_the_file) {
  Maker maker;
  Options const options = with(EngineChoice::automatic);
  {
    SizedFile const file(small);
    BOOST_TEST(!DeviceOpening(options, file.path(), maker.function()).begun());
  }
  BOOST_TEST(!DeviceOpening(options, "-", maker.function()).begun());
  BOOST_TEST(!DeviceOpening(options, "/nonexistent/file", maker.function()).begun());
  BOOST_TEST(maker.made == 0);
  SizedFile const file(large);
  BOOST_TEST(DeviceOpening(options, file.path(), maker.function()).begun());
  BOOST_TEST(maker.made == 1);
}

BOOST_AUTO_TEST_CASE(what_was_opened_is_given_away_once) {
  Maker maker;
  DeviceOpening opening(with(EngineChoice::cuda), "-", maker.function());
  BOOST_TEST(opening.begun());
  EngineMakers const makers = opening.makers();
  EngineOptions wanted;
  wanted.engine = EngineChoice::cuda;
  wanted.threads = 1;
  BOOST_TEST((makers.device(wanted) != nullptr));
  BOOST_TEST(maker.made == 1);
  BOOST_TEST((makers.device(wanted) != nullptr));
  BOOST_TEST(maker.made == 2);
}

// The driver translates while the device is opened: nothing is known of it later.
BOOST_AUTO_TEST_CASE(what_the_driver_translates_is_known_before_it_is_opened) {
  Maker maker;
  DeviceOpening opening(with(EngineChoice::cuda), "-", maker.function(), makeCudaBarrier,
                        [&](int) { return maker.made > 0 ? "" : "translates"; });
  EngineMakers const makers = opening.makers();
  EngineOptions wanted = engineOptionsOf(with(EngineChoice::cuda));
  BOOST_TEST((makers.device(wanted) != nullptr));
  BOOST_TEST(makers.translation(0) == "translates");
  BOOST_TEST(makers.translation(0) == "");
}

/// Counts the interior point methods that it makes, on the host.
struct BarrierMaker {
  std::atomic<int> made = 0;
  DeviceOpening::BarrierMaker function() {
    return [this](BarrierOptions const& options) {
      ++made;
      return makeHostBarrier(options);
    };
  }
};

BOOST_AUTO_TEST_CASE(a_large_file_opens_the_interior_point_method_as_well) {
  SizedFile const file(large);
  Maker maker;
  BarrierMaker barriers;
  DeviceOpening opening(with(EngineChoice::automatic), file.path(), maker.function(),
                        barriers.function());
  EngineMakers const makers = opening.makers();
  BarrierOptions wanted;
  wanted.threads = 1;
  BOOST_TEST((makers.deviceBarrier(wanted) != nullptr));
  BOOST_TEST(barriers.made == 1);
  BOOST_TEST((makers.deviceBarrier(wanted) != nullptr));
  BOOST_TEST(barriers.made == 2);
}

BOOST_AUTO_TEST_CASE(pivots_alone_need_no_interior_point_method) {
  SizedFile const file(large);
  Maker maker;
  BarrierMaker barriers;
  Options options = with(EngineChoice::cuda);
  options.algorithm = AlgorithmChoice::dual;
  DeviceOpening(options, file.path(), maker.function(), barriers.function());
  DeviceOpening(with(EngineChoice::cuda), "-", maker.function(), barriers.function());
  BOOST_TEST(maker.made == 2);
  BOOST_TEST(barriers.made == 0);
}

BOOST_AUTO_TEST_CASE(what_fails_beforehand_is_tried_again) {
  SizedFile const file(large);
  Maker maker;
  int tries = 0;
  DeviceOpening opening(with(EngineChoice::cuda), file.path(), maker.function(),
                        [&tries](BarrierOptions const& options) -> std::unique_ptr<Barrier> {
                          if (++tries == 1) throw EngineUnavailable("engine cuda: busy");
                          return makeHostBarrier(options);
                        });
  BarrierOptions wanted;
  wanted.threads = 1;
  BOOST_TEST((opening.makers().deviceBarrier(wanted) != nullptr));
  BOOST_TEST(tries == 2);
}

BOOST_AUTO_TEST_CASE(other_options_need_another_engine) {
  Maker maker;
  DeviceOpening opening(with(EngineChoice::cuda), "-", maker.function());
  EngineOptions wanted;
  wanted.engine = EngineChoice::cuda;
  wanted.threads = 1;
  wanted.device = 1;
  BOOST_TEST((opening.makers().device(wanted) != nullptr));
  BOOST_TEST(opening.begun());
}

BOOST_AUTO_TEST_CASE(a_failure_is_told_where_the_engine_is_asked_for) {
  DeviceOpening opening(with(EngineChoice::cuda), "-",
                        [](EngineOptions const&) -> std::unique_ptr<Engine> {
                          throw EngineUnavailable("engine cuda: none here");
                        });
  EngineOptions wanted;
  wanted.engine = EngineChoice::cuda;
  wanted.threads = 1;
  BOOST_CHECK_THROW(opening.makers().device(wanted), EngineUnavailable);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
