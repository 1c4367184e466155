// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <type_traits>

#include "osi_cuda/engine/cuda/arena.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/team.hpp"
#include "osi_cuda/simplex/whole_lines.hpp"

namespace osi_cuda::cuda {

/// What a block owns of the rows or of the columns: successive positions from `first` on.
///
/// Eight threads of a warp form one entry of u or v together: a group. Group g has the positions
/// first + g, first + g + groups, ...; of these, each thread owns every eighth. So all that happens
/// to a line happens within one warp, and warps need not wait for each other between meetings.
struct Side {
  int first = 0, count = 0, tile = 1, total = 0;
};

/// What a team is compiled for.
template <Algorithm algorithm_, bool inShared_, bool wide_>
struct TeamKind {
  static constexpr Algorithm algorithm = algorithm_;
  static constexpr bool inShared = inShared_;  ///< state and sketch are, for sure
  /// Blocks may have more lines than groups, and more factors than there is shared memory for.
  static constexpr bool wide = wide_;
};

/// The Team of team.hpp on the device: every thread of a cooperative grid runs the pivot loop, all
/// take the same branches, and every result of a meeting is known to every thread.
///
/// Blocks meet by packets (packet.cuh), without fences but in grid_team_weights.cuh: what others
/// need of the entering column or the leaving row travels in a payload, everything else is read by
/// its owner only. Every block sends the line of its own candidate along, and reads that of the
/// winner. D has two owners of each entry (its row's and its column's), who zero it at exchanges: a
/// line zeroed in this launch counts as zero whatever memory says. All sums are formed in an order
/// that depends on sizes only, or are sums of whole numbers.
template <class Kind>
class GridTeam : public WholeLines<GridTeam<Kind>> {
 public:
  __device__ GridTeam(TableauView const& tableau, TeamView const& team, int used, Counters next);
  /// Writes the state back to where the host expects it.
  __device__ void store();

  // Arrays in shared memory are addressed by position like those in device memory: their addresses
  // are moved back by the block's first position.
  __device__ RowState rows() const {
    if (!Kind::inShared && !team_.stateInShared) return t_.rows;
    auto const array = [&](int k) {
      return piece<double>(places().rowNumbers[k]) - rowSide_.first;
    };
    return {piece<int>(places().rowVariable) - rowSide_.first,
            array(0),
            array(1),
            array(2),
            array(3),
            array(4),
            array(5),
            array(6)};
  }
  __device__ ColumnState columns() const {
    if (!Kind::inShared && !team_.stateInShared) return t_.columns;
    auto const array = [&](int k) {
      return piece<double>(places().columnNumbers[k]) - columnSide_.first;
    };
    return {piece<int>(places().columnVariable) - columnSide_.first,
            array(0),
            array(1),
            array(2),
            array(3),
            array(4),
            array(5),
            array(6),
            array(7)};
  }
  __device__ int used() const { return used_; }
  __device__ int capacity() const { return t_.capacity; }
  __device__ bool slack(int variable) const { return variable >= t_.n; }
  __device__ Counters next() const { return next_; }

  // Loops are not unrolled: most threads pass once, and the loop of pivots has to stay in the
  // instruction cache.
  template <class F>
  __device__ void forRows(F f) {
    forOwn(rowSide_, f);
  }
  template <class F>
  __device__ void forColumns(F f) {
    forOwn(columnSide_, f);
  }
  template <class T, class F, class Combine>
  __device__ T reduceRows(T const& zero, F f, Combine combine) {
    return reduce<Lines::rows>(zero, f, combine);
  }
  template <class T, class F, class Combine>
  __device__ T reduceColumns(T const& zero, F f, Combine combine) {
    return reduce<Lines::columns>(zero, f, combine);
  }
  template <class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harrisRows(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris<Lines::rows>(breakpoint, candidateOf);
  }
  template <class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harrisColumns(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris<Lines::columns>(breakpoint, candidateOf);
  }
  template <class KinksOf>
  __device__ rules::Turn turnRows(KinksOf kinksOf, double slope) {
    return turn<Lines::rows>(kinksOf, slope);
  }
  template <class KinksOf>
  __device__ rules::Turn turnColumns(KinksOf kinksOf, double slope) {
    return turn<Lines::columns>(kinksOf, slope);
  }

