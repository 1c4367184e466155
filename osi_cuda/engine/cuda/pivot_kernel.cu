// SPDX-License-Identifier: EPL-2.0
// The pivot loops of osi_cuda/simplex as bodies of cooperative kernels.
#include "osi_cuda/engine/cuda/pivot_kernel.hpp"

#include "osi_cuda/engine/cuda/check.hpp"
#include "osi_cuda/engine/cuda/grid_team.cuh"
#include "osi_cuda/engine/cuda/grid_team_lines.cuh"
#include "osi_cuda/engine/cuda/grid_team_products.cuh"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda::cuda {
namespace {

template <Algorithm algorithm>
__global__ void __launch_bounds__(teamThreads, 1)
    pivotKernel(TableauView const __grid_constant__ tableau, TeamView const __grid_constant__ view,
                PivotRequest const __grid_constant__ request, int used, Tag tag,
                LaunchReport* report) {
  extern __shared__ double2 memory[];
  GridTeam team(tableau, view, algorithm, reinterpret_cast<char*>(memory), used, tag);
  PivotReport pivots;
  if constexpr (algorithm == Algorithm::primal)
    pivots = primalPivots(team, request);
  else
    pivots = dualPivots(team, request);
  team.store();
  if (blockIdx.x == 0 && threadIdx.x == 0) *report = {pivots, team.used(), team.nextTag()};
}

void const* kernelOf(Algorithm algorithm) {
  return algorithm == Algorithm::primal
             ? reinterpret_cast<void const*>(&pivotKernel<Algorithm::primal>)
             : reinterpret_cast<void const*>(&pivotKernel<Algorithm::dual>);
}

}  // namespace

std::size_t sharedBytes(TableauView const& tableau, TeamView const& team, Algorithm algorithm) {
  Arena arena(nullptr);
  takePieces(arena, tableau, team, algorithm);
  return arena.used();
}

void allowShared(std::size_t bytes) {
  for (Algorithm algorithm : {Algorithm::primal, Algorithm::dual})
    check(cudaFuncSetAttribute(kernelOf(algorithm), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
}

void launchPivots(TableauView const& tableau, TeamView const& team, PivotRequest const& request,
                  int used, std::uint32_t tag, LaunchReport* report, cudaStream_t stream) {
  void* arguments[] = {const_cast<TableauView*>(&tableau),
                       const_cast<TeamView*>(&team),
                       const_cast<PivotRequest*>(&request),
                       &used,
                       &tag,
                       &report};
  check(cudaLaunchCooperativeKernel(
      kernelOf(request.algorithm), dim3(static_cast<unsigned>(team.blocks)), dim3(teamThreads),
      arguments, sharedBytes(tableau, team, request.algorithm), stream));
}

}  // namespace osi_cuda::cuda
