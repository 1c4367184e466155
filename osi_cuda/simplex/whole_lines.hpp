// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda {

/// The calls of a Team (team.hpp) that may pass over lines without an entry, a violation or a gain,
/// for a Team whose members look at all of their lines.
template <class Derived>
class WholeLines {
 public:
  OSI_CUDA_LOOP void forColumnEntries(int, auto f) { team().forRows(f); }
  OSI_CUDA_LOOP void forRowEntries(int, auto f) { team().forColumns(f); }
  OSI_CUDA_LOOP void forChangedRows(auto f) { team().forRows(f); }
  template <class T, class F, class Combine>
  OSI_CUDA_LOOP T reduceColumnEntries(T const& zero, F f, Combine combine) {
    return team().reduceRows(zero, f, combine);
  }
  template <class T, class F, class Combine>
  OSI_CUDA_LOOP T reduceRowEntries(T const& zero, F f, Combine combine) {
    return team().reduceColumns(zero, f, combine);
  }
  template <class T, class F, class Combine>
  OSI_CUDA_LOOP T reduceViolated(T const& zero, F f, Combine combine) {
    return team().reduceRows(zero, f, combine);
  }
  template <class T, class F, class Combine>
  OSI_CUDA_LOOP T reduceAttracted(T const& zero, F f, Combine combine) {
    return team().reduceColumns(zero, f, combine);
  }
  template <class T, class F, class Combine>
  OSI_CUDA_LOOP T reduceTurnColumns(T const& zero, F f, Combine combine) {
    return team().reduceColumns(zero, f, combine);
  }
  OSI_CUDA_LOOP double inverseRowSquare(bool slackLeaves) {
    auto const columns = team().columns();
    auto square = [&](double& sum, int j) {
      if (team().slack(columns.variable[j])) sum += columns.entry[j] * columns.entry[j];
    };
    return (slackLeaves ? 1.0 : 0.0) + team().reduceColumns(0.0, square, rules::sum);
  }

 private:
  OSI_CUDA_LOOP Derived& team() { return static_cast<Derived&>(*this); }
};

}  // namespace osi_cuda
