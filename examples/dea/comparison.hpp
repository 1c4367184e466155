// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "examples/dea/envelopment.hpp"

namespace osi_cuda::examples::dea {

/// Scores of some units by another way, a thread each, every problem by itself.
struct Comparison {
  std::string solver;         ///< name and version
  std::size_t units = 0;      ///< so many were compared
  double seconds = 0.0;       ///< that took
  double difference = 0.0;    ///< the largest between two scores of a unit
  std::size_t different = 0;  ///< units without an optimum there
};

/// By this solver, one unit after the other, or by HiGHS. As many units, spread over all, as take
/// `seconds`, at least one a thread.
Comparison compareWithSingles(Units const& units, Question const& question,
                              Analysis const& analysis, int threads, double seconds);
Comparison compareWithHighs(Units const& units, Question const& question, Analysis const& analysis,
                            int threads, double seconds);

}  // namespace osi_cuda::examples::dea
