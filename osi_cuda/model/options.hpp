// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/pricing.hpp"

namespace osi_cuda {

/// A value of an option and the word for it.
template <class T>
struct Word {
  char const* word;
  T value;
};

enum class EngineChoice { automatic, cuda, host };
inline constexpr Word<EngineChoice> engineWords[] = {
    {"auto", EngineChoice::automatic}, {"cuda", EngineChoice::cuda}, {"host", EngineChoice::host}};
/// Whether that is a device, by name.
constexpr bool isDevice(EngineChoice engine) {
  return engine != EngineChoice::automatic && engine != EngineChoice::host;
}
enum class AlgorithmChoice { automatic, primal, dual, barrier, race };
/// Whether that is for a beginning: what goes on from a basis does so by pivots.
constexpr bool forStarts(AlgorithmChoice algorithm) {
  return algorithm == AlgorithmChoice::barrier || algorithm == AlgorithmChoice::race;
}
/// Several algorithms at once: the first proof wins, or, by work, the one of the least counted
/// work, so that it ends alike every time. Automatic: algorithm automatic races by time where at
/// least four threads are idle; time: where two are.
enum class RaceChoice { automatic, off, time, work };
using PricingChoice = Pricing;  ///< `automatic` is one
enum class Representation { automatic, tableau, factors };
enum class Toggle { automatic, off, on };
/// What exact proofs take the numbers of a problem for: the doubles, or the shortest decimals that
/// are read as these doubles, 1/10 for 0.1. Automatic: the doubles; whoever reads a text and is
/// asked for an exact proof makes it decimals.
enum class ExactNumbers { automatic, doubles, decimals };
/// Which cut generators a search for integers uses. `few`: without those that cost most per row.
enum class Cuts { automatic, off, few, all };
/// What searches for integers: branch and bound of this library, whose bound is proved, or Cbc.
enum class SearchChoice { automatic, own, cbc };

/// What follows where a device fails in the middle of a solve and no other one opens: the host goes
/// on, or the solve ends with DeviceLost. Automatic is `host` but for programs that begin again.
enum class DeviceLoss { automatic, host, stop };

/// Options of a solve. Names, ranges and help texts are in optionTable().
struct Options {
  EngineChoice engine = EngineChoice::automatic;
  AlgorithmChoice algorithm = AlgorithmChoice::automatic;
  RaceChoice race = RaceChoice::automatic;
  /// With the barrier: continue from its point to a vertex (Megiddo 1991; Bixby and Saltzman 1994).
  /// Off: return its point (Status::interior).
  bool crossover = true;
  Pricing pricing = Pricing::automatic;
  Representation representation = Representation::automatic;   ///< of the basis, on the host
  double timeLimit = std::numeric_limits<double>::infinity();  ///< seconds
  std::int64_t iterationLimit = std::numeric_limits<std::int64_t>::max();
  /// The dual simplex stops when the optimum is proved to be worse than this, in the problem's own
  /// sense: above it when minimizing, below it when maximizing. Infinite of either sign: none.
  double objectiveLimit = std::numeric_limits<double>::infinity();
  double primalTolerance = 1e-7;  ///< largest Residuals::primal of an optimum
  double dualTolerance = 1e-7;  ///< largest Residuals::dual; of complementarity: the larger of both
  /// Bounds and sides of rows of at least this size are infinite where files, C or Python give
  /// them. OSI has its own, COIN_DBL_MAX, and 1e30 in files; C++ has the infinity of IEEE.
  double infiniteFrom = 1e20;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  int device = 0;   ///< CUDA device number
  /// CUDA devices that share a dense solve by the interior point method, problems of a batch, nodes
  /// of the own search: "all", or numbers as in "0,2"; empty: `device` alone. Pivots of a solve are
  /// made on the first. A device that is named twice takes two shares of a solve.
  std::string devices;
  DeviceLoss deviceLoss = DeviceLoss::automatic;
  int blockSize = 0;   ///< K, pivots between two block updates; 0: by size
  int sketchSize = 0;  ///< k, rows of the sketch of sketched pricing; 0: by size
  bool scaling = true;
  Toggle perturbation = Toggle::automatic;
  /// Solve a reduced problem first, and start the original one at the postsolved basis.
  Toggle presolve = Toggle::automatic;
  /// Prove the status in rational arithmetic, too: Solution::exact. Automatic: if the error of the
  /// objective is large or a proof fails, and the problem is small.
  Toggle exact = Toggle::automatic;
  ExactNumbers exactNumbers = ExactNumbers::automatic;
  /// Look for finite ends of Solution::objectiveEnclosure. Automatic: where that is quick beside
  /// the pivots. On: for as long as it takes, by rational arithmetic at last.
  Toggle enclose = Toggle::automatic;
  /// How many of the solves that hold this counter pivot on a device at present. Where others do, a
  /// solve takes its part of the multiprocessors only, and its last digits depend on that. Null: it
  /// takes what suits it alone.
  std::shared_ptr<std::atomic<int>> atWork;
  /// The solve is one of many of a search: from a basis it ends at a point within the tolerances.
  /// Others continue to residuals of 1e-9.
  bool oneOfMany = false;