  __device__ void column(int q);
  __device__ void row(int r);
  __device__ void combineRows() { combineRows(rows().change, columns().change); }
  __device__ void combineColumns() { combineColumns(columns().change, rows().change); }
  __device__ void steepestProducts();
  __device__ void dualSteepestProducts();
  template <class DirectionOf, class BoundOf>
  __device__ void shortestSteps(DirectionOf directionOf, BoundOf boundOf) {
    if constexpr (!Kind::inShared)  // kernels of the usual rule are not to grow by this one
      apart([&](GridTeam& team) { team.shortestStepsApart(directionOf, boundOf); });
  }

  __device__ double columnWeight(int) const { return header<Lines::columns>().weight; }
  __device__ double rowWeight(int) const { return header<Lines::rows>().weight; }
  __device__ void setColumnValue(int q, double x) {
    if (owns(columnSide_, q)) columns().value[q] = x;
  }
  // Costs are by variable, and a variable may come to another block, through the basis, and be
  // shifted there again in the same launch: what one block adds to memory another need not see. So
  // each shift gets a place of its own, which one thread writes and nobody reads before the launch
  // is over; applyShifts adds them up.
  __device__ void shiftCost(int q, double delta) {
    int const number = shifts_++;
    if (!owns(columnSide_, q)) return;
    t_.shifts[number] = {columns().variable[q], delta};
    columns().reducedCost[q] += delta;
  }

  __device__ void updateColumnSketch(Exchange const& x);
  __device__ void updateRowSketch(Exchange const& x);
  __device__ void exchange(Exchange const& x);

 private:
  enum class Lines { columns, rows };
  static constexpr int lanes = 8;  ///< threads of a group
  static constexpr int groups = teamGroups;
  static constexpr int warps = teamThreads / 32;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int block() { return static_cast<int>(blockIdx.x); }
  __device__ static int group() { return thread() / lanes; }
  __device__ static int lane() { return thread() % lanes; }
  /// The first position (from the side's first on) that the thread owns.
  __device__ static int ownFirst() { return group() + groups * lane(); }
  __device__ static bool owns(Side const& side, int position) {
    int const i = position - side.first;
    return i >= 0 && i < side.count && i % teamThreads == ownFirst();
  }
  template <class F>
  __device__ static void forOwn(Side const& side, F f) {
    if constexpr (Kind::wide) {
#pragma unroll 1
      for (int i = ownFirst(); i < side.count; i += teamThreads) f(side.first + i);
    } else {  // one line a group at most
      if (lane() == 0 && group() < side.count) f(side.first + group());
    }
  }
  template <Lines kind>
  __device__ Side const& side() const {
    if constexpr (kind == Lines::columns)
      return columnSide_;
    else
      return rowSide_;
  }
  template <Lines kind>
  __device__ LinePlaces const& line() const {
    if constexpr (kind == Lines::columns)
      return places().column;
    else
      return places().row;
  }
  template <Lines kind>
  __device__ LineHeader& header() const {
    return *piece<LineHeader>(line<kind>().header);
  }

  // ---- memory
  __device__ SharedPlaces const& places() const {
    return team_.places;
  }
  template <class T>
  __device__ static T* piece(int place) {
#ifndef OSI_CUDA_EMULATED
    extern __shared__ double2 memory[];
#else
    char* const memory = emulated::sharedMemory();
#endif
    return reinterpret_cast<T*>(reinterpret_cast<char*>(memory) + place);
  }
  __device__ Ballot& ballot() const {
    return *piece<Ballot>(places().ballot);
  }
  __device__ int older() const {
    return Kind::wide ? older_ : 0;
  }
  /// Own lines of U' or V', `stride` apart: the older factors.
  template <Lines kind>
  __device__ double* older() const {
    return (kind == Lines::columns ? t_.v : t_.u) +
           static_cast<std::size_t>(side<kind>().first) * t_.stride;
  }
  /// The newest ones in shared memory, `sharedLines` apart.
  template <Lines kind>
  __device__ double* newest() const {
    return piece<double>(kind == Lines::columns ? places().vTile : places().uTile);
  }
  /// Whether an own line of D was zeroed in this launch.
  template <Lines kind>
  __device__ char* zeroed() const {
    return piece<char>(kind == Lines::columns ? places().columnZeroed : places().rowZeroed);
  }
  /// The kind of line that the sketch belongs to: columns of Z (primal), rows of W (dual).
  static constexpr Lines sketched =
      Kind::algorithm == Algorithm::primal ? Lines::columns : Lines::rows;
  __device__ float* sketchInMemory() const {
    return (sketched == Lines::columns ? t_.columnSketch : t_.rowSketch) +
           static_cast<std::size_t>(side<sketched>().first) *
               static_cast<std::size_t>(t_.sketchSize);
  }
  /// Own lines of Z' or W.
  __device__ float* sketch() const {
    if (Kind::inShared || team_.sketchInShared) return piece<float>(places().sketch);
    return sketchInMemory();
  }

