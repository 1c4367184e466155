// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/rational/integer_matrix.hpp"
#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/sparse_lu_mod.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

/// Exact solutions of P x = b, P square and sparse, by p-adic lifting (Dixon 1982; for sparse
/// matrices Cook and Steffy 2011, "Solving very sparse rational systems of equations"). With
/// x = x_0 + x_1 p + x_2 p^2 + ... modulo ever higher powers of the prime p,
///
///     P x_k = r_k (mod p),   r_0 = b,   r_{k+1} = (r_k - P x_k) / p,
///
/// a digit costs a solve with the factors modulo p and a product with P, and the residuals r_k stay
/// short. At growing numbers of digits a vector of fractions with one denominator is reconstructed
/// from them, and taken once it satisfies P X = d b in integers. So the digits are as many as the
/// answer is long, and the answer rests on that equation alone.
///
/// `factors` are those of P modulo the field's prime, of full rank. With `transposed` x is that of
/// P'x = b, by a transposed copy of P. Throws Stopped and TooLarge.
Fractions lifted(IntegerMatrix const& matrix, SparseLuMod const& factors, PrimeField const& field,
                 Watch& watch, Integers const& b, bool transposed = false);

}  // namespace osi_cuda::rational
