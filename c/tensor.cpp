// SPDX-License-Identifier: EPL-2.0
// Answers in a device's memory as the tensors of dlpack.h.
#include "c/tensor.hpp"

#include <numeric>
#include <utility>

#include "osi_cuda/batch/batch.hpp"

namespace {

struct Owned : osi_cuda_tensor {
  std::shared_ptr<void> owner;
  std::vector<std::int64_t> lengths;
};

}  // namespace

namespace osi_cuda::c {

osi_cuda_tensor* makeTensor(std::shared_ptr<void> owner, void* data, int device, bool doubles,
                            std::vector<std::int64_t> shape) {
  constexpr std::int32_t kDLCUDA = 2;
  constexpr std::uint8_t kDLUInt = 1, kDLFloat = 2;
  auto own = std::make_unique<Owned>();
  own->owner = std::move(owner);
  own->lengths = std::move(shape);
  own->data = data;
  own->device_type = kDLCUDA;
  own->device_id = device;
  own->dimensions = static_cast<std::int32_t>(own->lengths.size());
  own->code = doubles ? kDLFloat : kDLUInt;
  own->bits = doubles ? 64 : 8;
  own->lanes = 1;
  own->shape = own->lengths.data();
  own->strides = nullptr;
  own->byte_offset = 0;
  own->context = own.get();
  own->release = [](osi_cuda_tensor* tensor) { delete static_cast<Owned*>(tensor->context); };
  return own.release();
}

}  // namespace osi_cuda::c

osi_cuda_tensor* osi_cuda_tensor_view(osi_cuda_tensor const* tensor, int64_t first,
                                      int32_t dimensions, int64_t const* shape) {
  auto const productOf = [](int64_t const* lengths, int32_t count) {
    return std::accumulate(lengths, lengths + count, int64_t{1}, std::multiplies<>());
  };
  try {
    int64_t const all = productOf(tensor->shape, tensor->dimensions);
    if (dimensions < 0 || first < 0 || first + productOf(shape, dimensions) > all) return nullptr;
    bool const doubles = tensor->bits == 64;
    auto* const begin = static_cast<char*>(tensor->data) + first * (doubles ? 8 : 1);
    return osi_cuda::c::makeTensor(static_cast<Owned const*>(tensor->context)->owner, begin,
                                   tensor->device_id, doubles, {shape, shape + dimensions});
  } catch (...) {
    return nullptr;
  }
}

int osi_cuda_tensor_read(osi_cuda_tensor const* tensor, void* target) {
  try {
    int64_t const count = std::accumulate(tensor->shape, tensor->shape + tensor->dimensions,
                                          int64_t{1}, std::multiplies<>());
    osi_cuda::copyAcross(tensor->device_id, target, tensor->data,
                         static_cast<std::size_t>(count * tensor->bits / 8));
    return OSI_CUDA_OK;
  } catch (...) {
    return OSI_CUDA_UNAVAILABLE;
  }
}
