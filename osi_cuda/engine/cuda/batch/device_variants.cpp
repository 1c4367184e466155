// SPDX-License-Identifier: EPL-2.0
// The host's side of variants on a device: the common tableau is that of a CudaEngine of its own;
// variants go in parts, of which each is as large as the memory for its answers lets it be.
#include "osi_cuda/engine/cuda/batch/device_variants.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/engine/cuda/batch/layout.hpp"
#include "osi_cuda/engine/cuda/batch/variant_kernel.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/device_scope.hpp"
#include "osi_cuda/engine/cuda/index.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {
namespace {

/// Answers of a part take so many bytes at most, and a part has so many variants at most: large
/// beside what a launch takes, small beside the memory of a device and of the processor.
constexpr std::size_t partBytes = std::size_t{256} << 20;
constexpr std::size_t partVariants = std::size_t{1} << 16;
/// So many bytes of answers are worth several threads of the processor, of which these are enough
/// for its memory.
constexpr std::size_t worthThreads = std::size_t{1} << 20;
constexpr int copyThreads = 8;
/// Share of the free memory that the blocks' factors may take.
constexpr double memoryShare = 0.8;

Event makeTimer() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return Event(event);
}

/// What all variants share, in the device's memory.
class DeviceVariantBase {
 public:
  DeviceVariantBase(LinearProgram const& lp, Basis const& basis, int device, Uploader& uploader,
                    cudaStream_t stream)
      : form_(makeStandardForm(lp, false)) {
    EngineOptions options;
    options.device = device;
    engine_.emplace(options);
    batch::CommonBasis const common = batch::settleBasis(*engine_, form_, lp, basis);
    SparseMatrix const transposed = lp.matrix.transposed();
    std::vector<int> const longRows = batch::longLinesOf(transposed),
                           longColumns = batch::longLinesOf(lp.matrix);
    view_ = batch::baseOf(lp, common);
    view_.byRow = batch::linesOf(transposed, longRows);
    view_.byColumn = batch::linesOf(lp.matrix, longColumns);
    std::size_t const m = index(lp.rows()), n = index(lp.columns());
    auto const nonzeros = static_cast<std::size_t>(lp.matrix.nonzeros());
    Layout layout;
    forAll(m, n, nonzeros, [&](auto const*& array, std::size_t length) {
      layout.take<std::remove_cvref_t<decltype(*array)>>(length);
    });
    memory_ = DeviceArray<char>(layout.bytes());
    weights_ = DeviceArray<double>(m + n);
    Layout places;
    forAll(m, n, nonzeros, [&](auto const*& array, std::size_t length) {
      using T = std::remove_cvref_t<decltype(*array)>;
      T* const target = reinterpret_cast<T*>(memory_.data() + places.take<T>(length));
      uploader.upload(stream, target, array, length);
      array = target;
    });
    view_.tableau = engine_->tableau();
    launchVariantWeights(view_, weights_.data(), weights_.data() + m, stream);
    view_.rowWeight = weights_.data();
    view_.columnWeight = weights_.data() + m;
    check(cudaStreamSynchronize(stream));
  }

  batch::VariantBase const& view() const { return view_; }

 private:
  /// Calls f with every array of the view but the tableau and the weights, and its length.
  template <class F>
  void forAll(std::size_t m, std::size_t n, std::size_t nonzeros, F f) {
    f(view_.byRow.starts, m + 1);
    f(view_.byRow.indices, nonzeros);
    f(view_.byRow.values, nonzeros);
    f(view_.byRow.longLines, index(view_.byRow.longCount));
    f(view_.byColumn.starts, n + 1);
    f(view_.byColumn.indices, nonzeros);
    f(view_.byColumn.values, nonzeros);
    f(view_.byColumn.longLines, index(view_.byColumn.longCount));
    f(view_.objective, n);
    f(view_.columnLower, n);
    f(view_.columnUpper, n);
    f(view_.rowLower, m);
    f(view_.rowUpper, m);
    f(view_.rowVariable, m);
    f(view_.columnVariable, n);
    f(view_.position, m + n);
    f(view_.rowValue, m);
    f(view_.columnValue, n);
    f(view_.reducedCost, n);
  }

  StandardForm form_;
  std::optional<CudaEngine> engine_;  ///< whose tableau the variants share
  DeviceArray<char> memory_;
  DeviceArray<double> weights_;
  batch::VariantBase view_;
};

