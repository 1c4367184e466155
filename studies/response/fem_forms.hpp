// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/response/space.hpp"

namespace osi_cuda::response {

/// How the matrix of a mesh is kept for products.
enum class Storage {
  csr,         ///< assembled, by rows
  ell,         ///< assembled, rows filled up to one length
  lmaAtomics,  ///< the triangles' matrices as they are, neighbours added by atomic operations
  lmaColours,  ///< the same, one launch for each colour of triangles that share no node
  matrixFree   ///< nothing: each product integrates anew
};
inline std::vector<std::string> const storageNames{"CSR", "ELLPACK", "LMA, atomics", "LMA, colours",
                                                   "matrix-free"};
inline std::vector<std::string> const integrationNames{"redundant", "local", "in memory", "tensor"};

enum class Preconditioner { jacobi, ssor };

/// What was computed and how long it took (median, data in place).
struct TimedValues {
  double seconds = 0.0;
  std::vector<double> values;
  int iterations = 0;
};

/// The forms of one space on a device. Rows and columns of fixed degrees of freedom are empty.
class DeviceFem {
 public:
  virtual ~DeviceFem() = default;
  /// As elementMatrices().
  virtual TimedValues integrate(Integration form, int repeats) = 0;
  /// Integration by tensors into the matrix at once; values as Storage::csr or ell has them.
  virtual TimedValues assemble(Storage storage, bool byColours, int repeats) = 0;
  virtual TimedValues multiply(Storage storage, std::vector<double> const& x, int repeats) = 0;
  /// Conjugate gradients until |r| <= tolerance |b|; seconds are those of all iterations. SSOR
  /// (omega 1, rows by colours) for csr and ell only.
  virtual TimedValues solve(Storage storage, Preconditioner preconditioner,
                            std::vector<double> const& b, double tolerance, int mostIterations) = 0;
};

/// Threads a row, threads a block, rows a group of threads takes one after the other.
struct ProductShape {
  int perRow = 1, block = 128, rows = 1;
};
/// Seconds of one product y = A x.
struct ProductTimes {
  ProductShape fixedShape, tunedShape;
  double fixed = 0.0;       ///< by the rule from the mean length of a row
  double tuned = 0.0;       ///< where tuning over the first products ended
  double exhaustive = 0.0;  ///< the best of all shapes
  double library = 0.0;     ///< the best of cuSPARSE's algorithms
  int trials = 0;           ///< products that tuning looked at
  double error = 0.0;       ///< largest |y - host's y| over the largest |y|, of all forms
};
/// Seconds of Y = A X with `width` columns, row by row.
struct ManyTimes {
  double ours = 0.0, library = 0.0, error = 0.0;
};

/// Sources that a processor runs over all triangles: y = stiffness times x.
enum class Executor { scalar, vectors, colours, vectorsAndColours };
inline std::vector<std::string> const executorNames{
    "one core", "one core, vectors", "all cores, colours", "all cores, colours, vectors"};
/// Lanes of the vectors that `vectors` uses on this processor.
int vectorLanes();
/// Median seconds; all but `scalar` and `vectors` use `threads` threads. `x` is 0 at fixed degrees
/// of freedom, and so is what comes out.
TimedValues executeOnHost(Space const& space, Executor executor, std::vector<double> const& x,
                          int threads, int repeats);

}  // namespace osi_cuda::response
