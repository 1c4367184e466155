// SPDX-License-Identifier: EPL-2.0
// What a lost device leaves in the book of results.
#include "osi_cuda/batch/result_book.hpp"

#include <boost/test/unit_test.hpp>

namespace osi_cuda::batch {
namespace {

BOOST_AUTO_TEST_SUITE(result_book)

// The device reported four ends and was lost before the certificates of the last two came.
BOOST_AUTO_TEST_CASE(reports_without_certificates_are_open_again) {
  BatchResults results;
  std::atomic<bool> stop = false;
  ResultBook book({}, results, {}, stop);
  auto const one = [](std::size_t) { return std::size_t{1}; };
  book.open(4, one, one);
  using enum SmallEnd;
  SmallEnd const ends[] = {optimal, infeasible, infeasible, unbounded};
  for (std::size_t k = 0; k < 4; ++k) book.report(k).end = ends[k];
  double const y[] = {1.0};
  book.addCertificate(1, y, y, {}, {});
  std::size_t const chosen[] = {0, 1, 2, 3};
  book.reopenUncertified(chosen);
  SmallEnd const expected[] = {optimal, infeasible, interrupted, interrupted};
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST((book.report(k).end == expected[k]));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::batch