class CudaVariants final : public batch::DeviceVariants {
 public:
  explicit CudaVariants(int device) : device_(device) {
    check(cudaGetDeviceProperties(&properties_, device_));
    DeviceScope const scope(device_);
    stream_ = makeStream();
    begin_ = makeTimer();
    end_ = makeTimer();
    stop_ = PinnedArray<int>(1);
    uploader_.emplace();
  }
  ~CudaVariants() override {
    CallersContext const caller;
    cudaSetDevice(device_);  // arrays and streams go with the device they belong to
    cudaStreamSynchronize(stream_);
    base_.reset();
    in_ = {};
    out_ = {};
    memory_ = {};
    next_ = {};
    landing_ = {};
    certificates_ = {};
    stop_ = {};
    uploader_.reset();
    begin_ = {};
    end_ = {};
    stream_ = {};
  }

  std::string device() const override { return properties_.name; }

  void setBase(LinearProgram const& lp, Basis const& basis) override {
    DeviceScope const scope(device_);
    base_.reset();
    base_.emplace(lp, basis, device_, *uploader_, stream_);
  }

  double solve(batch::VariantJob const& job) override {
    DeviceScope const scope(device_);
    check(cudaStreamSynchronize(stream_));  // what a call that failed may have left
    bool const points = !job.x.empty() || !job.y.empty();
    batch::VariantBase const& base = base_->view();
    std::size_t const m = index(base.rows), n = index(base.columns);
    std::size_t const answer = 3 * (m + n) * sizeof(double) + m + n;
    std::size_t const most =
        points ? std::clamp<std::size_t>(partBytes / answer, 1, partVariants) : partVariants;
    std::size_t const blocks = makeRoom(job, std::min(most, job.chosen.size()));
    double seconds = 0.0;
    *stop_.data() = 0;
    for (std::size_t first = 0; first < job.chosen.size() && *stop_.data() == 0;) {
      std::size_t const count = std::min(most, job.chosen.size() - first);
      seconds += solvePart(job, points, blocks, first, count);
      first += count;
      if (job.goneBy && job.goneBy(first)) break;
    }
    return seconds;
  }

 private:
  /// Where the pieces of a part begin.
  struct Places {
    std::size_t tasks, numbers, coefficients, inBytes;
    std::size_t report, x, y, columnStatus, rowStatus, landingBytes, yLow, ray, rayLow, outBytes;
  };

  /// Memory for the blocks' states and factors; returns how many blocks there may be.
  std::size_t makeRoom(batch::VariantJob const& job, std::size_t variants) {
    batch::VariantBase const& base = base_->view();
    memoryDoubles_ =
        (batch::VariantPlaces::doubles(base.rows, base.columns, job.factors) + 1) / 2 * 2;
    auto const each = static_cast<std::size_t>(memoryDoubles_) * sizeof(double);
    shape_ = variantShape(base.rows, base.columns, job.factors, job.blockThreads,
                          properties_.sharedMemPerBlockOptin);
    std::size_t const usual = index(variantBlocks(shape_, properties_.multiProcessorCount));
    std::size_t const wanted = std::max<std::size_t>(1, std::min(usual, variants));
    if (memory_.size() >= wanted * each / sizeof(double)) return wanted;
    memory_ = DeviceArray<double>();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    auto const fitting = static_cast<std::size_t>(memoryShare * static_cast<double>(free)) / each;
    std::size_t const blocks = std::min(wanted, fitting);
    if (blocks == 0)
      throw EngineUnavailable(
          "engine cuda: there is not enough memory on the device for the factors of a variant");
    memory_ = DeviceArray<double>(blocks * each / sizeof(double));
    return blocks;
  }

