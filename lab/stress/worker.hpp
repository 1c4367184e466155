// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>

namespace osi_cuda::stress {

/// What a worker process is told when it starts.
struct WorkerSettings {
  bool peerPresolve = true;  ///< the peers as their own programs solve
  double truthTime = 2.0;    ///< seconds for what is true of a problem; 0: not asked
};

/// Serves requests until `requests` ends: a line each, fields between tabs, each answered by one
/// line on `replies` (file descriptors).
///
///     problem KIND SEED BASE FILE    makes a problem: "made ROWS COLUMNS NONZEROS"; BASE and FILE
///                                    are "-" for a kind that constructs
///     own ENGINE ALGORITHM PRICING LIMIT     solves it: a claim. ENGINE may be a way (ways.hpp);
///                                    "absent ENGINE" where that is not for such a problem
///     peer NAME LIMIT                "clp" or "highs": a claim, or "absent NAME" where it is not
///                                    there
///     exact                          a claim of solver "exact", its objective a NaN
///     objective                      of a problem that has an optimum, exactly solved and rounded:
///                                    "optimum NUMBER"
///     write FILE                     as free MPS: "written"
///
/// What fails is answered by "failed SENTENCE".
void serve(int requests, int replies, WorkerSettings const& settings);

/// Has each line of `requests` answered by one on `replies`, until `requests` ends.
void serveLines(int requests, int replies,
                std::function<std::string(std::string const&)> const& answer);

}  // namespace osi_cuda::stress
