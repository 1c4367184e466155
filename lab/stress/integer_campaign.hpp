// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace osi_cuda::stress {

/// Problems with integer columns to make, and how to have them solved.
struct IntegerCampaign {
  std::vector<std::string> families, interfaces;
  std::uint64_t firstSeed = 1, lastSeed = 1;
  std::int64_t solves = 0;  ///< when above 0: as many seeds, from the first on, as that takes
  int jobs = 1;
  double patience = 60.0;           ///< seconds for a solve, then its process is ended
  std::string writeFailures;        ///< a folder for the problems that failed, or empty
  std::string csv;                  ///< a file with a line for each solve, or empty
  std::vector<std::string> worker;  ///< command of a worker process
};

struct IntegerCounts {
  std::int64_t problems = 0, solves = 0, right = 0, wrong = 0, stopped = 0, none = 0, crash = 0,
               hang = 0, unsettled = 0;
  std::int64_t cbcs = 0;  ///< false claims of a CbcModel that are not OsiCuda's
  double seconds = 0.0;
  void add(IntegerCounts const& other);
};

/// Runs it, several processes at a time; prints each false claim with the command that repeats it,
/// and at the end tables by family and by interface. `unsettled` are problems that enumeration does
/// not settle.
IntegerCounts run(IntegerCampaign const& campaign, std::ostream& out);

/// Serves a campaign: lines "FAMILY SEED INTERFACE" and "write FAMILY SEED FILE", fields between
/// tabs. The answers: "absent", "unsettled", "written", "failed SENTENCE", or a verdict (right,
/// stopped, none, cbc's, wrong), seconds and what is wrong, between tabs.
void serveIntegers(int requests, int replies);

}  // namespace osi_cuda::stress
