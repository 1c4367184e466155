// SPDX-License-Identifier: EPL-2.0
// Who hears that the driver has to translate kernels first.
#include "osi_cuda/engine/cuda/translation.hpp"
#include "osi_cuda/engine/cuda_module.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/emulated_runtime/emulated_runtime.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(translation_of_kernels)

BOOST_AUTO_TEST_CASE(machine_code_serves_later_cards_of_its_major_number) {
  BOOST_TEST(cuda::hasMachineCode("75 80 90", 8, 6));
  BOOST_TEST(cuda::hasMachineCode("75 80 90", 9, 0));
  BOOST_TEST(cuda::hasMachineCode("100", 10, 3));
  BOOST_TEST(!cuda::hasMachineCode("75 86 90", 8, 0));
  BOOST_TEST(!cuda::hasMachineCode("75 80 90", 10, 0));
  BOOST_TEST(!cuda::hasMachineCode("", 7, 5));
}

// The emulated engine has machine code for compute capability 9.0.
BOOST_AUTO_TEST_CASE(the_sentence_comes_before_the_translation_and_not_after_it) {
  testing::TemporaryFolder const folder;
  setenv("CUDA_CACHE_PATH", folder.path().c_str(), 1);
  auto const sentence = [](int capability) {
    emulated_runtime::reset();
    emulated_runtime::setCapability(capability);
    return cuda::translation(0);
  };
  BOOST_TEST(sentence(0) == "");
  BOOST_TEST(sentence(90) == "");
  BOOST_TEST(sentence(86).rfind(translationWords, 0) == 0u);
  std::ofstream(folder.file("index")) << "kept";
  BOOST_TEST(sentence(86) == "");
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  BOOST_TEST(sentence(86) != "");
  unsetenv("CUDA_CACHE_DISABLE");
  namespace fs = std::filesystem;
  fs::last_write_time(folder.file("index"),
                      fs::last_write_time(testing::osiCudaProgram()) - std::chrono::hours(1000));
  BOOST_TEST(sentence(86) != "");  // the module came later
  unsetenv("CUDA_CACHE_PATH");
}

BOOST_AUTO_TEST_SUITE_END()
