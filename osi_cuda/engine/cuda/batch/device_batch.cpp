// SPDX-License-Identifier: EPL-2.0
// The host's side of a batch on a device: parts of the batch travel through page-locked memory in
// turn, so that one is on its way while another is being solved.
#include "osi_cuda/engine/cuda/batch/device_batch.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "osi_cuda/engine/cuda/batch/batch_kernel.hpp"
#include "osi_cuda/engine/cuda/batch/layout.hpp"
#include "osi_cuda/engine/cuda/device_scope.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {
namespace {

/// A part has about so many bytes, and so many problems at most: large beside what a launch takes,
/// small beside the memory of a device and of the processor.
constexpr std::size_t partBytes = std::size_t{96} << 20;
constexpr std::size_t partProblems = std::size_t{1} << 17;
constexpr int partsAtOnce = 3;

/// The largest problem whose tableau may lie outside of shared memory: so many of them as there are
/// multiprocessors still lie in the device's cache, or nearly.
constexpr std::int64_t mostCells = 300000;

/// A thread for each row or column, whichever are more, as long as there are some; all there can be
/// where the tableau lies outside of shared memory, to have many loads on their way (200 x 200:
/// 13,500 problems a second with 224 threads, 19,900 with 512).
int threadsFor(int m, int n, bool inShared, int asked) {
  if (asked > 0) return std::clamp((asked + 31) / 32 * 32, 32, mostBatchThreads);
  constexpr int usual = 256;
  return inShared ? std::clamp((std::max(m, n) + 31) / 32 * 32, 32, usual) : mostBatchThreads;
}

/// Where the pieces of a part begin, on both sides.
struct Places {
  std::size_t tasks, order, matrix, objective, columnLower, columnUpper, rowLower, rowUpper;
  std::size_t inBytes;
  std::size_t report, x, y, columnStatus, rowStatus;
  std::size_t outBytes;
  std::size_t yLow, ray, rayLow;
  std::size_t proofBytes;
};

/// A queue of a part, before it is launched.
struct Group {
  BatchShape shape;
  std::size_t tableau = 0;  ///< doubles of the largest one, where it is not in shared memory
  std::vector<int> tasks;
};

/// What one part of a batch needs; used again and again.
struct Slot {
  Stream stream;
  Event begin, end;
  PinnedArray<char> in, out;
  DeviceArray<char> deviceIn, deviceOut, proofs;
  DeviceArray<double> tableaus;
  DeviceArray<unsigned> counters;
  Places places{};
  std::size_t first = 0, last = 0;  ///< of the chosen problems; first == last: nothing under way
  std::vector<BatchTask> tasks;
  std::size_t cells = 0, columns = 0, rows = 0;

  char* inAt(std::size_t place) const { return in.data() + place; }
  template <class T>
  T* deviceInAt(std::size_t place) const {
    return reinterpret_cast<T*>(deviceIn.data() + place);
  }
  template <class T>
  T* deviceOutAt(std::size_t place) const {
    return reinterpret_cast<T*>(deviceOut.data() + place);
  }
  template <class T>
  T* proofAt(std::size_t place) const {
    return reinterpret_cast<T*>(proofs.data() + place);
  }
  template <class T>
  T const* outAt(std::size_t place) const {
    return reinterpret_cast<T const*>(out.data() + place);
  }
};

template <class T>
void grow(PinnedArray<T>& array, std::size_t size) {
  if (size <= array.size()) return;
  array = PinnedArray<T>();
  array = PinnedArray<T>(size + size / 8);
}
template <class T>
void grow(DeviceArray<T>& array, std::size_t size, cudaStream_t stream) {
  if (size <= array.size()) return;
  array.reserve(size + size / 8);
  clear(stream, array, array.size());  // what no problem writes travels as well
}

/// An event that tells its time, which those of makeEvent may not.
Event makeTimer() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return Event(event);
}

