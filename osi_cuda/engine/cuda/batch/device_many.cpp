// SPDX-License-Identifier: EPL-2.0
// The host's side of many problems on a device: small ones, each with a matrix of its own, and
// variants of one problem.
#include "osi_cuda/engine/cuda/makers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "osi_cuda/engine/cuda/batch/batch_kernel.hpp"
#include "osi_cuda/engine/cuda/batch/variant_kind.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"

namespace osi_cuda::cuda {
namespace {

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

/// A queue of a part, before it is launched.
struct Group {
  BatchShape shape;
  std::size_t tableau = 0;  ///< doubles of the largest one, where it is not in shared memory
  std::vector<int> tasks;
};

/// An array that the problems of a batch have one behind the other.
struct Input {
  double const* BatchPart::*part;
  std::int64_t BatchTask::*offset;
  std::span<double const> source;
  std::span<std::size_t const> starts;
  bool there = false;                ///< on this device, where it is used
  std::size_t place = 0, bytes = 0;  ///< in the part's memory, else
};

/// Whether an array lies on the device. Throws std::invalid_argument where it does on another one.
bool isThere(void const* array, int device) {
  int const found = array ? deviceOf(array, nullptr) : -1;
  if (found >= 0 && found != device)
    throw std::invalid_argument("an array lies on device " + std::to_string(found) +
                                ", but what it belongs to is solved on device " +
                                std::to_string(device));
  return found >= 0;
}

/// Small problems, each with its matrix.
class SmallKind final : public Kind {
 public:
  SmallKind(batch::BatchJob const& job, cudaDeviceProp const& properties, int device)
      : job_(job), properties_(properties) {
    BatchProblems const& p = job.problems;
    auto const &column = job.targets.columnStart, &row = job.targets.rowStart;
    inputs_ = {{&BatchPart::objective, &BatchTask::column, p.objective, column},
               {&BatchPart::columnLower, &BatchTask::column, p.columnLower, column},
               {&BatchPart::columnUpper, &BatchTask::column, p.columnUpper, column},
               {&BatchPart::rowLower, &BatchTask::row, p.rowLower, row},
               {&BatchPart::rowUpper, &BatchTask::row, p.rowUpper, row},
               {&BatchPart::matrix, &BatchTask::matrix, p.matrix, job.matrixStart}};
    if (p.device < 0) return;
    for (Input& input : inputs_) input.there = isThere(input.source.data(), device);
    together_ = true;
  }

  void choose(Slot& slot) override {
    BatchProblems const& p = job_.problems;
    tasks_.clear();
    std::size_t cells = 0, k = slot.first;
    for (; k < job_.chosen.size() && k - slot.first < batch::partProblems; ++k) {
      std::size_t const problem = job_.chosen[k];
      if (together_ && k > slot.first && problem != job_.chosen[k - 1] + 1) break;
      int const m = p.rows[problem], n = p.columns[problem];
      std::size_t const own = at(m) * at(n);
      std::size_t const doubles = cells + own + 3 * (slot.columns + slot.rows);
      if (k > slot.first && doubles * sizeof(double) > batch::partBytes) break;
      auto const column = static_cast<std::int64_t>(slot.columns),
                 row = static_cast<std::int64_t>(slot.rows);
      bool const maximize = !p.sense.empty() && p.sense[problem] == Sense::maximize;
      tasks_.push_back({static_cast<std::int64_t>(cells), column, row, m, n, maximize ? -1.0 : 1.0,
                        p.offset.empty() ? 0.0 : p.offset[problem]});
      slot.pieces.push_back({column, row, n, m});
      cells += own;
      slot.columns += at(n);
      slot.rows += at(m);
    }
    slot.last = k;
    slot.points = true;
    groups_ = groupsOf();
    slot.queues = groups_.size();
    Layout in;
    taskPlace_ = in.take<BatchTask>(tasks_.size());
    orderPlace_ = in.take<int>(tasks_.size());
    slot.inBytes = in.bytes();
    Layout numbers;
    for (Input& input : inputs_) {
      std::size_t const length = input.source.empty() || input.there  ? 0
                                 : input.offset == &BatchTask::matrix ? cells
                                 : input.offset == &BatchTask::column ? slot.columns
                                                                      : slot.rows;
      input.place = numbers.take<double>(length);
      input.bytes = length * sizeof(double);
    }
    slot.numberBytes = numbers.bytes();
  }

  void pack(Slot const& slot) override {
    std::ranges::copy(tasks_, slot.inAt<BatchTask>(taskPlace_));
    int* order = slot.inAt<int>(orderPlace_);
    for (Group const& group : groups_) order = std::ranges::copy(group.tasks, order).out;
  }

