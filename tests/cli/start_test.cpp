// SPDX-License-Identifier: EPL-2.0
// What the program has done before it reads its first line.
#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(start)

// It waits for a problem that never comes. With OpenBLAS's own threads there would be one for each
// core.
BOOST_AUTO_TEST_CASE(no_library_starts_threads) {
  testing::TemporaryFolder const folder;
  std::string const pipe = folder.file("pipe");
  testing::Program program({"sh", "-c",
                            "mkfifo '" + pipe + "' && exec 3<>'" + pipe + "' || exit 3\n'" +
                                testing::osiCudaProgram() +
                                "' solve - --engine host <&3 &\n"
                                "for turn in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; grep -q libgomp "
                                "/proc/$!/maps && break; done\n"
                                "sleep 0.3; ls /proc/$!/task | wc -l; kill $!"});
  BOOST_TEST(program.wait() == 0);
  BOOST_TEST(std::stoi("0" + program.output()) == 1, program.output() << program.errors());
}

BOOST_AUTO_TEST_SUITE_END()