  double solvePart(batch::VariantJob const& job, bool points, std::size_t blocks, std::size_t first,
                   std::size_t count) {
    std::span<std::size_t const> const chosen = job.chosen.subspan(first, count);
    blocks = std::min(blocks, count);
    Places const p = place(job, chosen, points ? count : blocks);
    send(job, chosen, p);
    batch::SmallReport open;
    open.end = batch::SmallEnd::interrupted;
    std::vector<batch::SmallReport> const unsolved(count, open);
    upload(stream_, outAt<batch::SmallReport>(p.report), unsolved.data(), count);
    next_.reserve(1);
    clear(stream_, next_, 1);
    VariantPart part;
    part.base = base_->view();
    part.tasks = reinterpret_cast<batch::VariantTask const*>(in_.data() + p.tasks);
    part.numbers = reinterpret_cast<batch::VariantNumber const*>(in_.data() + p.numbers);
    part.coefficients =
        reinterpret_cast<batch::VariantCoefficient const*>(in_.data() + p.coefficients);
    part.count = static_cast<int>(count);
    part.capacity = job.factors;
    part.next = next_.data();
    part.stop = stop_.onDevice();
    part.report = outAt<batch::SmallReport>(p.report);
    part.points = points;
    part.x = outAt<double>(p.x);
    part.y = outAt<double>(p.y);
    part.yLow = outAt<double>(p.yLow);
    part.ray = outAt<double>(p.ray);
    part.rayLow = outAt<double>(p.rayLow);
    part.columnStatus = outAt<std::uint8_t>(p.columnStatus);
    part.rowStatus = outAt<std::uint8_t>(p.rowStatus);
    part.near = shape_.near;
    part.memory = memory_.data();
    part.memoryDoubles = memoryDoubles_;
    check(cudaEventRecord(begin_, stream_));
    launchVariants(shape_, static_cast<int>(blocks), part, job.settings, stream_);
    check(cudaEventRecord(end_, stream_));
    std::size_t const landing = points ? p.landingBytes : p.x;
    if (landing_.size() < landing) {
      landing_ = PinnedArray<char>();
      landing_ = PinnedArray<char>(landing);
    }
    check(cudaMemcpyAsync(landing_.data(), out_.data(), landing, cudaMemcpyDeviceToHost, stream_));
    wait(job, first);
    handOn(job, chosen, p, points);
    float milliseconds = 0.0f;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e-3 * milliseconds;
  }

  template <class T>
  T* outAt(std::size_t place) const {
    return reinterpret_cast<T*>(out_.data() + place);
  }

  /// Lays the part out, with answers for `answers` of its variants.
  Places place(batch::VariantJob const& job, std::span<std::size_t const> chosen,
               std::size_t answers) {
    batch::VariantBase const& base = base_->view();
    std::size_t const m = index(base.rows), n = index(base.columns);
    std::size_t numbers = 0, coefficients = 0;
    for (std::size_t k : chosen) {
      numbers += index(job.list->tasks[k].numbers);
      coefficients += 2 * index(job.list->tasks[k].coefficients);
    }
    Places p{};
    Layout in;
    p.tasks = in.take<batch::VariantTask>(chosen.size());
    p.numbers = in.take<batch::VariantNumber>(numbers);
    p.coefficients = in.take<batch::VariantCoefficient>(coefficients);
    p.inBytes = in.bytes();
    Layout out;
    p.report = out.take<batch::SmallReport>(chosen.size());
    p.x = out.take<double>(answers * n);
    p.y = out.take<double>(answers * m);
    p.columnStatus = out.take<std::uint8_t>(answers * n);
    p.rowStatus = out.take<std::uint8_t>(answers * m);
    p.landingBytes = out.bytes();
    p.yLow = out.take<double>(answers * m);
    p.ray = out.take<double>(answers * n);
    p.rayLow = out.take<double>(answers * n);
    p.outBytes = out.bytes();
    in_.reserve(p.inBytes);
    out_.reserve(p.outBytes);
    // What no variant writes travels as well.
    check(cudaMemsetAsync(out_.data(), 0, p.outBytes, stream_));
    return p;
  }

