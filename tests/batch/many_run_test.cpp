// SPDX-License-Identifier: EPL-2.0
// What a lost device leaves of a run.
#include "osi_cuda/batch/many_run.hpp"

#include <boost/test/unit_test.hpp>

namespace osi_cuda::batch {
namespace {

/// Four problems with a column and a row each.
class FourProblems : public ManyRun {
 public:
  FourProblems(BatchOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
               std::atomic<bool>& stop)
      : ManyRun(options, results, callbacks, stop) {
    auto const one = [](std::size_t) { return std::size_t{1}; };
    open(4, one, one);
  }
  using ManyRun::addCertificate;
  using ManyRun::reopenUncertified;
  using ManyRun::report;

 private:
  double solveOn(DeviceMany&, DeviceJob) override { return 0.0; }
  bool makeSolvers() override { return false; }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t, int) override { return {}; }
  LinearProgram problemOf(std::size_t) const override { return {}; }
};

BOOST_AUTO_TEST_SUITE(many_run)

// The device reported four ends and was lost before the certificates of the last two came.
BOOST_AUTO_TEST_CASE(reports_without_certificates_are_open_again) {
  BatchOptions const options;
  BatchCallbacks const callbacks;
  BatchResults results;
  std::atomic<bool> stop = false;
  FourProblems run(options, results, callbacks, stop);
  using enum BatchStatus;
  BatchStatus const ends[] = {optimal, infeasible, infeasible, unbounded};
  for (std::size_t k = 0; k < 4; ++k) run.report(k).end = ends[k];
  run.addCertificate(1, {1, {1.0}, {1.0}, {}, {}, 0.0});
  std::size_t const chosen[] = {0, 1, 2, 3};
  run.reopenUncertified(chosen);
  BatchStatus const expected[] = {optimal, infeasible, interrupted, interrupted};
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST((run.report(k).end == expected[k]));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::batch
