// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace osi_cuda::textbook {

enum class Place { host, device };
/// How the entering column is chosen. Greatest improvement needs every column's ratio test, and the
/// device has four kernels for that.
enum class Rule {
  largest,         ///< largest coefficient (Dantzig 1947)
  greatest,        ///< on the processor
  greatestThread,  ///< a thread a column
  greatestBlock,   ///< a block of threads a column
  greatestTile,    ///< tiles of columns by rows: a block has 32 columns, its warps share the rows
  greatestParts    ///< the same with the rows in parts, and a second kernel that joins the parts
};
/// Where a pivot writes the new tableau: over the old one, whose pivot row and column are saved
/// before, or into a second one.
enum class Buffers { one, two };
/// How the loop over pivots is driven.
enum class Drive {
  oneCore,     ///< processor: one core, no vector instructions
  vectors,     ///< processor: one core with vector instructions
  allCores,    ///< processor: OpenMP, with vector instructions
  hostFlag,    ///< device: the host reads after every pivot whether to go on
  queue,       ///< device: the host queues kernels and reads an old flag now and then
  graph,       ///< device: a CUDA graph with a WHILE node
  persistent,  ///< device: one kernel of all pivots, whose blocks meet between the steps
};
enum class Precision { doubles, singles };
/// Which entries of the tableau are neighbours in memory: those of a row, or those of a column.
enum class Layout { rows, columns };

struct Variant {
  Place place = Place::host;
  Rule rule = Rule::largest;
  Buffers buffers = Buffers::one;
  Drive drive = Drive::oneCore;
  Precision precision = Precision::doubles;
  Layout layout = Layout::rows;
};

/// Names of the values of one axis, as they stand on the command line and in results.
struct Axis {
  std::string name;
  std::vector<std::string> values;
};
/// place, rule, buffers, drive, precision, layout.
std::vector<Axis> const& axes();

/// The words of a variant, in the order of axes().
std::vector<std::string> wordsOf(Variant const& variant);

/// Every combination that makes sense: rules and drives belong to a place.
std::vector<Variant> allVariants();

enum class Ending { running, optimal, infeasible, unbounded, pivotLimit, timeLimit };
char const* toString(Ending ending);

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::int64_t pivots = std::numeric_limits<std::int64_t>::max();
  std::uint64_t seed = 1;  ///< of random ties
};

/// What came out of a run.
struct Outcome {
  Ending ending = Ending::running;
  std::int64_t pivots = 0, phase1Pivots = 0;
  /// Fingerprint of the sequence of (entering, leaving): equal for runs that made the same pivots.
  std::uint64_t path = 0;
  double entries = 0.0;        ///< of the tableau, rewritten by all pivots together
  double setupSeconds = 0.0;   ///< memory, layout, upload; download of the solution
  double pivotSeconds = 0.0;   ///< from the first choice to the last pivot
  std::vector<double> values;  ///< x, by column of the problem
};

}  // namespace osi_cuda::textbook
