// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda::textbook {

/// Ways to compute C = A B of square matrices of doubles.
enum class ProductForm {
  naive,          ///< processor: a sum for each entry
  blocked,        ///< processor: blocks that stay in the cache, lines by vectors; one core
  blockedCores,   ///< the same by all cores
  openblas,       ///< OpenBLAS, one core
  openblasCores,  ///< OpenBLAS, all cores
  deviceNaive,    ///< a thread for each entry
  deviceTiled,    ///< tiles in shared memory
  deviceBlocked,  ///< tiles in shared memory, and a block of 8 x 8 sums in registers of each thread
  deviceMatrix,   ///< tiles in shared memory, and the matrix units (tensor cores): 8 x 8 x 4
  cublas          ///< cuBLAS
};
std::vector<std::string> const& productFormNames();
bool onDevice(ProductForm form);

/// Matrices by rows, n x n; n a multiple of productUnit, so that kernels need no bounds.
struct Matrices {
  int n = 0;
  std::vector<double> a, b;  ///< entries in [-1, 1), in steps of 2^-20
};
inline constexpr int productUnit = 128;
Matrices randomMatrices(int n);

struct Product {
  double seconds = 0.0;          ///< of the product alone: median of the repeats
  double transferSeconds = 0.0;  ///< A and B to the device and C back, ordinary memory; 0: none
  std::vector<double> c;
};

Product productOnHost(ProductForm form, Matrices const& matrices, int repeats);

/// Flop/s of multiply-adds on numbers in registers, by vector instructions.
double hostPeak(bool allCores);

/// Largest |C v - A (B v)| of a random v of -1 and 1, relative to n sqrt(n), the size of what is
/// summed (Freivalds 1977): all of C is looked at in 3 n^2 steps.
double productError(Matrices const& matrices, std::vector<double> const& c);

}  // namespace osi_cuda::textbook
