// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/kept_basis.hpp"

#include <algorithm>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {

void KeptBasis::outdate() {
  kept_.reset();
  equal_.reset();
}

void KeptBasis::giveBack() {
  outdate();
  base_ = {};
  state_ = {};
}

// Space for D as for what grows with it; for the rest as much as it can come to.
bool KeptBasis::reserve() {
  TableauView const& t = tableau_.view();
  std::size_t const cells = at(t.m) * at(t.n), lines = at(t.m) + at(t.n);
  std::size_t const state = stateNumbers(t) + stateVariables(t) / 2 + lines * at(t.stride) +
                            at(std::max(t.m, t.n)) * at(t.sketchSize) / 2;
  if (cells <= base_.size() && state <= state_.size()) return true;
  std::size_t const entries = std::max(cells, tableau_.room());
  if (sizeof(double) * (entries + state) + factorBytes(at(t.m), at(t.n)) > availableBytes())
    return false;
  equal_.reset();
  base_.reserve(entries);
  state_.reserve(state);
  return true;
}

void KeptBasis::keep() {
  kept_.reset();
  if (!reserve()) return;
  copyTableau(false);
  kept_ = Kept{tableau_.used(), weights_.fit()};
  copyState(kept_->used, false);
}

bool KeptBasis::restore() {
  if (!kept_) return false;
  copyTableau(true);
  tableau_.setUsed(kept_->used);
  tableau_.renew();
  equal_ = Equal{tableau_.age(), kept_->used};
  copyState(kept_->used, true);
  weights_.restore(kept_->fit);
  return true;
}

// D to the copy, or back: the lines in which they differ.
void KeptBasis::copyTableau(bool back) {
  TableauView const& t = tableau_.view();
  double* const from = back ? base_.data() : t.base;
  double* const to = back ? t.base : base_.data();
  if (equal_ && equal_->age == tableau_.age())
    copyExchanged(queue_.stream(), t, equal_->used, tableau_.used(), from, to);
  else if (t.m > 0 && t.n > 0)
    check(cudaMemcpyAsync(to, from, at(t.m) * at(t.n) * sizeof(double), cudaMemcpyDeviceToDevice,
                          queue_.stream()));
  equal_ = Equal{tableau_.age(), tableau_.used()};
}

void KeptBasis::copyState(int used, bool back) {
  TableauView const& t = tableau_.view();
  double* next = state_.data();
  auto const piece = [&](void* here, int lines, int width, int pitch) {
    CopyPiece const made{static_cast<double*>(here), next, lines, width, pitch, width};
    next += at(lines) * at(width);
    return made;
  };
  auto const numbers = static_cast<int>(stateNumbers(t));
  auto const variables = static_cast<int>(stateVariables(t) / 2);
  PivotWeights::Fit const& fit = kept_->fit;
  bool const sketched = fit && fit->second == Pricing::sketched;
  bool const primal = fit && fit->first == Algorithm::primal;
  int const signs = sketched ? t.sketchSize / 2 : 0;  // pairs of numbers in single precision
  copy(
      queue_.stream(),
      {{piece(t.rows.value, 1, numbers, numbers), piece(t.rows.variable, 1, variables, variables),
        piece(t.u, t.m, used, t.stride), piece(t.v, t.n, used, t.stride),
        primal ? piece(t.columnSketch, t.n, signs, signs) : piece(t.rowSketch, t.m, signs, signs)}},
      back);
}

}  // namespace osi_cuda::cuda
