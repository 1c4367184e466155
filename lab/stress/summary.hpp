// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "lab/stress/campaign.hpp"

namespace osi_cuda::stress {

/// Counts by kind, and their table.
class Summary {
 public:
  struct Counts {
    int problems = 0, solves = 0, right = 0, wrong = 0, unsettled = 0;
    int numerical = 0, timeLimit = 0, crash = 0, hang = 0;
    int missing = 0;  ///< no answer where another one stands up
    int wanted = 0;   ///< solves of problems for which a peer, or exact arithmetic, has an answer
    struct Peer {
      int solves = 0, wrong = 0, missing = 0;
    };
    std::map<std::string, Peer> peers;

    void add(Counts const& other);
  };

  void add(ProblemResult const& result);
  Counts total() const;
  /// A sentence about optima that are known exactly: enclosures, misses, reported residuals.
  std::string enclosures() const;
  /// Every count as a Markdown table, kinds in the order of kinds().
  void print(std::ostream& out, std::vector<std::string> const& peers) const;
  /// The shorter table of docs/evidence/reliability.md: false and missing answers, ours and the
  /// peers'.
  void printShort(std::ostream& out, std::vector<std::string> const& peers) const;

 private:
  std::map<std::string, Counts> byKind_;
  std::vector<double> widths_;  // finite, relative
  int known_ = 0, missed_ = 0, untold_ = 0, understated_ = 0;
};

/// The heading of the file of all claims, and the lines of one problem.
std::string csvHeading();
std::string csvLines(ProblemResult const& result);

}  // namespace osi_cuda::stress
