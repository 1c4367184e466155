// SPDX-License-Identifier: EPL-2.0
//
// The corpus of the fuzzers, and every beginning of its files, without the fuzzer.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/fuzz_targets.hpp"

namespace osi_cuda::testing {
namespace {

std::string contentOf(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuzz)

BOOST_AUTO_TEST_CASE(corpus) {
  std::filesystem::path const folder =
      std::filesystem::path(OSI_CUDA_TEST_FOLDER) / "fuzz" / "corpus";
  for (FuzzTarget const& target : fuzzTargets) {
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder / target.name)) {
      std::string const text = contentOf(entry.path());
      BOOST_TEST_CONTEXT(entry.path().string()) {
        for (std::size_t size = 0; size <= text.size(); ++size) {
          BOOST_CHECK_NO_THROW(target.run(std::string_view(text).substr(0, size)));
        }
      }
      ++files;
    }
    BOOST_TEST(files > 0, target.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
