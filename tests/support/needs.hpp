// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <functional>
#include <string>

// Tests that need something which is not on every machine: data, a program, a device. What is left
// out says so on standard output in a line "skipped: CASE: REASON", and a test program of which
// everything was left out ends with the status that CTest takes for "skipped" (main.cpp).

namespace osi_cuda::testing {

/// Cases of this program that were left out.
inline int skippedCases = 0;

/// Says that a part of the running case is left out, such as one of several programs that is not
/// installed.
inline void skipPart(std::string const& reason) {
  std::printf("skipped: %s: %s\n", boost::unit_test::framework::current_test_case().p_name->c_str(),
              reason.c_str());
}

/// A case that runs where `whyNot` returns an empty text; otherwise that is the reason:
///     BOOST_AUTO_TEST_CASE(name, *testing::needs(whyNoData)) { ... }
inline boost::unit_test::decorator::precondition needs(std::function<std::string()> whyNot) {
  return boost::unit_test::decorator::precondition(
      [whyNot](boost::unit_test::test_unit_id id) -> boost::test_tools::assertion_result {
        std::string const reason = whyNot();
        if (reason.empty()) return true;
        ++skippedCases;
        std::printf("skipped: %s: %s\n",
                    boost::unit_test::framework::get(id, boost::unit_test::TUT_ANY).p_name->c_str(),
                    reason.c_str());
        return false;
      });
}

/// A case that needs this file or folder.
inline boost::unit_test::decorator::precondition needsFile(std::string const& path) {
  return needs([path] {
    std::FILE* const file = std::fopen(path.c_str(), "r");
    if (file) std::fclose(file);
    return file ? std::string() : "there is no " + path;
  });
}

}  // namespace osi_cuda::testing