  __device__ void takeState();
  template <Lines kind>
  __device__ void takeFactors() const;
  template <Lines kind>
  __device__ void flushFactors(int count) const;
  template <Lines kind>
  __device__ void zeroFactors(int line) const;

  // ---- meetings
  template <Lines kind, class T, class F, class Combine>
  __device__ T reduce(T const& zero, F f, Combine combine);
  template <Lines kind, class F>
  __device__ rules::Candidate choose(F f);
  template <Lines kind, class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harris(Breakpoint breakpoint, CandidateOf candidateOf);
  template <class T, class Combine>
  __device__ T gather(T partial, T const& zero, Combine combine, int lines);
  template <class T>
  __device__ void tell(Packet* box, T const& own, Tag tag) const;
  template <class T, class Combine>
  __device__ static T overWarp(T value, Combine combine);
  struct Best {
    std::uint64_t key;  ///< 0: nobody
    std::uint32_t tie;
    int slot;
    double ratio;
  };
  __device__ Best bestOfBallot(int count, double bound) const;
  static constexpr int ballotRounds = Kind::wide ? teamThreads / 32 : (teamGroups + 31) / 32;
  template <Lines kind>
  __device__ rules::Candidate takeWinner(Tag lineTag);
  template <Lines kind, class Breakpoint, class CandidateOf>
  __device__ void voteHarris(Breakpoint breakpoint, CandidateOf candidateOf, double limit);
  __device__ static double infinity() {
    return __longlong_as_double(0x7ff0000000000000ll);
  }
  __device__ void receiveChoice(Tag tag, int tile);
  __device__ void receiveHarris(Tag tag, int tile, bool again);

  // ---- where a slope turns
  template <Lines kind, class KinksOf>
  __device__ rules::Turn turn(KinksOf kinksOf, double slope);
  template <Lines kind, class F>
  __device__ unsigned forKinks(Tag tag, F f) const;
  template <Lines kind>
  __device__ __noinline__ rules::Turn findTurn(Tag tag);
  __device__ void findBin(std::uint64_t below) const;
  template <Lines kind>
  __device__ bool chooseAmongFew(Tag tag, TurnRange const& range, rules::Turn& result) const;
  /// By position, first kinks and then second ones.
  template <Lines kind>
  __device__ Packet* kinkBox(Tag tag) const {
    return (kind == Lines::rows ? team_.kinkBox : team_.kinkBox + 4 * rowSide_.total) +
           (tag & 1) * 2 * side<kind>().total;
  }

  // ---- lines: the entering column's of V, the leaving row's of U
  struct Offer {
    int position = -1;   ///< of the line that came with the candidate that won
    double entry = 0.0;  ///< D's entry at the thread's first own position
  };
  // Two lines of a kind may follow each other without a meeting between: by the tag's parity.
  template <Lines kind>
  __device__ Packet* payloadOf(int block, Tag tag) const {
    return (kind == Lines::columns ? team_.columnPayload : team_.rowPayload) +
           static_cast<std::size_t>((tag & 1) * team_.blocks + block) * team_.payloadLength;
  }
  template <Lines kind>
  __device__ void sendLine(int position, Tag tag, rules::Candidate const& chosen) const;
  /// How much of the sketch travels with a line: all of it with a line of the kind that has one.
  template <Lines kind>
  __device__ int sketchLength() const {
    return kind == sketched ? t_.sketchSize : 0;
  }
  /// Each warp calls afterwards() once, when what it looks for first is there.
  template <Lines kind, class Afterwards>
  __device__ void receiveLine(int block, Tag tag, Afterwards afterwards) const;
  /// D's entry of a column at own row i, of a row at own column j (from the side's first on).
  template <Lines kind>
  __device__ double const* entryOf(int position, int i) const {
    return kind == Lines::columns
               ? t_.base + static_cast<std::size_t>(rowSide_.first + i) * t_.n + position
               : t_.base + static_cast<std::size_t>(position) * t_.n + columnSide_.first + i;
  }
  template <Lines kind>
  __device__ void takeLine(int position, Offer& offer, double* entries);
  template <Lines kind>
  __device__ __noinline__ void fetchLine(int position);
  template <Lines kind, int rounds>
  __device__ void dots(int begin, double const* coefficients, double (&sum)[rounds]) const;
  template <Lines kind, class Take>
  __device__ void products(double const* coefficients, Take take) const;