class CudaBatch final : public batch::DeviceBatch {
 public:
  explicit CudaBatch(int device) : device_(device) {
    check(cudaGetDeviceProperties(&properties_, device_));
    DeviceScope const scope(device_);
    origin_ = makeTimer();
    for (Slot& slot : slots_) {
      slot.stream = makeStream();
      slot.begin = makeTimer();
      slot.end = makeTimer();
    }
  }
  ~CudaBatch() override {
    CallersContext const caller;
    cudaSetDevice(device_);  // arrays and streams go with the device they belong to
    for (Slot& slot : slots_) {
      cudaStreamSynchronize(slot.stream);
      slot = {};
    }
    origin_ = {};
  }

  std::string device() const override { return properties_.name; }

  bool fits(int rows, int columns) const override {
    if (rows == 0 || columns == 0) return false;
    return std::int64_t{rows} * columns <= mostCells &&
           teamBytes(rows, columns, mostBatchThreads) <= sharedBytes();
  }

  double solve(batch::DeviceJob const& job) override {
    DeviceScope const scope(device_);
    for (Slot& slot : slots_) {  // what a call that failed may have left
      check(cudaStreamSynchronize(slot.stream));
      slot.first = slot.last = 0;
    }
    check(cudaEventRecord(origin_, slots_[0].stream));
    busyUntil_ = 0.0f;
    double seconds = 0.0;
    bool stop = false;
    std::size_t next = 0, through = 0;
    for (std::size_t turn = 0;; ++turn) {
      Slot& slot = slots_[turn % partsAtOnce];
      if (slot.first < slot.last) {
        seconds += finish(slot, job);
        through += slot.last - slot.first;
        slot.first = slot.last;
        if (job.goneBy && job.goneBy(through)) stop = true;
      }
      if (!stop && next < job.chosen.size()) {
        next = begin(slot, job, next);
      } else if (std::all_of(slots_, slots_ + partsAtOnce,
                             [](Slot const& s) { return s.first == s.last; })) {
        return seconds;
      }
    }
  }

 private:
  std::size_t sharedBytes() const { return properties_.sharedMemPerBlockOptin; }

  /// Takes problems from `first` of the chosen ones on, copies them and launches what solves them;
  /// returns the first that it did not take.
  std::size_t begin(Slot& slot, batch::DeviceJob const& job, std::size_t first) {
    slot.first = first;
    choose(slot, job);
    std::vector<Group> const groups = groupsOf(slot, job);
    place(slot, job);
    pack(slot, job, groups);
    grow(slot.counters, groups.size(), slot.stream);
    cudaStream_t const stream = slot.stream;
    check(cudaMemcpyAsync(slot.deviceIn.data(), slot.in.data(), slot.places.inBytes,
                          cudaMemcpyHostToDevice, stream));
    clear(stream, slot.counters, groups.size());
    check(cudaEventRecord(slot.begin, stream));
    launch(slot, job, groups);
    check(cudaEventRecord(slot.end, stream));
    check(cudaMemcpyAsync(slot.out.data(), slot.deviceOut.data(), slot.places.outBytes,
                          cudaMemcpyDeviceToHost, stream));
    return slot.last;
  }

  static void choose(Slot& slot, batch::DeviceJob const& job) {
    slot.tasks.clear();
    slot.cells = slot.columns = slot.rows = 0;
    std::size_t k = slot.first;
    for (; k < job.chosen.size() && k - slot.first < partProblems; ++k) {
      std::size_t const problem = job.chosen[k];
      int const m = job.problems.rows[problem], n = job.problems.columns[problem];
      std::size_t const cells = index(m) * index(n);
      std::size_t const doubles = slot.cells + cells + 3 * (slot.columns + slot.rows);
      if (k > slot.first && doubles * sizeof(double) > partBytes) break;
      bool const maximize =
          !job.problems.sense.empty() && job.problems.sense[problem] == Sense::maximize;
      slot.tasks.push_back({static_cast<std::int64_t>(slot.cells),
                            static_cast<std::int64_t>(slot.columns),
                            static_cast<std::int64_t>(slot.rows), m, n, maximize ? -1.0 : 1.0,
                            job.problems.offset.empty() ? 0.0 : job.problems.offset[problem]});
      slot.cells += cells;
      slot.columns += index(n);
      slot.rows += index(m);
    }
    slot.last = k;
  }

