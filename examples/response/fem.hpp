// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/response/csr.hpp"
#include "examples/response/elements.hpp"

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

/// -div(k grad u) by finite elements as arrays. Arrays by triangle lie component by component:
/// neighbouring threads read neighbouring words. Rows and columns of fixed degrees of freedom are
/// 0.
struct FemProblem {
  int degree = 1, width = 3;    ///< nodes of a triangle
  int count = 0, dofs = 0;      ///< triangles, degrees of freedom
  std::vector<double> tables;   ///< the numbers of ElementTables<degree>
  std::vector<double> corners;  ///< see cornersOf()
  std::vector<int> node;        ///< node i of triangle e at i * count + e; -1 where fixed
  Csr matrix;                   ///< assembled
  Ell ell;                      ///< the same
  /// Where the entry (i, j) of triangle e goes in either: place[(i * width + j) * count + e]; -1 if
  /// one of them is fixed.
  std::vector<int> csrPlace, ellPlace;
  std::vector<double> inverse;  ///< of the diagonal; 0 where fixed
  Colouring triangles, rows;    ///< triangles of a colour share no node, rows do not see each other
  std::vector<int> colourOfRow;
};

/// What was computed and how long it took (median, data in place).
struct Timed {
  double seconds = 0.0;
  std::vector<double> values;
  int iterations = 0;
};

/// Conjugate gradients (Hestenes and Stiefel 1952) for `width` right-hand sides at once, row by
/// row: each has its own step lengths, and they share the passes over the matrix. Until |r| <=
/// tolerance |b| in every column. On a device `width` is a power of two, at most 256.
struct CgRequest {
  std::vector<double> const& b;
  int width = 1;
  double tolerance = 1e-10;
  int mostIterations = 20'000;
};

/// The forms of one problem, on the host or on a device.
class Fem {
 public:
  virtual ~Fem() = default;
  /// values[(i * width + j) * count + e]: the stiffness of all triangles.
  virtual Timed integrate(Integration form, int repeats) = 0;
  /// Integration by tensors into the matrix at once; values as Storage::csr or ell has them.
  virtual Timed assemble(Storage storage, bool byColours, int repeats) = 0;
  /// Y = A X, row by row with `width` columns.
  virtual Timed multiply(Storage storage, std::vector<double> const& x, int width, int repeats) = 0;
  /// SSOR (omega 1, rows by colours) for csr and ell only. Seconds are those of all iterations.
  virtual Timed solve(Storage storage, Preconditioner preconditioner, CgRequest const& request) = 0;
};

/// `problem` must outlive it.
std::unique_ptr<Fem> makeHostFem(FemProblem const& problem);

/// Conjugate gradients with one symmetric positive definite matrix and Jacobi's preconditioner.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual Timed solve(CgRequest const& request) = 0;
};
std::unique_ptr<Solver> makeHostSolver(Csr const& matrix);

}  // namespace osi_cuda::response
