// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "readers/nl_expressions.hpp"

namespace osi_cuda::readers {

/// What the ten lines at the beginning of a .nl file say, as far as linear problems need it.
struct NlHeader {
  std::vector<int> options;     ///< of the first line, to be handed back in the .sol file
  double boundTolerance = 0.0;  ///< handed back as well, where options[1] is 3
  int variables = 0;
  int constraints = 0;
  int objectives = 0;
  int commonExpressions = 0;
  int functions = 0;
  /// What the segments are counted against; -1 where a short line does not say.
  int ranges = -1, equations = -1;  ///< constraints with two bounds, different or equal
  int jacobianEntries = -1;         ///< of all segments J
  int gradientEntries = -1;         ///< of all segments G
  /// Variables are ordered: those that are nonlinear somewhere, each kind with its integers last,
  /// then linear ones, of which the binaries and the other integers come last.
  int nonlinearInConstraints = 0;
  int nonlinearInObjectives = 0;
  int nonlinearInBoth = 0;
  int binaries = 0;
  int integers = 0;
  int integersInBoth = 0;
  int integersInConstraints = 0;
  int integersInObjectives = 0;

  /// A mark for each variable, 1 for an integer one; empty if there is none.
  std::vector<char> integerMarks() const;
};

/// Reads the header and leaves `tokens` behind it, in the form that it announces. Throws ReadError,
/// also for what no linear problem has: logical and complementarity constraints.
NlHeader readNlHeader(NlTokens& tokens);

/// Whether a file that begins so is a .nl file: g or b and a number, then lines of numbers.
bool isNl(std::string_view beginning);

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
