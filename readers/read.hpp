// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

enum class Format {
  automatic,  ///< found out from the content
  mps,        ///< fixed or free, found out line by line
  fixedMps,   ///< fields by column position: names may hold blanks
  freeMps,    ///< fields between blanks
  cplexLp,    ///< the LP format of CPLEX
  lpSolveLp,  ///< the LP format of lp_solve
  npz,        ///< arrays of NumPy
  nl,         ///< what AMPL writes for solvers, text or binary
  smps        ///< the core of a stochastic program: its deterministic equivalent is read
};

/// What becomes of rows without bounds (rows of type N besides the objective).
enum class FreeRows {
  drop,  ///< as Clp, CPLEX and HiGHS do; a notice says so
  keep   ///< they become rows with infinite bounds
};

/// A text file is read in pieces that end with a line, by several threads.
struct Pieces {
  std::size_t bytes = 0;    ///< a piece ends with the line that brings it to so many; 0: by itself
  bool lineByLine = false;  ///< MPS: no pieces at all, what reading in pieces is tested against
};

/// What "x free" does to a bound that an LP file of CPLEX gave x before.
enum class FreeColumns {
  bothBounds,  ///< both bounds go, as for CPLEX, GLPK and HiGHS
  lowerOnly    ///< as for CoinUtils, which writes -inf <= x <= 8 so: "x <= 8" and "x Free"
};

struct ReadOptions {
  Format format = Format::automatic;
  FreeRows freeRows = FreeRows::drop;
  /// Bounds and sides of at least this size are infinite; a notice counts those below 1e30.
  double infiniteFrom = 1e20;
  FreeColumns freeColumns = FreeColumns::bothBounds;
  /// Bytes that a compressed file may expand to; 0: 256 MiB plus 200 times its size.
  std::uint64_t decompressedLimit = 0;
  /// Threads that read; 0: as many as there are cores. At most 32; files below a megabyte take one.
  /// What is read does not depend on it, and neither do errors.
  int threads = 0;
  /// Whether a matrix may stand on a DenseArray, by columns, where that takes less memory.
  bool denseArrays = false;
  /// How a file is cut; tests cut in odd places.
  Pieces pieces = {};
  /// SMPS: the files that belong to the core; empty: those that lie beside it.
  std::string time = {}, stoch = {};
  /// Asked every few milliseconds while reading, by the thread that called; true stops it with
  /// ReadInterrupted.
  std::function<bool()> interrupted = nullptr;
};

struct ReadResult {
  LinearProgram lp;  ///< findFault(lp) is empty; rows ascend within each column of the matrix
  std::vector<std::string> notices;  ///< what the reader decided, a message each
  bool decimals = true;              ///< the numbers were read from text
  std::string rightHandSides = {};   ///< MPS: the name of their set
};

/// Reads a linear program. `path` may name a plain, .gz, .bz2, .xz, .zst or .npz file (the content
/// decides, not the ending); `-` is standard input. Throws OpenError, ReadError,
/// ReadInterrupted, std::bad_alloc.
ReadResult read(std::string const& path, ReadOptions const& options = {});

/// The same for bytes in memory; `name` is what messages call them.
ReadResult readText(std::string_view text, std::string const& name,
                    ReadOptions const& options = {});

}  // namespace osi_cuda::readers