  void send(Slot const& slot, Uploader& uploader) override {
    auto const fill = [&](char* piece, std::size_t begin, std::size_t length) {
      for (Input const& input : inputs_) {
        std::size_t const from = std::max(begin, input.place),
                          to = std::min(begin + length, input.place + input.bytes);
        if (from < to) copyPart(slot, input, from, to, piece + (from - begin));
      }
    };
    if (slot.numberBytes > 0)
      uploader.send(slot.stream, slot.numbers.data(), slot.numberBytes, fill, job_.threads);
  }

  void launch(Slot& slot, PartAnswers const& answers) override {
    BatchPart part;
    part.tasks = slot.deviceInAt<BatchTask>(taskPlace_);
    for (Input const& input : inputs_)
      part.*input.part = input.source.empty() ? nullptr
                         : input.there
                             ? input.source.data() + input.starts[job_.chosen[slot.first]]
                             : reinterpret_cast<double const*>(slot.numbers.data() + input.place);
    part.infiniteFrom = job_.problems.infiniteFrom;
    part.answers = answers;
    int const* order = slot.deviceInAt<int>(orderPlace_);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group const& group = groups_[g];
      auto const count = static_cast<int>(group.tasks.size());
      int const blocks = std::min(count, batchBlocks(group.shape, properties_.multiProcessorCount));
      // To grow frees what an earlier group may be using: the runtime waits for that.
      if (!group.shape.inShared) slot.tableaus.reserve(at(blocks) * group.tableau);
      BatchQueue const queue{order, count, slot.counters.data() + g,
                             group.shape.inShared ? nullptr : slot.tableaus.data(), group.tableau};
      launchBatch(group.shape, blocks, part, queue, job_.settings, slot.stream);
      order += count;
    }
  }

 private:
  /// The bytes from..to - 1 of the part's numbers, all of them of `input`.
  void copyPart(Slot const& slot, Input const& input, std::size_t from, std::size_t to,
                char* target) const {
    auto const placeOf = [&](BatchTask const& task) {
      return input.place + at(task.*input.offset) * sizeof(double);
    };
    auto task = std::ranges::upper_bound(tasks_, from, {}, placeOf) - 1;
    for (; from < to; ++task) {
      std::size_t const k = job_.chosen[slot.first + at(task - tasks_.begin())],
                        length = (input.starts[k + 1] - input.starts[k]) * sizeof(double),
                        begin = from - placeOf(*task), end = std::min(begin + to - from, length);
      auto const* const source =
          reinterpret_cast<char const*>(input.source.data() + input.starts[k]);
      target = std::copy(source + begin, source + end, target);
      from += end - begin;
    }
  }

  /// Problems by the threads that they get and the blocks that share a multiprocessor's memory.
  std::vector<Group> groupsOf() const {
    std::map<std::pair<int, int>, Group> groups;
    Group* last = nullptr;  // mostly the next problem's group as well
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      BatchTask const& task = tasks_[k];
      if (last && task.rows == tasks_[k - 1].rows && task.columns == tasks_[k - 1].columns) {
        last->tasks.push_back(static_cast<int>(k));
        continue;
      }
      std::size_t const tableau = tableauBytes(task.rows, task.columns);
      auto const shared = [&](bool withTableau) {
        int const threads = threadsFor(task.rows, task.columns, withTableau, job_.blockThreads);
        return teamBytes(task.rows, task.columns, threads) + (withTableau ? tableau : 0);
      };
      bool const inShared = shared(true) <= properties_.sharedMemPerBlockOptin;
      int const threads = threadsFor(task.rows, task.columns, inShared, job_.blockThreads);
      std::size_t const bytes = shared(inShared);
      constexpr std::size_t reserved = 1024;  // of each block, by the system
      int const blocks = std::min<int>(
          32, static_cast<int>(properties_.sharedMemPerMultiprocessor / (bytes + reserved)));
      Group& group = groups[{inShared ? blocks : -blocks, threads}];
      group.shape.threads = threads;
      group.shape.inShared = inShared;
      group.shape.usual = job_.settings.primal == Pricing::sketched;
      group.shape.shared = std::max(group.shape.shared, bytes);
      if (!inShared) group.tableau = std::max(group.tableau, tableau / sizeof(double));
      group.tasks.push_back(static_cast<int>(k));
      last = &group;
    }
    std::vector<Group> list;
    for (auto& [key, group] : groups) list.push_back(std::move(group));
    return list;
  }

  batch::BatchJob const& job_;
  cudaDeviceProp const& properties_;
  std::vector<Input> inputs_;
  bool together_ = false;  ///< the problems of a part are successive in the callers' arrays
  // of the part that is being made
  std::vector<BatchTask> tasks_;
  std::vector<Group> groups_;
  std::size_t taskPlace_ = 0, orderPlace_ = 0;
};

class CudaMany final : public batch::DeviceMany {
 public:
  explicit CudaMany(int device) : device_(device) {
    check(cudaGetDeviceProperties(&properties_, device_));
    DeviceScope const scope(device_);
    held_.emplace();
  }
  ~CudaMany() override {
    CallersContext const caller;
    cudaSetDevice(device_);  // arrays and streams go with the device they belong to
    if (held_) held_->pipeline.drain();
    held_.reset();
  }

