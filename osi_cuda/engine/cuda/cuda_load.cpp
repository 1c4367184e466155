// SPDX-License-Identifier: EPL-2.0
// The CUDA engine takes a problem: sizes, memory, the first tableau.
#include <algorithm>
#include <utility>

#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/errors.hpp"
#include "osi_cuda/memory.hpp"

namespace osi_cuda::cuda {
void CudaEngine::load(StandardForm const& form) {
  DeviceScope const scope = useDevice();
  form_ = &form;
  factorFits_ = shadowFits_ = false;
  weightsFor_.reset();
  sizeTableau(form);
  sizeTeam();
  requireMemory(form);
  allocate();
  matrix_.load(form, t_.base, uploader_, stream_);
  placeSlackBasis();
  takeBounds(form.lower, form.upper);
  setCosts(form.cost);
}

// K: a fold costs as much as a pass over D, whatever K up to 200 or so; each pivot reads k lines.
void CudaEngine::sizeTableau(StandardForm const& form) {
  t_ = TableauView();
  t_.m = form.rows();
  t_.n = form.columns();
  double const cells = static_cast<double>(t_.m) * t_.n;
  t_.capacity = options_.blockSize > 0 ? options_.blockSize : cells < 8e6 ? 128 : 192;
  t_.stride = (t_.capacity + 1) / 2 * 2;
  int const sketch = options_.sketchSize > 0 ? options_.sketchSize : 64;
  t_.sketchSize = (sketch + 31) / 32 * 32;
}

// Few lines a block make meetings the only cost, many make work: about 45 keep both small. A warp
// looks for the packets of 32 blocks at a time: for a few blocks more it would look once more.
void CudaEngine::sizeTeam() {
  constexpr int linesPerBlock = 45;
  int const most = std::min(multiprocessors_, mostBlocks);
  team_ = TeamView();
  team_.blocks = std::clamp((t_.m + t_.n + linesPerBlock - 1) / linesPerBlock, 1, most);
  if (team_.blocks < most && team_.blocks % 32 <= team_.blocks / 10)
    team_.blocks -= team_.blocks % 32;
  team_.rowTile = std::max(1, (t_.m + team_.blocks - 1) / team_.blocks);
  team_.columnTile = std::max(1, (t_.n + team_.blocks - 1) / team_.blocks);
}

// How many packets the blocks need to speak to each other.
CudaEngine::Messages CudaEngine::messages() const {
  std::size_t const blocks = at(team_.blocks);
  Messages all;
  all.choices = 2 * boxCopies * mostBlocks;
  all.gathers = all.choices * gatherPackets;
  all.payload = headerPackets + at(std::max(t_.stride, t_.sketchSize));
  all.lines = 2 * blocks * all.payload;
  all.kinks = 4 * (at(t_.m) + at(t_.n));
  all.active = blocks * at(std::max(team_.rowTile, team_.columnTile));
  all.folds = 2 * blocks * at(t_.stride);
  return all;
}

void CudaEngine::placeMessages() {
  Messages const all = messages();
  Packet* next = packets_.data();
  auto const box = [&](std::size_t length) { return std::exchange(next, next + length); };
  team_.box = box(all.gathers);
  team_.chooseBox = box(all.choices);
  team_.harrisBox = box(2 * all.choices);
  team_.headBox = box(all.choices);
  team_.columnPayload = box(all.lines);
  team_.rowPayload = box(all.lines);
  team_.payloadLength = static_cast<int>(all.payload);
  team_.kinkBox = box(all.kinks);
  team_.activeBox = box(2 * all.active);
  team_.activeLength = static_cast<int>(all.active);
  team_.foldBox = box(all.folds);
}

// What is held already counts as free: it is used again, or given back before more is taken.
void CudaEngine::requireMemory(StandardForm const& form) {
  ProblemSize const size{at(t_.m), at(t_.n), static_cast<std::size_t>(form.matrix().nonzeros()),
                         at(t_.stride), at(t_.sketchSize)};
  std::uint64_t const needed = bytesNeeded(size) + sizeof(Packet) * messages().total();
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  if (needed <= available) return;
  giveBack();
  check(cudaMemGetInfo(&available, &total));
  if (needed > available)
    throw EngineUnavailable("engine cuda: " +
                            memorySentence(size, needed, available, "device memory"));
}

void CudaEngine::giveBack() {
  matrix_ = {};
  factor_ = {};
  for (auto* array : {&base_, &u_, &v_, &numbers_, &byVariable_, &folded_, &sketchWork_, &block_,
                      &solves_, &shares_})
    *array = {};
  for (auto* array : {&variables_, &places_}) *array = {};
  for (auto* array : {&columnSketch_, &rowSketch_, &shadow_}) *array = {};
  packets_ = {};
  shifts_ = {};
}

void CudaEngine::allocate() {
  std::size_t const m = at(t_.m), n = at(t_.n), k = at(t_.sketchSize), stride = at(t_.stride);
  std::size_t const packets = messages().total();
  auto const take = [this](DeviceArray<double>& array, std::size_t count) {
    array.reserve(count);
    clear(stream_, array, count);
  };
#ifdef OSI_CUDA_DISTURB  // what nobody writes before it is read would show
  auto const poison = [this](auto const& array) {
    if (array.size() > 0)
      check(cudaMemsetAsync(array.data(), 0xff, array.size() * sizeof(*array.data()), stream_));
  };
#else
  auto const poison = [](auto const&) {};
#endif
  base_.reserve(m * n);
  take(u_, m * stride);
  take(v_, n * stride);
  take(numbers_, 7 * m + 8 * n);
  take(byVariable_, 7 * (m + n) + 2);  // at the end: drift
  take(solves_, 3 * m + 2 * (m + n) + 2 * sizeof(ResidualSize) / sizeof(double));
  variables_.reserve(m + n + 1);  // at the end: how many shifts
  shifts_.reserve(at(t_.capacity));
  columnSketch_.reserve(n * k);
  rowSketch_.reserve(m * k);
  folded_.reserve(stride);
  packets_.reserve(packets);
  clear(stream_, packets_, packets);
  next_ = Counters();
  for (auto const* array : {&base_, &u_, &v_, &folded_}) poison(*array);
  for (auto const* array : {&columnSketch_, &rowSketch_}) poison(*array);
  poison(variables_);
  poison(shifts_);

  t_.base = base_.data();
  t_.u = u_.data();
  t_.v = v_.data();
  t_.columnSketch = columnSketch_.data();
  t_.rowSketch = rowSketch_.data();
  double* number = numbers_.data();
  t_.rows.variable = variables_.data();
  t_.columns.variable = variables_.data() + m;
  t_.shiftCount = variables_.data() + m + n;
  t_.shifts = shifts_.data();
  for (double** a : {&t_.rows.value, &t_.rows.lower, &t_.rows.upper, &t_.rows.weight,
                     &t_.rows.entry, &t_.rows.product, &t_.rows.change}) {
    *a = number;
    number += m;
  }
  for (double** a :
       {&t_.columns.value, &t_.columns.lower, &t_.columns.upper, &t_.columns.reducedCost,
        &t_.columns.weight, &t_.columns.entry, &t_.columns.product, &t_.columns.change}) {
    *a = number;
    number += n;
  }
  number = byVariable_.data();
  for (double** a : {&t_.cost, &lower_, &upper_, &value_, &other_, &work_}) {
    *a = number;
    number += m + n;
  }
  number = solves_.data();
  for (double** a : {&right_, &basicCost_, &residual_}) {
    *a = number;
    number += m;
  }
  results_ = number;
  sizes_ = reinterpret_cast<ResidualSize*>(results_ + 2 * (m + n));
  if (landing_.size() < 3 * (m + n) + 4) landing_ = PinnedArray<double>(3 * (m + n) + 4);
  placeMessages();
}

void CudaEngine::placeSlackBasis() {
  count(stream_, t_.m, t_.n, t_.rows.variable);
  count(stream_, t_.n, 0, t_.columns.variable);
  used_ = 0;  // D is A, as the matrix left it there
  pointMoved();
}

}  // namespace osi_cuda::cuda
