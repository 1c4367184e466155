// SPDX-License-Identifier: EPL-2.0
// What the module exports, and a field on one device.
#include "examples/cyclic_sweeps/device/sweeper.cuh"
#include "examples/cyclic_sweeps/device_module.hpp"

namespace osi_cuda::cyclic_sweeps::device {

std::unique_ptr<DeviceField> makeShares(Grid const& grid, std::vector<int> const& devices);
double splitMaxwell(MaxwellField& field, double step, int steps);

namespace {

using examples::device::DeviceArray;

class FieldOnOne : public DeviceField {
 public:
  FieldOnOne(Grid const& grid, std::unique_ptr<Sweeper> sweeper)
      : sweeper_(std::move(sweeper)), a_(grid.cells()), b_(grid.cells()) {
    b_.fillBytes(0xff);  // what is not written shows as NaN
  }
  void upload(std::vector<double> const& field) override { a_.upload(field); }
  std::vector<double> download() override { return a_.download(); }
  double step(int count) override {
    return examples::device::seconds(stream_, [&] {
      for (int step = 0; step < count; ++step) {
        sweeper_->alongRows(a_.data(), b_.data(), stream_);
        sweeper_->alongColumns(b_.data(), a_.data(), stream_);
      }
    });
  }

 private:
  std::unique_ptr<Sweeper> sweeper_;
  DeviceArray<double> a_, b_;
  examples::device::Stream stream_;
};

int deviceCount() {
  int count = 0;
  examples::device::check(cudaGetDeviceCount(&count));
  return count;
}

std::unique_ptr<DeviceField> makeField(Grid const& grid, Form form) {
  if (form == Form::fused) return makeShares(grid, {0});
  return std::make_unique<FieldOnOne>(grid, form == Form::plain    ? makePlainSweeper(grid)
                                            : form == Form::tables ? makeTableSweeper(grid)
                                                                   : makeLibrarySweeper(grid));
}

constexpr DeviceModule module{
    OSI_CUDA_INTERFACE, &examples::device::deviceName, &deviceCount, &makeField, &makeShares,
    &splitMaxwell,      &examples::device::copySeconds};

}  // namespace
}  // namespace osi_cuda::cyclic_sweeps::device

extern "C" __attribute__((visibility("default"))) osi_cuda::cyclic_sweeps::DeviceModule const*
cyclicSweepsDevice() {
  return &osi_cuda::cyclic_sweeps::device::module;
}
