// SPDX-License-Identifier: EPL-2.0
// Integration, storage and conjugate gradients of one space, in the forms of fem_forms.hpp.
#include <cmath>
#include <stdexcept>

#include "studies/response/device/entries.hpp"
#include "studies/response/device/fem_elements.cuh"
#include "studies/response/device/fem_rows.cuh"
#include "studies/response/device/fem_vectors.cuh"
#include "studies/response/device/timing.cuh"
#include "studies/response/element_arrays.hpp"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

class Fem : public DeviceFem {
 public:
  explicit Fem(Space const& space)
      : space_(space),
        count_(space.triangles()),
        n_(space.dofs),
        corners_(cornerArrays(space)),
        node_(nodeArrays(space)),
        elementColours_(coloursOfElements(space.node, space.width, space.dofs)),
        elementList_(elementColours_.member) {
    uploadConstants();
    Csr matrix = fieldMatrix(space, 0.0);
    Csr const pattern = matrix;
    rowColours_ = coloursOf(pattern);
    rowList_ = DeviceArray<int>(rowColours_.member);
    std::vector<int> colour(n_);
    for (int c = 0; c < rowColours_.count; ++c)
      for (int k = rowColours_.start[c]; k < rowColours_.start[c + 1]; ++k)
        colour[rowColours_.member[k]] = c;
    rowColour_ = DeviceArray<int>(colour);
    std::vector<double> inverse(n_, 0.0);
    for (int i = 0; i < n_; ++i)
      if (!space.isFixed[i]) inverse[i] = 1.0 / matrix.value[matrix.find(i, i)];
    inverse_ = DeviceArray<double>(inverse);
    Ell const ell = ellOf(pattern);
    ellWidth_ = ell.width;
    start_ = DeviceArray<int>(pattern.start);
    column_ = DeviceArray<int>(pattern.column);
    ellColumn_ = DeviceArray<int>(ell.column);
    csrValue_ = DeviceArray<double>(pattern.value.size());
    ellValue_ = DeviceArray<double>(ell.value.size());
    placeEntries(pattern);
    lma_ = DeviceArray<double>(std::size_t(space.width) * space.width * count_);
    queueAssemble(Storage::csr, false);
    queueAssemble(Storage::ell, false);
    queueIntegrateAll(Integration::tensor);
    check(cudaDeviceSynchronize());
  }

  TimedValues integrate(Integration form, int repeats) override {
    lma_.fillBytes(0xff);
    TimedValues result;
    result.seconds = medianSeconds(repeats, 1, [&] { queueIntegrateAll(form); });
    result.values = lma_.download();
    return result;
  }

  TimedValues assemble(Storage storage, bool byColours, int repeats) override {
    TimedValues result;
    result.seconds = medianSeconds(repeats, 1, [&] { queueAssemble(storage, byColours); });
    result.values = (storage == Storage::csr ? csrValue_ : ellValue_).download();
    return result;
  }

  TimedValues multiply(Storage storage, std::vector<double> const& x, int repeats) override {
    DeviceArray<double> const in(x), out(x.size());
    out.fillBytes(0xff);
    TimedValues result;
    constexpr int inner = 5;
    result.seconds =
        medianSeconds(repeats, inner, [&] { queueMultiply(storage, in.data(), out.data()); });
    result.values = out.download();
    return result;
  }

  TimedValues solve(Storage storage, Preconditioner preconditioner, std::vector<double> const& b,
                    double tolerance, int mostIterations) override {
    CgVectors vectors(b);
    double const enough = tolerance * tolerance * vectors.residual();
    TimedValues result;
    Event begin, end;
    begin.record();
    for (;; ++result.iterations) {
      constexpr int glances = 16;  // iterations between two looks at the residual
      if (result.iterations % glances == 0 || result.iterations == mostIterations)
        if (vectors.residual() <= enough || result.iterations == mostIterations) break;
      if (preconditioner == Preconditioner::jacobi)
        vectors.queueJacobi(inverse_.data());
      else
        queueSweeps(storage, vectors.r(), vectors.z());
      vectors.queueTurn();
      queueMultiply(storage, vectors.p(), vectors.q());
      vectors.queueStep();
    }
    end.record();
    result.seconds = end.secondsSince(begin);
    check(cudaGetLastError());
    result.values = vectors.x();
    return result;
  }