  /// Problems by the threads that they get and the blocks that share a multiprocessor's memory.
  std::vector<Group> groupsOf(Slot const& slot, batch::DeviceJob const& job) const {
    std::map<std::pair<int, int>, Group> groups;
    Group* last = nullptr;  // mostly the next problem's group as well
    for (std::size_t k = 0; k < slot.tasks.size(); ++k) {
      BatchTask const& task = slot.tasks[k];
      if (last && task.rows == slot.tasks[k - 1].rows &&
          task.columns == slot.tasks[k - 1].columns) {
        last->tasks.push_back(static_cast<int>(k));
        continue;
      }
      std::size_t const tableau = tableauBytes(task.rows, task.columns);
      auto const shared = [&](bool withTableau) {
        int const threads = threadsFor(task.rows, task.columns, withTableau, job.blockThreads);
        return teamBytes(task.rows, task.columns, threads) + (withTableau ? tableau : 0);
      };
      bool const inShared = shared(true) <= sharedBytes();
      int const threads = threadsFor(task.rows, task.columns, inShared, job.blockThreads);
      std::size_t const bytes = shared(inShared);
      constexpr std::size_t reserved = 1024;  // of each block, by the system
      int const blocks = std::min<int>(
          32, static_cast<int>(properties_.sharedMemPerMultiprocessor / (bytes + reserved)));
      Group& group = groups[{inShared ? blocks : -blocks, threads}];
      group.shape.threads = threads;
      group.shape.inShared = inShared;
      group.shape.usual = job.settings.primal == Pricing::sketched;
      group.shape.shared = std::max(group.shape.shared, bytes);
      if (!inShared) group.tableau = std::max(group.tableau, tableau / sizeof(double));
      group.tasks.push_back(static_cast<int>(k));
      last = &group;
    }
    std::vector<Group> list;
    for (auto& [key, group] : groups) list.push_back(std::move(group));
    return list;
  }

  static void place(Slot& slot, batch::DeviceJob const& job) {
    Places& p = slot.places;
    std::size_t const count = slot.tasks.size();
    auto const some = [](std::span<double const> array, std::size_t size) {
      return array.empty() ? std::size_t{0} : size;
    };
    Layout in;
    p.tasks = in.take<BatchTask>(count);
    p.order = in.take<int>(count);
    p.objective = in.take<double>(slot.columns);
    p.columnLower = in.take<double>(some(job.problems.columnLower, slot.columns));
    p.columnUpper = in.take<double>(some(job.problems.columnUpper, slot.columns));
    p.rowLower = in.take<double>(some(job.problems.rowLower, slot.rows));
    p.rowUpper = in.take<double>(some(job.problems.rowUpper, slot.rows));
    p.matrix = in.take<double>(slot.cells);
    p.inBytes = in.bytes();
    Layout out;
    p.report = out.take<batch::SmallReport>(count);
    p.x = out.take<double>(slot.columns);
    p.y = out.take<double>(slot.rows);
    p.columnStatus = out.take<std::uint8_t>(slot.columns);
    p.rowStatus = out.take<std::uint8_t>(slot.rows);
    p.outBytes = out.bytes();
    Layout proofs;
    p.yLow = proofs.take<double>(slot.rows);
    p.ray = proofs.take<double>(slot.columns);
    p.rayLow = proofs.take<double>(slot.columns);
    p.proofBytes = proofs.bytes();
    grow(slot.in, p.inBytes);
    grow(slot.out, p.outBytes);
    grow(slot.deviceIn, p.inBytes, slot.stream);
    grow(slot.deviceOut, p.outBytes, slot.stream);
    grow(slot.proofs, p.proofBytes, slot.stream);
  }

