// SPDX-License-Identifier: EPL-2.0
// Integration, storage and conjugate gradients of one problem, in the forms of fem.hpp.
#include <stdexcept>

#include "examples/response/device/cg.cuh"
#include "examples/response/device/elements.cuh"
#include "examples/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;
using examples::device::medianSeconds;

class DeviceFem : public Fem {
 public:
  explicit DeviceFem(FemProblem const& p)
      : p_(p),
        corners_(p.corners),
        inverse_(p.inverse),
        csrValue_(p.matrix.value.size()),
        ellValue_(p.ell.value.size()),
        lma_(std::size_t(p.width) * p.width * p.count),
        node_(p.node),
        start_(p.matrix.start),
        column_(p.matrix.column),
        ellColumn_(p.ell.column),
        csrPlace_(p.csrPlace),
        ellPlace_(p.ellPlace),
        triangleList_(p.triangles.member),
        rowList_(p.rows.member),
        rowColour_(p.colourOfRow) {
    uploadTables(p.degree, p.tables.data());
    assemble(Storage::csr, false, 1);
    assemble(Storage::ell, false, 1);
    integrate(Integration::tensor, 1);
  }

  Timed integrate(Integration form, int repeats) override {
    lma_.fillBytes(0xff);
    Timed result;
    result.seconds = medianSeconds(stream_, repeats,
                                   [&] { queueIntegrate(form, elements(), lma_.data(), stream_); });
    result.values = lma_.download();
    return result;
  }

  Timed assemble(Storage storage, bool byColours, int repeats) override {
    bool const isCsr = storage == Storage::csr;
    DeviceArray<double> const& value = isCsr ? csrValue_ : ellValue_;
    Timed result;
    result.seconds = medianSeconds(stream_, repeats, [&] {
      check(cudaMemsetAsync(value.data(), 0, value.size() * sizeof(double), stream_));
      overTriangles(byColours, [&](Listed const& triangles) {
        queueAssemble(elements(), (isCsr ? csrPlace_ : ellPlace_).data(), triangles, value.data(),
                      stream_);
      });
    });
    result.values = value.download();
    return result;
  }

  Timed multiply(Storage storage, std::vector<double> const& x, int width, int repeats) override {
    DeviceArray<double> const in(x), out(x.size());
    out.fillBytes(0xff);
    Timed result;
    constexpr int inner = 5;
    result.seconds = medianSeconds(stream_, repeats,
                                   [&] {
                                     for (int k = 0; k < inner; ++k)
                                       queueProduct(storage, in.data(), width, out.data());
                                   }) /
                     inner;
    result.values = out.download();
    return result;
  }

  Timed solve(Storage storage, Preconditioner preconditioner, CgRequest const& request) override {
    int const width = request.width;
    return conjugateGradients(
        request, [&](double const* in, double* out) { queueProduct(storage, in, width, out); },
        [&](double const* in, double* out) {
          if (preconditioner == Preconditioner::jacobi)
            queueScale(p_.dofs, inverse_.data(), in, width, out, stream_);
          else if (storage == Storage::csr)
            queueSweeps(csr(), in, width, out);
          else
            queueSweeps(ell(), in, width, out);
        },
        stream_);
  }

 private:
  Elements elements() const { return {p_.degree, p_.count, corners_.data(), node_.data()}; }
  CsrRows csr() const { return {p_.dofs, start_.data(), column_.data(), csrValue_.data()}; }
  EllRows ell() const { return {p_.dofs, p_.ell.width, ellColumn_.data(), ellValue_.data()}; }

  /// One launch over all triangles, or one a colour.
  template <class Work>
  void overTriangles(bool byColours, Work const& work) const {
    if (!byColours) return work(Listed{nullptr, p_.count});
    for (int c = 0; c < p_.triangles.count; ++c) {
      int const begin = p_.triangles.start[c];
      work(Listed{triangleList_.data() + begin, p_.triangles.start[c + 1] - begin});
    }
  }

  void queueProduct(Storage storage, double const* x, int width, double* y) const {
    if (storage == Storage::csr) return queueMultiply(csr(), x, width, y, stream_);
    if (storage == Storage::ell) return queueMultiply(ell(), x, width, y, stream_);
    check(cudaMemsetAsync(y, 0, std::size_t(p_.dofs) * width * sizeof(double), stream_));
    double const* const values = storage == Storage::matrixFree ? nullptr : lma_.data();
    overTriangles(storage == Storage::lmaColours, [&](Listed const& triangles) {
      queueMultiplyElements(elements(), values, triangles, x, width, y, stream_);
    });
  }

  /// Every colour is a launch, forward and back.
  template <class Rows>
  void queueSweeps(Rows const& rows, double const* r, int width, double* z) const {
    auto const colour = [&](int c, double const* right) {
      int const begin = p_.rows.start[c], size = p_.rows.start[c + 1] - begin;
      queueColour(rows, {rowList_.data() + begin, size, rowColour_.data()}, inverse_.data(), right,
                  width, z, stream_);
    };
    for (int c = 0; c < p_.rows.count; ++c) colour(c, r);
    for (int c = p_.rows.count - 2; c >= 0; --c) colour(c, nullptr);
  }

  FemProblem const& p_;
  DeviceArray<double> corners_, inverse_, csrValue_, ellValue_, lma_;
  DeviceArray<int> node_, start_, column_, ellColumn_, csrPlace_, ellPlace_;
  DeviceArray<int> triangleList_, rowList_, rowColour_;
  examples::device::Stream stream_;
};

class DeviceSolver : public Solver {
 public:
  explicit DeviceSolver(Csr const& matrix)
      : rows_(matrix.rows), start_(matrix.start), column_(matrix.column), value_(matrix.value) {
    std::vector<double> inverse(matrix.rows);
    for (int i = 0; i < matrix.rows; ++i)
      for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
        if (matrix.column[k] == i) inverse[i] = 1.0 / matrix.value[k];
    inverse_ = DeviceArray<double>(inverse);
  }
  Timed solve(CgRequest const& request) override {
    CsrRows const rows{rows_, start_.data(), column_.data(), value_.data()};
    return conjugateGradients(
        request,
        [&](double const* in, double* out) {
          queueMultiply(rows, in, request.width, out, stream_);
        },
        [&](double const* in, double* out) {
          queueScale(std::size_t(rows_), inverse_.data(), in, request.width, out, stream_);
        },
        stream_);
  }

 private:
  int rows_;
  DeviceArray<int> start_, column_;
  DeviceArray<double> value_, inverse_;
  examples::device::Stream stream_;
};

}  // namespace

std::unique_ptr<Fem> makeFem(FemProblem const& problem) {
  return std::make_unique<DeviceFem>(problem);
}
std::unique_ptr<Solver> makeSolver(Csr const& matrix) {
  return std::make_unique<DeviceSolver>(matrix);
}

}  // namespace osi_cuda::response::device