 private:
  Elements elements() const { return {count_, corners_.data(), node_.data()}; }
  CsrRows csr() const { return {n_, start_.data(), column_.data(), csrValue_.data()}; }
  EllRows ell() const { return {n_, ellWidth_, ellColumn_.data(), ellValue_.data()}; }

  /// Where the entry (i, j) of triangle e goes in either storage; -1 if one of them is fixed.
  void placeEntries(Csr const& pattern) {
    std::vector<int> const places = placesOf(space_, pattern);
    auto const w = std::size_t(space_.width), count = std::size_t(count_);
    if (double(ellWidth_) * n_ > 2e9)
      throw std::logic_error("the matrix has more entries than an int can count");
    std::vector<int> inCsr(places.size()), inEll(places.size());
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t i = 0; i < w; ++i)
        for (std::size_t j = 0; j < w; ++j) {
          int const a = space_.node[e * w + i], b = space_.node[e * w + j];
          bool const isOut = space_.isFixed[a] || space_.isFixed[b];
          int const place = places[(e * w + i) * w + j];
          std::size_t const to = (i * w + j) * count + e;
          inCsr[to] = isOut ? -1 : place;
          inEll[to] = isOut ? -1 : (place - pattern.start[a]) * n_ + a;
        }
    csrPlace_ = DeviceArray<int>(inCsr);
    ellPlace_ = DeviceArray<int>(inEll);
  }

  void queueIntegrateAll(Integration form) const {
    queueIntegrate(space_.degree, form, elements(), lma_.data());
  }

  /// One launch over all triangles, or one a colour.
  template <class Queue>
  void overTriangles(bool byColours, Queue const& queue) const {
    if (!byColours) return queue(Listed{nullptr, count_});
    for (int c = 0; c < elementColours_.count; ++c) {
      int const begin = elementColours_.start[c], size = elementColours_.start[c + 1] - begin;
      queue(Listed{elementList_.data() + begin, size});
    }
  }

  void queueAssemble(Storage storage, bool byColours) const {
    bool const isCsr = storage == Storage::csr;
    DeviceArray<double> const& value = isCsr ? csrValue_ : ellValue_;
    int const* const place = (isCsr ? csrPlace_ : ellPlace_).data();
    check(cudaMemsetAsync(value.data(), 0, value.size() * sizeof(double)));
    overTriangles(byColours, [&](Listed const& triangles) {
      device::queueAssemble(space_.degree, elements(), place, triangles, value.data());
    });
  }

  void queueMultiply(Storage storage, double const* x, double* y) const {
    if (storage == Storage::csr) return device::queueMultiply(csr(), x, y);
    if (storage == Storage::ell) return device::queueMultiply(ell(), x, y);
    check(cudaMemsetAsync(y, 0, n_ * sizeof(double)));
    double const* const values = storage == Storage::matrixFree ? nullptr : lma_.data();
    overTriangles(storage == Storage::lmaColours, [&](Listed const& triangles) {
      queueMultiplyElements(space_.degree, elements(), values, triangles, x, y);
    });
  }

  void queueSweeps(Storage storage, double const* r, double* z) const {
    auto const all = [&](auto const& rows) {
      auto const colour = [&](int c, double const* right) {
        int const begin = rowColours_.start[c], size = rowColours_.start[c + 1] - begin;
        queueColour(rows, {rowList_.data() + begin, size, rowColour_.data()}, inverse_.data(),
                    right, z);
      };
      for (int c = 0; c < rowColours_.count; ++c) colour(c, r);
      for (int c = rowColours_.count - 2; c >= 0; --c) colour(c, nullptr);
    };
    if (storage == Storage::csr)
      all(csr());
    else if (storage == Storage::ell)
      all(ell());
    else
      throw std::logic_error("SSOR needs assembled rows");
  }

  Space const& space_;
  int count_, n_, ellWidth_ = 0;
  DeviceArray<double> corners_;
  DeviceArray<int> node_;
  Colouring elementColours_, rowColours_;
  DeviceArray<int> elementList_, rowList_, rowColour_;
  DeviceArray<double> inverse_, csrValue_, ellValue_, lma_;
  DeviceArray<int> start_, column_, ellColumn_, csrPlace_, ellPlace_;
};

}  // namespace

std::unique_ptr<DeviceFem> makeFem(Space const& space) {
  return std::make_unique<Fem>(space);
}

}  // namespace osi_cuda::response::device
