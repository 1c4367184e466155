// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/engine/cuda/pivot_weights.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {

/// A basis that is kept with its tableau, to the bit: a copy of D, of the factors in use, of the
/// state by position and of the pricing weights with their sketch.
///
/// Pivots change the lines of D that they exchange and no others, so that as long as no block
/// update came between, to keep a basis or to restore it moves 16 (m + n) bytes a pivot, and 16 m n
/// otherwise. The memory is that of one more tableau; without it nothing is kept.
class KeptBasis {
 public:
  KeptBasis(DeviceQueue& queue, DeviceTableau& tableau, PivotWeights& weights)
      : queue_(queue), tableau_(tableau), weights_(weights) {}

  /// Does nothing where memory does not allow it.
  void keep() {
    kept_.reset();
    if (!reserve()) return;
    copyTableau(false);
    kept_ = Kept{tableau_.used(), weights_.fit()};
    copyState(kept_->used, false);
  }
  /// False: nothing is kept.
  bool restore() {
    if (!kept_) return false;
    copyTableau(true);
    tableau_.setUsed(kept_->used);
    tableau_.renew();
    equal_ = Equal{tableau_.age(), kept_->used};
    copyState(kept_->used, true);
    weights_.restore(kept_->fit);
    return true;
  }
  void forget() { kept_.reset(); }
  /// The tableau is another one.
  void outdate() {
    kept_.reset();
    equal_.reset();
  }
  void giveBack() {
    outdate();
    base_ = {};
    state_ = {};
  }

 private:
  // Space for D as for what grows with it; for the rest as much as it can come to.
  bool reserve() {
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
  // D to the copy, or back: the lines in which they differ.
  void copyTableau(bool back) {
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
  void copyState(int used, bool back) {
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
          primal ? piece(t.columnSketch, t.n, signs, signs)
                 : piece(t.rowSketch, t.m, signs, signs)}},
        back);
  }

  struct Kept {
    int used = 0;
    PivotWeights::Fit fit;
  };
  /// Where D was equal to the copy: its age, and how many factors were in use.
  struct Equal {
    std::uint64_t age = 0;
    int used = 0;
  };
  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  PivotWeights& weights_;
  std::optional<Kept> kept_;
  std::optional<Equal> equal_;
  DeviceArray<double> base_, state_;
};

}  // namespace osi_cuda::cuda
