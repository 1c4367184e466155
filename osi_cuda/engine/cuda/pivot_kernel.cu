// SPDX-License-Identifier: EPL-2.0
// The pivot loops of osi_cuda/simplex as bodies of cooperative kernels.
#include "osi_cuda/engine/cuda/pivot_launcher.hpp"

#include <algorithm>

#include "osi_cuda/engine/cuda/grid_team.cuh"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda::cuda {
namespace {

/// What a kernel is made for. With the usual pricing and what is read often in shared memory, the
/// rest of the loop is known when it is compiled, and its code is short.
template <class Kind_, Phase phase_, bool usual_>
struct Loop {
  using Kind = Kind_;
  static constexpr Phase phase = phase_;
  static constexpr bool usual = usual_;  ///< sketched pricing
};

template <class Loop>
__global__ void __launch_bounds__(teamThreads, 1)
    pivotKernel(TableauView const __grid_constant__ tableau, TeamView const __grid_constant__ view,
                PivotRequest const __grid_constant__ asked, int used, Counters next,
                LaunchReport* report) {
  using Kind = typename Loop::Kind;
  GridTeam<Kind> team(tableau, view, used, next);
  PivotRequest request = asked;
  request.pricing = Loop::usual ? Pricing::sketched : asked.pricing;
  request.phase = Loop::usual ? Loop::phase : asked.phase;
  PivotReport pivots;
  if constexpr (Kind::algorithm == Algorithm::primal)
    pivots = primalPivots(team, request);
  else
    pivots = dualPivots(team, request);
  team.store();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *report = {pivots, team.used(), team.shifts(), team.next()};
}

constexpr auto primal = Algorithm::primal, dual = Algorithm::dual;

using PivotKernel = void (*)(TableauView, TeamView, PivotRequest, int, Counters, LaunchReport*);

template <Algorithm algorithm, Phase phase, bool wide>
PivotKernel usualKernel() {
  return &pivotKernel<Loop<TeamKind<algorithm, true, wide>, phase, true>>;
}
template <Algorithm algorithm>
PivotKernel anyKernel() {
  return &pivotKernel<Loop<TeamKind<algorithm, false, true>, Phase::two, false>>;
}

PivotKernel kernelFor(PivotRequest const& request, TeamView const& team, int capacity) {
  bool const usual =
      request.pricing == Pricing::sketched && team.stateInShared && team.sketchInShared;
  bool const wide =
      std::max(team.rowTile, team.columnTile) > teamGroups || team.sharedLines < capacity;
  if (request.algorithm == dual)
    return !usual ? anyKernel<dual>()
           : wide ? usualKernel<dual, Phase::two, true>()
                  : usualKernel<dual, Phase::two, false>();
  if (!usual) return anyKernel<primal>();
  if (request.phase == Phase::one) return usualKernel<primal, Phase::one, true>();
  return wide ? usualKernel<primal, Phase::two, true>() : usualKernel<primal, Phase::two, false>();
}

}  // namespace

void allowShared(std::size_t bytes) {
  auto const allow = [bytes](auto kernel) {
    check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
  };
  for (PivotKernel const each :
       {usualKernel<primal, Phase::one, true>(), usualKernel<primal, Phase::two, true>(),
        usualKernel<primal, Phase::two, false>(), usualKernel<dual, Phase::two, true>(),
        usualKernel<dual, Phase::two, false>(), anyKernel<primal>(), anyKernel<dual>()})
    allow(each);
}

void launchPivots(TableauView const& tableau, TeamView const& team, std::size_t shared,
                  PivotRequest const& request, int used, Counters next, LaunchReport* report,
                  cudaStream_t stream) {
  launchCooperative({stream, static_cast<unsigned>(team.blocks), teamThreads, shared},
                    kernelFor(request, team, tableau.capacity), tableau, team, request, used, next,
                    report);
}

}  // namespace osi_cuda::cuda