  std::string device() const override { return properties_.name; }

  bool fits(int rows, int columns) const override {
    if (rows == 0 || columns == 0) return false;
    return std::int64_t{rows} * columns <= mostCells &&
           teamBytes(rows, columns, mostBatchThreads) <= properties_.sharedMemPerBlockOptin;
  }

  double solve(batch::BatchJob const& job) override {
    DeviceScope const scope(device_);
    SmallKind kind(job, properties_, device_);
    return held_->pipeline.run(job, kind, Pipeline::mostSlots);
  }

  void clear(AnswerArrays const& answers, std::size_t count, std::size_t columns,
             std::size_t rows) override {
    DeviceScope const scope(device_);
    static_assert(static_cast<int>(VariableStatus::atLower) == 0 && sizeof(VariableStatus) == 1);
    cudaStream_t const stream = held_->pipeline.stream();
    auto const fill = [&](auto* array, std::size_t length, VariableStatus value) {
      if (length > 0)
        check(cudaMemsetAsync(array, static_cast<int>(value), length * sizeof(*array), stream));
    };
    fill(answers.objective, count, {});
    fill(answers.x, columns, {});
    fill(answers.y, rows, {});
    fill(answers.columnStatus, columns, {});
    fill(answers.rowStatus, rows, VariableStatus::basic);
    check(cudaStreamSynchronize(stream));
  }

  void setBase(LinearProgram const& lp, Basis const& basis) override {
    DeviceScope const scope(device_);
    held_->base.reset();
    held_->base.emplace(lp, held_->pipeline.stream());
    held_->base->form(lp, basis, device_);
  }

  void setBase(LinearProgram const& lp, PlacedEngine const& from, bool sameMatrix) override {
    DeviceScope const scope(device_);
    if (!sameMatrix || !held_->base) held_->base.emplace(lp, held_->pipeline.stream());
    held_->base->copy(lp, dynamic_cast<CudaEngine&>(*from.engine), *from.form);
  }

  double solve(batch::VariantJob const& job) override {
    DeviceScope const scope(device_);
    if (job.arrays.empty()) return run(job);
    cudaStream_t const stream = held_->pipeline.stream();
    std::vector<DeviceArray<double>> sent;
    VariantArrays arrays;
    arrays.infiniteFrom = job.infiniteFrom;
    for (VariantArray const& array : job.arrays) {
      double const* numbers = array.values.data();
      if (!isThere(numbers, device_)) {
        held_->pipeline.uploader().upload(stream, sent.emplace_back(array.values.size()).data(),
                                          numbers, array.values.size());
        numbers = sent.back().data();
      }
      arrays.values[static_cast<std::size_t>(array.what)] = numbers;
    }
    std::size_t const all = job.chosen.size();
    DeviceArray<std::int64_t> numbers(all);
    DeviceArray<ChangesFound> counts(all);
    std::vector<std::int64_t> const chosen(job.chosen.begin(), job.chosen.end());
    std::vector<ChangesFound> found(all);
    upload(stream, numbers.data(), chosen.data(), all);
    findChanges(stream, static_cast<int>(all), numbers.data(), held_->base->view(), arrays,
                counts.data());
    download(stream, found.data(), counts.data(), all);

    // The ordinary solver says what is wrong with a number; that bounds cross is a proof.
    std::vector<std::size_t> open;
    for (std::size_t t = 0; t < all; ++t) {
      std::size_t const k = job.chosen[t];
      batch::SmallReport& report = job.targets.report[k];
      job.list->tasks[k].numbers = static_cast<std::int32_t>(found[t].numbers);
      job.list->tasks[k].costs = static_cast<std::int32_t>(found[t].costs);
      if (found[t].faulty == 0 && found[t].crossed == 0) {
        open.push_back(k);
        continue;
      }
      report = {};
      if (found[t].faulty != 0) continue;
      report.end = BatchStatus::infeasible;
      if (job.targets.columnStart.back() + job.targets.rowStart.back() > 0)
        job.certificate(k, {}, {}, {}, {});
    }
    batch::VariantJob there = job;
    there.chosen = open;
    return run(there, &arrays);
  }

 private:
  double run(batch::VariantJob const& job, VariantArrays const* arrays = nullptr) {
    VariantKind kind(job, held_->base->view(), held_->factors, properties_, held_->pipeline,
                     arrays);
    return held_->pipeline.run(job, kind, 1);  // parts share the factors' memory
  }

  /// What the device has of it.
  struct Held {
    Pipeline pipeline;
    std::optional<DeviceVariantBase> base;
    DeviceArray<double> factors;
  };

  int const device_;
  cudaDeviceProp properties_{};
  std::optional<Held> held_;
};

}  // namespace

std::unique_ptr<batch::DeviceMany> makeDeviceMany(int device) {
  return std::make_unique<CudaMany>(device);
}

}  // namespace osi_cuda::cuda