  /// Copies the problems into page-locked memory, by several threads.
  static void pack(Slot const& slot, batch::DeviceJob const& job,
                   std::vector<Group> const& groups) {
    Places const& p = slot.places;
    std::memcpy(slot.inAt(p.tasks), slot.tasks.data(), slot.tasks.size() * sizeof(BatchTask));
    auto* order = reinterpret_cast<int*>(slot.inAt(p.order));
    for (Group const& group : groups)
      order = std::copy(group.tasks.begin(), group.tasks.end(), order);
    auto const copy = [&](std::size_t place, std::int64_t offset, std::span<double const> source,
                          std::size_t begin, std::size_t end) {
      if (begin < end && !source.empty())
        std::memcpy(slot.inAt(place) + index(offset) * sizeof(double), source.data() + begin,
                    (end - begin) * sizeof(double));
    };
    // Successive problems are successive in both places: they are copied in long pieces.
    auto const copyRun = [&](std::size_t from, std::size_t to) {
      BatchTask const& task = slot.tasks[from];
      std::size_t const k = job.chosen[slot.first + from],
                        end = job.chosen[slot.first + to - 1] + 1;
      auto const& [matrix, column, row] = job.starts;
      copy(p.matrix, task.matrix, job.problems.matrix, matrix[k], matrix[end]);
      copy(p.objective, task.column, job.problems.objective, column[k], column[end]);
      copy(p.columnLower, task.column, job.problems.columnLower, column[k], column[end]);
      copy(p.columnUpper, task.column, job.problems.columnUpper, column[k], column[end]);
      copy(p.rowLower, task.row, job.problems.rowLower, row[k], row[end]);
      copy(p.rowUpper, task.row, job.problems.rowUpper, row[k], row[end]);
    };
    auto const pieces = static_cast<std::size_t>(std::max(1, job.threads));
#pragma omp parallel for schedule(static) num_threads(job.threads)
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      std::size_t const last = slot.tasks.size() * (piece + 1) / pieces;
      for (std::size_t from = slot.tasks.size() * piece / pieces, to; from < last; from = to) {
        for (to = from + 1; to < last; ++to)
          if (job.chosen[slot.first + to] != job.chosen[slot.first + to - 1] + 1) break;
        copyRun(from, to);
      }
    }
  }

  void launch(Slot& slot, batch::DeviceJob const& job, std::vector<Group> const& groups) const {
    Places const& p = slot.places;
    auto const bound = [&](std::span<double const> array, std::size_t place) {
      return array.empty() ? nullptr : slot.deviceInAt<double>(place);
    };
    BatchPart part;
    part.tasks = slot.deviceInAt<BatchTask>(p.tasks);
    part.matrix = slot.deviceInAt<double>(p.matrix);
    part.objective = slot.deviceInAt<double>(p.objective);
    part.columnLower = bound(job.problems.columnLower, p.columnLower);
    part.columnUpper = bound(job.problems.columnUpper, p.columnUpper);
    part.rowLower = bound(job.problems.rowLower, p.rowLower);
    part.rowUpper = bound(job.problems.rowUpper, p.rowUpper);
    part.report = slot.deviceOutAt<batch::SmallReport>(p.report);
    part.x = slot.deviceOutAt<double>(p.x);
    part.y = slot.deviceOutAt<double>(p.y);
    part.columnStatus = slot.deviceOutAt<std::uint8_t>(p.columnStatus);
    part.rowStatus = slot.deviceOutAt<std::uint8_t>(p.rowStatus);
    part.yLow = slot.proofAt<double>(p.yLow);
    part.ray = slot.proofAt<double>(p.ray);
    part.rayLow = slot.proofAt<double>(p.rayLow);
    std::size_t first = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Group const& group = groups[g];
      auto const count = static_cast<int>(group.tasks.size());
      int const blocks = std::min(count, batchBlocks(group.shape, properties_.multiProcessorCount));
      // To grow frees what an earlier group may be using: the runtime waits for that.
      if (!group.shape.inShared) slot.tableaus.reserve(index(blocks) * group.tableau);
      BatchQueue const queue{slot.deviceInAt<int>(p.order) + first, count, slot.counters.data() + g,
                             group.shape.inShared ? nullptr : slot.tableaus.data(), group.tableau};
      launchBatch(group.shape, blocks, part, queue, job.settings, slot.stream);
      first += group.tasks.size();
    }
  }

  /// Waits for the part and hands on what came of it; returns the seconds of its kernels.
  double finish(Slot& slot, batch::DeviceJob const& job) {
    check(cudaStreamSynchronize(slot.stream));
    double const seconds = secondsAtWork(slot);
    Places const& p = slot.places;
    auto const* const report = slot.outAt<batch::SmallReport>(p.report);
    auto const* const x = slot.outAt<double>(p.x);
    auto const* const y = slot.outAt<double>(p.y);
    auto const* const columnStatus = slot.outAt<VariableStatus>(p.columnStatus);
    auto const* const rowStatus = slot.outAt<VariableStatus>(p.rowStatus);
    auto const count = static_cast<std::int64_t>(slot.tasks.size());
    int certificates = 0;
#pragma omp parallel for schedule(static) num_threads(job.threads) reduction(+ : certificates)
    for (std::int64_t t = 0; t < count; ++t) {
      BatchTask const& task = slot.tasks[index(t)];
      std::size_t const k = job.chosen[slot.first + index(t)];
      std::size_t const column = job.starts.column[k], row = job.starts.row[k];
      job.targets.report[k] = report[t];
      std::copy_n(x + task.column, task.columns, job.targets.x.data() + column);
      std::copy_n(y + task.row, task.rows, job.targets.y.data() + row);
      std::copy_n(columnStatus + task.column, task.columns,
                  job.targets.columnStatus.data() + column);
      std::copy_n(rowStatus + task.row, task.rows, job.targets.rowStatus.data() + row);
      certificates += hasCertificate(report[t]) ? 1 : 0;
    }
    if (certificates > 0) handOnCertificates(slot, job);
    return seconds;
  }

  /// What the part's kernels took beyond those of the part before, which may still have been at
  /// work when they began.
  double secondsAtWork(Slot const& slot) {
    float begin = 0.0f, end = 0.0f;
    check(cudaEventElapsedTime(&begin, origin_, slot.begin));
    check(cudaEventElapsedTime(&end, origin_, slot.end));
    float const from = std::max(begin, busyUntil_);
    busyUntil_ = std::max(busyUntil_, end);
    return 1e-3 * std::max(0.0f, end - from);
  }

  static bool hasCertificate(batch::SmallReport const& report) {
    return report.end == batch::SmallEnd::infeasible || report.end == batch::SmallEnd::unbounded;
  }

  static void handOnCertificates(Slot const& slot, batch::DeviceJob const& job) {
    Places const& p = slot.places;
    std::vector<char> proofs(p.proofBytes);
    download(slot.stream, proofs.data(), slot.proofs.data(), p.proofBytes);
    auto const piece = [&](std::size_t place, std::int64_t offset, int length) {
      return std::span<double const>(
          reinterpret_cast<double const*>(proofs.data() + place) + offset, index(length));
    };
    for (std::size_t t = 0; t < slot.tasks.size(); ++t) {
      BatchTask const& task = slot.tasks[t];
      batch::SmallReport const& report = slot.outAt<batch::SmallReport>(p.report)[t];
      if (!hasCertificate(report)) continue;
      std::size_t const k = job.chosen[slot.first + t];
      if (report.end == batch::SmallEnd::unbounded)
        job.certificate(k, {}, {}, piece(p.ray, task.column, task.columns),
                        piece(p.rayLow, task.column, task.columns));
      else if (report.margin == 0.0)  // bounds that cross
        job.certificate(k, {}, {}, {}, {});
      else
        job.certificate(k, {slot.outAt<double>(p.y) + task.row, index(task.rows)},
                        piece(p.yLow, task.row, task.rows), {}, {});
    }
  }

  int const device_;
  cudaDeviceProp properties_{};
  Event origin_;            ///< the beginning of a call
  float busyUntil_ = 0.0f;  ///< milliseconds from there: no kernel that has ended did so later
  Slot slots_[partsAtOnce];
};

}  // namespace

std::unique_ptr<batch::DeviceBatch> makeDeviceBatch(int device) {
  return std::make_unique<CudaBatch>(device);
}

}  // namespace osi_cuda::cuda
