// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "readers/nl_header.hpp"
#include "readers/nl_tokens.hpp"

namespace osi_cuda::readers {

/// Holds the segments of a .nl file against each other and against its header. A file that was cut
/// off between two segments, or has one of them twice, is well formed but another problem.
class NlCounts {
 public:
  /// Both must outlive the object.
  NlCounts(NlTokens& tokens, NlHeader const& header);

  /// A segment that there may be once: F, C, J, O and G for each function, constraint or objective
  /// `number`, the others for the whole file. Throws ReadError for a second one.
  void segment(char kind, int number = 0);
  /// A list in which each number below `size` may be once, and its numbers. Throws ReadError for
  /// one that is there already.
  void beginList(int size);
  void listed(int number);
  /// One entry of a segment J, or of a segment G.
  void entry(int column) {
    ++columnEntries_[at(column)];
    ++jacobianEntries_;
  }
  void gradientEntry() { ++gradientEntries_; }
  /// The bounds of one constraint.
  void rowBounds(double lower, double upper);
  /// What segment k says of the entries of each column but the last.
  void columnCounts(std::vector<int> counts) { counts_ = std::move(counts); }

  /// At the end of the file, which the tokens have to be at: throws ReadError where a segment is
  /// missing, or a number in the header is another one. `undefined` is the number of a common
  /// expression without a segment V, or -1.
  void complete(int undefined) const;

 private:
  void need(std::string const& expected) const;
  void needCount(std::int64_t found, int expected, std::string const& what) const;

  NlTokens& tokens_;
  NlHeader const& header_;
  struct Kind {
    char letter;
    char const* of;          ///< "constraint ", or "" of the whole file
    bool needed;             ///< each of them has to be there
    std::vector<char> seen;  ///< by number
  };
  std::vector<Kind> kinds_;
  std::vector<int> inList_;  ///< the list in which each number was last
  int list_ = 0;
  std::vector<int> columnEntries_, counts_;
  std::int64_t jacobianEntries_ = 0, gradientEntries_ = 0;
  int ranges_ = 0, equations_ = 0;
};

}  // namespace osi_cuda::readers