  // ---- products with all of T
  /// Calls f on a copy of the team, which may then live in memory: the functions of rare stages are
  /// not inlined, and the team itself stays in registers.
  template <class F>
  __device__ void apart(F f) {
    GridTeam copy(*this);
    f(copy);
    next_ = copy.next_;
    columnOffer_ = copy.columnOffer_;
    rowOffer_ = copy.rowOffer_;
  }
  __device__ void combineRows(double const* g, double* out) {
    apart([&](GridTeam& team) { team.combineRowsApart(g, out); });
  }
  __device__ void combineColumns(double const* g, double* out) {
    apart([&](GridTeam& team) { team.combineColumnsApart(g, out); });
  }
  /// They return the number of nonzeros of g.
  __device__ __noinline__ int combineRowsApart(double const* g, double* out);
  __device__ __noinline__ int combineColumnsApart(double const* g, double* out);
  template <class DirectionOf, class BoundOf>
  __device__ __noinline__ void shortestStepsApart(DirectionOf directionOf, BoundOf boundOf) const;
  template <class T, class Combine>
  __device__ __noinline__ T gatherApart(T const& partial, T const& zero, Combine combine,
                                        int lines) {
    return gather(partial, zero, combine, lines);
  }
  template <class F>
  __device__ int forNonzeros(double const* g, int begin, int end, F f) const;
  template <Lines kind>
  __device__ int shareActive(Tag tag, double const* g);
  template <Lines kind>
  __device__ double foldedOf(double const* g, int l) const;
  template <Lines kind>
  __device__ void sendFolded(Tag tag, double const* g) const;
  __device__ void receiveHeads(Tag tag) const;
  __device__ void receiveFolded(Tag tag) const;
  __device__ int listActive(Tag tag, Side const& side, int begin, int total) const;
  /// By block, from its first position on: nonzeros of the vector being combined.
  __device__ Packet* activeBox(Tag tag) const {
    return team_.activeBox + (tag & 1) * team_.activeLength;
  }
  /// By block: how many those are.
  __device__ Packet* headBox(Tag tag, int copy) const {
    return team_.headBox + ((tag & 1) * boxCopies + copy) * mostBlocks;
  }
  /// By block, `stride` apart: its share of U g or V g.
  __device__ Packet* foldBox(Tag tag) const {
    return team_.foldBox + static_cast<std::size_t>((tag & 1) * team_.blocks) * t_.stride;
  }
  __device__ float4 signs(int l, int i) const;

  // ---- the same by the shadow, for exact weights
  __device__ __noinline__ int combineShadowRows(double const* g, double* out);
  __device__ __noinline__ int combineShadowColumns(double const* g, double* out);
  __device__ int shareShadowRows(double const* g) const;
  __device__ void addRowShares(double* out) const;
  __device__ void multiplyShadow(double* out) const;
  template <Lines kind>
  __device__ void shareFolded(double const* g) const;
  __device__ int meetWithShares(Tag tag, int nonzeros) const;
  __device__ void sendFoldedSums(Tag tag) const;
  __device__ void receiveFoldedSums(Tag tag) const;
  __device__ void zeroShadow(Exchange const& x) const;
  /// The shadow's line of own row i (from the side's first on), by four columns.
  __device__ float4* shadowLine(int i) const {
    return reinterpret_cast<float4*>(t_.shadow + static_cast<std::size_t>(rowSide_.first + i) *
                                                     t_.shadowStride);
  }
  /// Of the sums in the fold box, `stride` apart: not all blocks poll the same memory.
  __device__ int foldCopies() const {
    return min(boxCopies, team_.blocks);
  }
  static constexpr int leastShare = 8;  ///< of the entries, one in so many is a nonzero

  TableauView const& t_;
  TeamView const& team_;
  Side rowSide_, columnSide_;
  int used_;   ///< k
  int older_;  ///< of those, so many are not in shared memory; a multiple of sharedLines
  Counters next_;
  int shifts_ = 0;            ///< how many there were in this launch
  bool fewNonzeros_ = false;  ///< in the last product for exact weights
  Offer columnOffer_, rowOffer_;
};

}  // namespace osi_cuda::cuda
