// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/small_solve.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/batch/block_team.cuh"

/// What a block of the batch's kernel does: it takes problems from a queue until there are none.
namespace osi_cuda::cuda {

/// `ticket` is a number in shared memory of the block.
template <bool single, bool inShared, bool usual>
__device__ void solveQueue(BatchPart const& part, BatchQueue const& queue,
                           batch::SmallSettings settings, int threads, char* shared,
                           unsigned* ticket) {
  if constexpr (usual) settings.primal = settings.dual = Pricing::sketched;
  double* const tableau = inShared ? nullptr : queue.tableaus + blockIdx.x * queue.tableauSize;
  for (;;) {
    if (threadIdx.x == 0) *ticket = atomicAdd(queue.next, 1u);
    __syncthreads();
    unsigned const place = *ticket;
    __syncthreads();
    if (place >= static_cast<unsigned>(queue.count)) return;
    int const number = queue.order[place];
    BatchTask const task = part.tasks[number];
    batch::SmallProblem p;
    p.rows = task.rows;
    p.columns = task.columns;
    p.matrix = part.matrix + task.matrix;
    p.objective = part.objective + task.column;
    p.columnLower = part.columnLower ? part.columnLower + task.column : nullptr;
    p.columnUpper = part.columnUpper ? part.columnUpper + task.column : nullptr;
    p.rowLower = part.rowLower ? part.rowLower + task.row : nullptr;
    p.rowUpper = part.rowUpper ? part.rowUpper + task.row : nullptr;
    p.sign = task.sign;
    p.offset = task.offset;
    p.infiniteFrom = part.infiniteFrom;
    BlockTeam<single, inShared, usual> team(p, shared, tableau, threads);
    batch::SmallReport const report =
        batch::solveSmall(team, settings, part.answers.at(task.column, task.row));
    if (threadIdx.x == 0) part.answers.report[number] = report;
  }
}

}  // namespace osi_cuda::cuda
