// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// The one place that knows how much memory a problem takes and how much there is.
namespace osi_cuda {

/// What decides how much memory a problem takes on an engine, whichever it is.
struct ProblemSize {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t nonzeros = 0;
  std::uint64_t blockSize = 0;   ///< K, pivots that are delayed
  std::uint64_t sketchSize = 0;  ///< k, rows of the sketch
};

/// At most so many entries of A[R2, S] are held as a dense block when a tableau is formed.
inline constexpr std::uint64_t densestBlock = std::uint64_t{1} << 25;

/// Bytes that an engine takes for a problem in the memory that it works in: the matrix by columns
/// and by rows, the tableau D with its factors U and V, sketches, vectors, and the LU of the
/// largest basis. Buffers of a fixed size and small parts of an engine's own come on top.
std::uint64_t bytesNeeded(ProblemSize const& size);

/// The part of it that the LU takes, which may come late: what is optional has to leave room for
/// it.
std::uint64_t factorBytes(std::uint64_t rows, std::uint64_t columns);

/// K and k of a device's tableau, where nobody asks for others.
int usualBlockSize(double rows, double columns);
inline constexpr int usualSketch = 64;

/// Order of the diagonal blocks of a Cholesky factor that are inverted on a device, and from column
/// to column of its matrix: whole blocks.
inline constexpr int smallestInverse = 32;
int inverseOrder(int order);
int normalStride(int order);
/// Bytes that a device takes to factor a normal matrix, beside that.
std::uint64_t choleskyBytes(int order);
/// Columns that several devices factor at a time, all of a small matrix, and bytes that each takes.
int panelWidth(int order, int devices);
std::uint64_t panelBytes(int order, int width);

/// Bytes of a device's memory that a solve of a dense problem takes at most, beside 0.6 GB (with an
/// interior point method 0.9 GB) of CUDA's context and its libraries on an H200. Engines ask the
/// same before they take any.
struct DeviceNeeds {
  std::uint64_t array = 0;      ///< the matrix alone: 8 rows columns
  std::uint64_t simplex = 0;    ///< by pivots
  std::uint64_t hostArray = 0;  ///< the same with the matrix in the host's memory
  std::uint64_t barrier = 0;    ///< by the interior point method, of inequalities, with crossover
  std::uint64_t share = 0;      ///< the same, on each further device; no less than the crossover's
};
DeviceNeeds deviceNeeds(int rows, int columns, int devices = 1);

/// Bytes of a further device's share of the products of an interior point method: a block of the
/// matrix and one scaled, a normal matrix of that order, panels, vectors. `count`: rows or columns
/// of the block, the longer side's.
std::uint64_t shareBytes(int order, int count, int width);

/// Bytes that this process can still use: what the system has free or can free, and what a limit
/// of the address space (ulimit -v) leaves; nothing if the system does not say.
std::optional<std::uint64_t> availableMemory();

/// "1.2 GB are available", or "the system does not say how much is available".
std::string memoryLeft();

/// "512 B", "3.4 MB", "1.2 GB": powers of 1000.
std::string byteCount(std::uint64_t bytes);

/// "1200 x 360000 needs 4.1 GB of device memory, 2.0 GB are available"; `kind` is "memory" or
/// "device memory".
std::string memorySentence(ProblemSize const& size, std::uint64_t needed, std::uint64_t available,
                           std::string const& kind);

}  // namespace osi_cuda
