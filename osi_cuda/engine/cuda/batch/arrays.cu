// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/arrays.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"
#include "osi_cuda/proof/formulas.hpp"

namespace osi_cuda::cuda {
void putAnswers(cudaStream_t stream, int count, AnswerPlace const* places,
                PartAnswers const& answers, bool stopped, AnswerArrays const& target) {
  double *const x = target.x, *const y = target.y;
  auto* const columnStatus = reinterpret_cast<std::uint8_t*>(target.columnStatus);
  auto* const rowStatus = reinterpret_cast<std::uint8_t*>(target.rowStatus);
  forWarps(stream, count, [=] __device__(int t, int lane) {
    BatchStatus const end = answers.report[t].end;
    bool const optimal = end == BatchStatus::optimal, unbounded = end == BatchStatus::unbounded;
    bool const limited = stopped && batch::hasBasis(end);
    if (!optimal && !unbounded && !limited) return;
    AnswerPlace const p = places[t];
    for (int j = lane; j < p.columns; j += 32) {
      x[p.toColumn + j] = answers.x[p.column + j];
      columnStatus[p.toColumn + j] = answers.columnStatus[p.column + j];
    }
    for (int i = lane; i < p.rows; i += 32) {
      if (!unbounded) y[p.toRow + i] = answers.y[p.row + i];
      rowStatus[p.toRow + i] = answers.rowStatus[p.row + i];
    }
  });
}

void findChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                 batch::VariantBase const& base, VariantArrays const& arrays, ChangesFound* found,
                 batch::VariantTask const* tasks, batch::VariantNumber* numbers) {
  using batch::VariantNumber;
  int const n = base.columns, variables = n + base.rows;
  forWarps(stream, count, [=] __device__(int t, int lane) {
    ChangesFound all;
    batch::VariantNumber* next = found ? nullptr : numbers + tasks[t].firstNumber;
    for (int first = 0; first < variables; first += 32) {
      int const v = first + lane;
      bool const row = v >= n;
      std::int64_t const place = row ? chosen[t] * base.rows + v - n : chosen[t] * n + v;
      VariantNumber own[3];
      unsigned changed = 0;
      auto const take = [&](VariantNumber::What what, double const* array, double& value) {
        double const from = what == VariantNumber::cost ? infinity : arrays.infiniteFrom;
        double const given = array ? withInfinity(array[place], from) : value;
        if (!(given == given) || given == value) return;
        own[changed++] = {v, what, value = given};
      };
      if (v < variables) {
        double cost = row ? 0.0 : base.objective[v];
        double lower = row ? base.rowLower[v - n] : base.columnLower[v];
        double upper = row ? base.rowUpper[v - n] : base.columnUpper[v];
        take(VariantNumber::cost, row ? nullptr : arrays.values[0], cost);
        all.costs += changed;
        take(VariantNumber::lower, arrays.values[row ? 3 : 1], lower);
        take(VariantNumber::upper, arrays.values[row ? 4 : 2], upper);
        if (!proof::isNumber(cost) || lower == infinity || upper == -infinity) ++all.faulty;
        if (changed > 0 && proof::boundsCross(lower, upper)) ++all.crossed;
      }
      all.numbers += changed;
      if (found) continue;
      unsigned before = changed;  // of all lanes up to this one
      for (int distance = 1; distance < 32; distance *= 2) {
        unsigned const other = __shfl_sync(~0u, before, (lane - distance) & 31);
        if (lane >= distance) before += other;
      }
      for (unsigned c = 0; c < changed; ++c) next[before - changed + c] = own[c];
      next += __shfl_sync(~0u, before, 31);
    }
    if (!found) return;
    for (unsigned* part : {&all.numbers, &all.costs, &all.crossed, &all.faulty})
      *part = warpSum(*part);
    if (lane == 0) found[t] = all;
  });
}

}  // namespace osi_cuda::cuda
