// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/arrays.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"
#include "osi_cuda/proof/formulas.hpp"

namespace osi_cuda::cuda {
namespace {

using batch::VariantNumber;

/// A number of a variant in place of the problem's own.
struct Changed {
  double value;
  bool changed;

  __device__ Changed(double const* array, std::int64_t place, double own) : value(own) {
    double const given = array ? array[place] : own;
    changed = given == given && given != own;
    if (changed) value = given;
  }
};

/// Cost and bounds of variable v in variant k.
struct ChangedVariable {
  Changed cost, lower, upper;

  __device__ static ChangedVariable at(batch::VariantBase const& base, VariantArrays const& arrays,
                                       std::int64_t k, int v) {
    double const* const* const a = arrays.values;
    int const n = base.columns, i = v - n;
    if (i < 0) {
      std::int64_t const place = k * n + v;
      return {{a[0], place, base.objective[v]},
              {a[1], place, base.columnLower[v]},
              {a[2], place, base.columnUpper[v]}};
    }
    std::int64_t const place = k * base.rows + i;
    return {{nullptr, 0, 0.0}, {a[3], place, base.rowLower[i]}, {a[4], place, base.rowUpper[i]}};
  }
  __device__ unsigned count() const {
    return (cost.changed ? 1u : 0u) + (lower.changed ? 1u : 0u) + (upper.changed ? 1u : 0u);
  }
};

}  // namespace

void putAnswers(cudaStream_t stream, int count, AnswerPlace const* places,
                PartAnswers const& answers, bool stopped, DeviceAnswers const& target) {
  double *const x = target.x, *const y = target.y;
  auto* const columnStatus = reinterpret_cast<std::uint8_t*>(target.columnStatus);
  auto* const rowStatus = reinterpret_cast<std::uint8_t*>(target.rowStatus);
  forWarps(stream, count, [=] __device__(int t, int lane) {
    BatchStatus const end = answers.report[t].end;
    bool const optimal = end == BatchStatus::optimal, unbounded = end == BatchStatus::unbounded;
    bool const limited = stopped && end == BatchStatus::iterationLimit;
    if (!optimal && !unbounded && !limited) return;
    AnswerPlace const p = places[t];
    for (int j = lane; j < p.columns; j += 32) {
      if (!limited) x[p.toColumn + j] = answers.x[p.column + j];
      columnStatus[p.toColumn + j] = answers.columnStatus[p.column + j];
    }
    for (int i = lane; i < p.rows; i += 32) {
      if (!unbounded) y[p.toRow + i] = answers.y[p.row + i];
      rowStatus[p.toRow + i] = answers.rowStatus[p.row + i];
    }
  });
}

void countChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                  batch::VariantBase const& base, VariantArrays const& arrays,
                  ChangesFound* found) {
  forWarps(stream, count, [=] __device__(int t, int lane) {
    ChangesFound own;
    for (int v = lane; v < base.columns + base.rows; v += 32) {
      ChangedVariable const c = ChangedVariable::at(base, arrays, chosen[t], v);
      if (c.count() == 0) continue;
      own.numbers += c.count();
      double const lower = c.lower.value, upper = c.upper.value;
      if (c.cost.changed) ++own.costs;
      if (!proof::isNumber(c.cost.value) || lower == infinity || upper == -infinity) ++own.faulty;
      if (proof::boundsCross(lower, upper)) ++own.crossed;
    }
    for (unsigned* part : {&own.numbers, &own.costs, &own.crossed, &own.faulty})
      *part = warpSum(*part);
    if (lane == 0) found[t] = own;
  });
}

void listChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                 batch::VariantBase const& base, VariantArrays const& arrays,
                 batch::VariantTask const* tasks, batch::VariantNumber* numbers) {
  int const variables = base.columns + base.rows;
  forWarps(stream, count, [=] __device__(int t, int lane) {
    std::int64_t place = tasks[t].firstNumber;
    for (int first = 0; first < variables; first += 32) {
      int const v = first + lane < variables ? first + lane : variables - 1;
      ChangedVariable const c = ChangedVariable::at(base, arrays, chosen[t], v);
      unsigned const own = first + lane < variables ? c.count() : 0u;
      unsigned before = own;  // of all lanes up to this one
      for (int distance = 1; distance < 32; distance *= 2) {
        unsigned const other = __shfl_sync(~0u, before, (lane - distance) & 31);
        if (lane >= distance) before += other;
      }
      VariantNumber* next = numbers + place + before - own;
      if (own > 0) {
        if (c.cost.changed) *next++ = {v, VariantNumber::cost, c.cost.value};
        if (c.lower.changed) *next++ = {v, VariantNumber::lower, c.lower.value};
        if (c.upper.changed) *next++ = {v, VariantNumber::upper, c.upper.value};
      }
      place += __shfl_sync(~0u, before, 31);
    }
  });
}

}  // namespace osi_cuda::cuda