  void send(batch::VariantJob const& job, std::span<std::size_t const> chosen, Places const& p) {
    std::vector<char> packed(p.inBytes);
    auto* const tasks = reinterpret_cast<batch::VariantTask*>(packed.data() + p.tasks);
    auto* const numbers = reinterpret_cast<batch::VariantNumber*>(packed.data() + p.numbers);
    auto* const coefficients =
        reinterpret_cast<batch::VariantCoefficient*>(packed.data() + p.coefficients);
    std::int64_t nextNumber = 0, nextCoefficient = 0;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      batch::VariantChanges const changes = job.list->changes(chosen[c]);
      tasks[c] = job.list->tasks[chosen[c]];
      tasks[c].firstNumber = nextNumber;
      tasks[c].firstCoefficient = nextCoefficient;
      std::copy_n(changes.numbers, changes.numberCount, numbers + nextNumber);
      std::int64_t const both = 2 * std::int64_t{changes.coefficientCount};
      std::copy_n(changes.coefficients, both, coefficients + nextCoefficient);
      nextNumber += changes.numberCount;
      nextCoefficient += both;
    }
    uploader_->upload(stream_, in_.data(), packed.data(), packed.size());
  }

  /// Waits for the part, and lets the caller look in. A thread that sleeps does so for some tens of
  /// microseconds at least, which is long beside a short part.
  void wait(batch::VariantJob const& job, std::size_t done) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds interval(50), awake(2);
    Clock::time_point const begin = Clock::now();
    Clock::time_point asked = begin;
    for (;;) {
      cudaError_t const status = cudaStreamQuery(stream_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check(status);
      Clock::time_point const now = Clock::now();
      if (now - asked > interval) {
        asked = now;
        if (job.goneBy && job.goneBy(done)) *const_cast<int volatile*>(stop_.data()) = 1;
      }
      if (now - begin < awake)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  void handOn(batch::VariantJob const& job, std::span<std::size_t const> chosen, Places const& p,
              bool points) {
    batch::VariantBase const& base = base_->view();
    std::size_t const m = index(base.rows), n = index(base.columns);
    auto const* const reports =
        reinterpret_cast<batch::SmallReport const*>(landing_.data() + p.report);
    auto const copy = [&](auto& target, std::size_t place, std::size_t length, std::size_t c) {
      using T = std::remove_cvref_t<decltype(target[0])>;
      auto const* const source = reinterpret_cast<T const*>(landing_.data() + place);
      std::copy_n(source + c * length, length, target.data() + chosen[c] * length);
    };
    for (std::size_t c = 0; c < chosen.size(); ++c) job.report[chosen[c]] = reports[c];
    if (!points) return;
    std::size_t const bytes = chosen.size() * (m + n) * (sizeof(double) + 1);
    int const threads = bytes < worthThreads ? 1 : std::min(job.threads, copyThreads);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      copy(job.x, p.x, n, c);
      copy(job.y, p.y, m, c);
      copy(job.columnStatus, p.columnStatus, n, c);
      copy(job.rowStatus, p.rowStatus, m, c);
    }
    handOnCertificates(job, chosen, p, reports);
  }

  /// The parts of certificates that have not come with the answers travel together.
  void handOnCertificates(batch::VariantJob const& job, std::span<std::size_t const> chosen,
                          Places const& p, batch::SmallReport const* reports) {
    batch::VariantBase const& base = base_->view();
    std::size_t const m = index(base.rows), n = index(base.columns);
    auto const length = [&](std::size_t c) {
      return reports[c].end == batch::SmallEnd::infeasible  ? m
             : reports[c].end == batch::SmallEnd::unbounded ? 2 * n
                                                            : std::size_t{0};
    };
    std::size_t all = 0;
    for (std::size_t c = 0; c < chosen.size(); ++c) all += length(c);
    if (all == 0) return;
    if (certificates_.size() < all) {
      certificates_ = PinnedArray<double>();
      certificates_ = PinnedArray<double>(all);
    }
    double* next = certificates_.data();
    auto const fetch = [&](std::size_t place, std::size_t c, std::size_t count) {
      check(cudaMemcpyAsync(next, outAt<double>(place) + c * count, count * sizeof(double),
                            cudaMemcpyDeviceToHost, stream_));
      next += count;
    };
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      if (reports[c].end == batch::SmallEnd::infeasible) {
        fetch(p.yLow, c, m);
      } else if (reports[c].end == batch::SmallEnd::unbounded) {
        fetch(p.ray, c, n);
        fetch(p.rayLow, c, n);
      }
    }
    check(cudaStreamSynchronize(stream_));
    std::span<double const> const y(reinterpret_cast<double const*>(landing_.data() + p.y),
                                    chosen.size() * m);
    std::span<double const> rest(certificates_.data(), all);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      if (reports[c].end == batch::SmallEnd::infeasible)
        job.certificate(chosen[c], y.subspan(c * m, m), rest.first(m), {}, {});
      else if (reports[c].end == batch::SmallEnd::unbounded)
        job.certificate(chosen[c], {}, {}, rest.first(n), rest.subspan(n, n));
      rest = rest.subspan(length(c));
    }
  }

  int const device_;
  cudaDeviceProp properties_{};
  Stream stream_;
  Event begin_, end_;
  std::optional<Uploader> uploader_;
  std::optional<DeviceVariantBase> base_;
  DeviceArray<char> in_, out_;
  DeviceArray<double> memory_;
  std::int64_t memoryDoubles_ = 0;
  VariantShape shape_;
  DeviceArray<unsigned> next_;
  PinnedArray<char> landing_;
  PinnedArray<double> certificates_;
  PinnedArray<int> stop_;
};

}  // namespace

std::unique_ptr<batch::DeviceVariants> makeDeviceVariants(int device) {
  return std::make_unique<CudaVariants>(device);
}

}  // namespace osi_cuda::cuda
