// SPDX-License-Identifier: EPL-2.0
#pragma once

/// The loops of the host's batch solver over all of a tableau, compiled for several instruction
/// sets and chosen at start-up. T is m x n, row i at T + i stride.
namespace osi_cuda::batch {

/// The tableau after the exchange of row r and column q: T - u w' with row r and column q zero
/// before, u_r = -1 and w = T[r,:] / alpha, w_q = 1 / alpha. Of the new tableau, where they are not
/// null: columnWeights[j] = 1 + ||T[:,j]||^2, and rowWeights[i] = sum over j of mask[j] T[i,j]^2.
void exchangeTableau(int m, int n, int stride, double* tableau, double const* u, double const* w,
                     int r, int q, double* columnWeights, double const* mask, double* rowWeights);

/// sum[j] = sum over i of factor[i] T[i,j]
void combineTableauRows(int m, int n, int stride, double const* tableau, double const* factor,
                        double* sum);

/// sum[i] = sum over j of factor[j] T[i,j]
void combineTableauColumns(int m, int n, int stride, double const* tableau, double const* factor,
                           double* sum);

/// weights[j] = 1 + ||T[:,j]||^2
void columnNorms(int m, int n, int stride, double const* tableau, double* weights);

/// weights[i] = sum over j of mask[j] T[i,j]^2
void rowNorms(int m, int n, int stride, double const* tableau, double const* mask, double* weights);

}  // namespace osi_cuda::batch
