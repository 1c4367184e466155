// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/engine/cuda/batch/arrays.hpp"
#include "osi_cuda/engine/cuda/batch/pipeline.hpp"
#include "osi_cuda/engine/cuda/batch/variant_kernel.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

namespace osi_cuda::cuda {

/// What all variants share, in the device's memory: the common tableau is that of a CudaEngine, its
/// own or one that goes on with other work.
class DeviceVariantBase {
 public:
  DeviceVariantBase(LinearProgram const& lp, cudaStream_t stream);

  /// Forms the tableau of `basis`.
  void form(LinearProgram const& lp, Basis const& basis, int device);
  /// Copies that which `engine` is at, with `form` loaded.
  void copy(LinearProgram const& lp, CudaEngine& engine, StandardForm const& form);

  batch::VariantBase const& view() const { return view_; }

 private:
  void place(LinearProgram const& lp, batch::CommonBasis const& common, double const* tableau);

  cudaStream_t const stream_;
  StandardForm form_;
  std::optional<CudaEngine> engine_;
  DeviceArray<char> matrix_, numbers_;
  DeviceArray<double> tableau_, weights_;
  batch::VariantBase view_;
};

/// Variants of one problem. Parts are as large as the memory for their answers lets them be.
class VariantKind final : public Kind {
 public:
  /// `factors` is memory for the blocks' states and factors, which is kept from call to call.
  /// `arrays`, unless null: the changed numbers stand there, as many of them as the tasks say.
  VariantKind(batch::VariantJob const& job, batch::VariantBase const& base,
              DeviceArray<double>& factors, cudaDeviceProp const& properties,
              Pipeline const& pipeline, VariantArrays const* arrays);

  void choose(Slot& slot) override;
  void pack(Slot const& slot) override;
  void launch(Slot& slot, PartAnswers const& answers) override;

 private:
  void makeRoom(DeviceArray<double>& factors, int multiprocessors);

  batch::VariantJob const& job_;
  VariantArrays const* const arrays_;
  DeviceArray<batch::VariantNumber> listed_;  ///< of the arrays
  bool const points_;
  std::size_t most_ = 0;    ///< variants of a part
  std::size_t blocks_ = 0;  ///< at work at a time
  VariantShape shape_;
  VariantPart part_;  ///< but for what belongs to one part
  std::size_t numberPlace_ = 0, coefficientPlace_ = 0, chosenPlace_ = 0, startPlace_ = 0,
              numbers_ = 0;
};

}  // namespace osi_cuda::cuda
