// SPDX-License-Identifier: EPL-2.0
// The pivot loops of osi_cuda/simplex as bodies of cooperative kernels.
#include "osi_cuda/engine/cuda/pivot_kernel.hpp"

#include "osi_cuda/engine/cuda/check.hpp"
#include "osi_cuda/engine/cuda/grid_team_lines.cuh"
#include "osi_cuda/engine/cuda/grid_team_products.cuh"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda::cuda {
namespace {

/// What a kernel is made for. With the usual pricing, the rest of the loop is known when it is
/// compiled, and its code is short.
template <Algorithm algorithm_, Phase phase_, bool sketched_>
struct Loop {
  static constexpr Algorithm algorithm = algorithm_;
  static constexpr Phase phase = phase_;
  static constexpr bool sketched = sketched_;
};

template <class Loop>
__global__ void __launch_bounds__(teamThreads, 1)
    pivotKernel(TableauView const __grid_constant__ tableau, TeamView const __grid_constant__ view,
                PivotRequest const __grid_constant__ asked, int used, Counters next,
                LaunchReport* report) {
  extern __shared__ double2 memory[];
  GridTeam team(tableau, view, Loop::algorithm, reinterpret_cast<char*>(memory), used, next);
  PivotRequest request = asked;
  if (Loop::sketched) {
    request.pricing = Pricing::sketched;
    request.phase = Loop::phase;
  }
  PivotReport pivots;
  if constexpr (Loop::algorithm == Algorithm::primal)
    pivots = primalPivots(team, request);
  else
    pivots = dualPivots(team, request);
  team.store();
  if (blockIdx.x == 0 && threadIdx.x == 0) *report = {pivots, team.used(), team.next()};
}

template <class Loop>
void const* kernel() {
  return reinterpret_cast<void const*>(&pivotKernel<Loop>);
}

constexpr auto primal = Algorithm::primal, dual = Algorithm::dual;

void const* kernelFor(PivotRequest const& request) {
  bool const sketched = request.pricing == Pricing::sketched;
  if (request.algorithm == dual)
    return sketched ? kernel<Loop<dual, Phase::two, true>>()
                    : kernel<Loop<dual, Phase::two, false>>();
  if (!sketched) return kernel<Loop<primal, Phase::two, false>>();
  return request.phase == Phase::one ? kernel<Loop<primal, Phase::one, true>>()
                                     : kernel<Loop<primal, Phase::two, true>>();
}

}  // namespace

std::size_t sharedBytes(TableauView const& tableau, TeamView const& team, Algorithm algorithm) {
  Arena arena(nullptr);
  takePieces(arena, tableau, team, algorithm);
  return arena.used();
}

void allowShared(std::size_t bytes) {
  for (void const* const each :
       {kernel<Loop<primal, Phase::one, true>>(), kernel<Loop<primal, Phase::two, true>>(),
        kernel<Loop<primal, Phase::two, false>>(), kernel<Loop<dual, Phase::two, true>>(),
        kernel<Loop<dual, Phase::two, false>>()})
    check(cudaFuncSetAttribute(each, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
}

void launchPivots(TableauView const& tableau, TeamView const& team, PivotRequest const& request,
                  int used, Counters next, LaunchReport* report, cudaStream_t stream) {
  void* arguments[] = {const_cast<TableauView*>(&tableau),
                       const_cast<TeamView*>(&team),
                       const_cast<PivotRequest*>(&request),
                       &used,
                       &next,
                       &report};
  check(cudaLaunchCooperativeKernel(kernelFor(request), dim3(static_cast<unsigned>(team.blocks)),
                                    dim3(teamThreads), arguments,
                                    sharedBytes(tableau, team, request.algorithm), stream));
}

}  // namespace osi_cuda::cuda
