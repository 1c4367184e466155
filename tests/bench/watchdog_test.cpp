// SPDX-License-Identifier: EPL-2.0
#include "bench/watchdog.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <string>

using osi_cuda::bench::Watchdog;

namespace {

/// Exit status of a child that lives for `seconds` under a watchdog of a tenth of a second, and
/// what the watchdog wrote.
int childStatus(double seconds, std::string& written) {
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  pid_t const child = ::fork();
  if (child == 0) {
    {
      Watchdog const watchdog(0.1, [&] { [[maybe_unused]] auto n = ::write(ends[1], "late", 4); });
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    }
    std::_Exit(0);
  }
  ::close(ends[1]);
  char buffer[8];
  written.clear();
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    written.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_process_that_hangs_is_ended_and_says_so) {
  std::string written;
  BOOST_TEST(childStatus(60.0, written) == Watchdog::exitStatus);
  BOOST_TEST(written == "late");
}

BOOST_AUTO_TEST_CASE(a_process_that_is_in_time_is_left_alone) {
  std::string written;
  BOOST_TEST(childStatus(0.0, written) == 0);
  BOOST_TEST(written.empty());
}