  // Of a search for integers alone (integers/integer_search.hpp).
  double absoluteGap = 1e-6;  ///< it ends, and leaves out nodes, within this of the optimum
  double relativeGap = 0.0;   ///< times the larger absolute value of incumbent and bound
  std::int64_t nodeLimit = std::numeric_limits<std::int64_t>::max();
  int searchThreads = 1;
  Cuts cuts = Cuts::automatic;
  SearchChoice search = SearchChoice::automatic;
  int searchBatch = 0;         ///< nodes that the own search solves together; 0: by the processor
  double searchMemory = 1000;  ///< MB of open nodes of the own search, at most

  bool operator==(Options const&) const = default;
};

/// The number of the device that a solve's engine is on: the first of `devices`.
int firstDevice(Options const& options);
/// The numbers in "0,2", in that order; empty where the text is anything else.
std::vector<int> numbersIn(std::string_view text);

enum class OptionKind { choice, integer, number, list };

/// One option: all that a command line, a parameter interface or a table of documentation needs.
struct OptionRecord {
  std::string name;  ///< kebab-case, without dashes in front
  OptionKind kind = OptionKind::choice;
  std::string defaultText;           ///< what get() gives for Options{}
  std::vector<std::string> choices;  ///< the words it accepts; of a number: the words besides it
  double minimum = 0.0;              ///< of an integer or number, inclusive
  double maximum = 0.0;              ///< inclusive; may be infinite
  std::string values;                ///< choices and range as a phrase: "none or a number >= 0"
  std::string help;                  ///< one line
  bool ofBatches = false;            ///< batches honour it, too

  /// Sets the option from text. Returns an empty string, or what was expected and what was found;
  /// the options are unchanged then.
  std::function<std::string(Options&, std::string_view)> set;
  /// The text that set() reads back as the same value.
  std::function<std::string(Options const&)> get;
  /// Whether these options hold a value that set() could have given; a NaN and what is out of range
  /// are none.
  std::function<bool(Options const&)> holds;
  std::function<void(Options const& from, Options& to)> copy;  ///< the option's value
};

/// All options, in the order in which help shows them.
std::vector<OptionRecord> const& optionTable();

/// The record of that name, or null.
OptionRecord const* findOption(std::string_view name);

/// Sets the option `name` from text. Returns an empty string, or a message that says what is
/// wrong; the options are unchanged then.
std::string setOption(Options& options, std::string_view name, std::string_view text);

/// Checks options that were not set by setOption. Returns an empty string, or a message that
/// names the first option whose value is none: "option time-limit: expected ..., found '-1'".
std::string findFault(Options const& options);

}  // namespace osi_cuda
