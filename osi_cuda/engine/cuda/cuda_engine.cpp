// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's life, the tableau and the runs.
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "osi_cuda/engine/cuda/pivot_kernel.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::cuda {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + 999999) / 1000000) + " MB";
}

/// `options`, if their device is there: to be asked before any member takes something from it.
EngineOptions const& usable(EngineOptions const& options) {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("engine cuda: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  if (options.device < 0 || options.device >= devices)
    throw EngineUnavailable("engine cuda: there is no device " + std::to_string(options.device) +
                            ", only " + std::to_string(devices));
  check(cudaSetDevice(options.device));
  return options;
}

}  // namespace

CudaEngine::CudaEngine(EngineOptions const& options) : options_(usable(options)) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, options.device));
  deviceName_ = properties.name;
  if (!properties.cooperativeLaunch)
    throw EngineUnavailable("engine cuda: " + deviceName_ + " has no cooperative launches");
  multiprocessors_ = properties.multiProcessorCount;
  sharedPerBlock_ = properties.sharedMemPerBlockOptin - 1024;  // static pieces of the kernels
  allowShared(sharedPerBlock_);
  stream_ = makeStream();
  finished_ = makeEvent();
  blas_ = makeBlas(stream_);
  report_ = PinnedArray<LaunchReport>(1);
  measure_ = PinnedArray<Measure>(1);
  drift_ = PinnedArray<double>(2);
  interrupt_ = PinnedArray<int>(1);
}

CudaEngine::~CudaEngine() {
  cudaSetDevice(options_.device);  // arrays and handles go with the device they belong to
}

void CudaEngine::useDevice() const {
  check(cudaSetDevice(options_.device));
}

void CudaEngine::wait() const {
  check(cudaStreamSynchronize(stream_));
}

// Work that runs on the device can't be called off: it is waited for, and the rest is not begun.
void CudaEngine::waitWatching() const {
  if (!stop_) return;
  check(cudaEventRecord(finished_, stream_));
  bool stopped = stop_();
  for (auto asked = std::chrono::steady_clock::now();;) {
    cudaError_t const status = cudaEventQuery(finished_);
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check(status);
    auto const now = std::chrono::steady_clock::now();
    if (now - asked < std::chrono::milliseconds(50)) continue;
    asked = now;
    stopped = stopped || stop_();
  }
  if (stopped) throw Interrupted{};
}

// ---- a problem ---------------------------------------------------------------------------------

void CudaEngine::load(StandardForm const& form) {
  useDevice();
  form_ = &form;
  factorFits_ = false;
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

// Few lines a block make meetings the only cost, many make work: about 45 keep both small.
void CudaEngine::sizeTeam() {
  constexpr int linesPerBlock = 45;
  int const most = std::min(multiprocessors_, mostBlocks);
  team_ = TeamView();
  team_.blocks = std::clamp((t_.m + t_.n + linesPerBlock - 1) / linesPerBlock, 1, most);
  team_.rowTile = std::max(1, (t_.m + team_.blocks - 1) / team_.blocks);
  team_.columnTile = std::max(1, (t_.n + team_.blocks - 1) / team_.blocks);
}

// What is held already counts as free: it is used again, or given back before more is taken.
void CudaEngine::requireMemory(StandardForm const& form) {
  std::size_t const m = at(t_.m), n = at(t_.n), p = std::min(m, n), k = at(t_.sketchSize);
  std::size_t const tableau = 8 * m * n + 8 * at(t_.stride) * (m + n);
  std::size_t const vectors =
      (15 * 8 + 7 * 8 + 5 * 8 + 4 * 4 + 5 * 16) * (m + n) + 16 * k * (m + n);
  std::size_t const factors = 8 * p * p + 8 * std::min(denseBlock, p * m) + 64 * p * 8;
  std::size_t const needed = DeviceMatrix::bytes(form) + tableau + vectors + factors;
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  if (needed <= available) return;
  giveBack();
  check(cudaMemGetInfo(&available, &total));
  if (needed > available)
    throw EngineUnavailable("engine cuda: " + std::to_string(m) + " x " + std::to_string(n) +
                            " needs " + megabytes(needed) + " of device memory, " +
                            megabytes(available) + " are free");
}

void CudaEngine::giveBack() {
  matrix_ = {};
  factor_ = {};
  for (auto* array :
       {&base_, &u_, &v_, &numbers_, &byVariable_, &folded_, &sketchWork_, &block_, &solves_})
    *array = {};
  for (auto* array : {&variables_, &places_}) *array = {};
  columnSketch_ = {};
  rowSketch_ = {};
  packets_ = {};
}

void CudaEngine::allocate() {
  std::size_t const m = at(t_.m), n = at(t_.n), k = at(t_.sketchSize), stride = at(t_.stride);
  std::size_t const payload = headerPackets + std::max(stride, k);
  std::size_t const choices = 2 * boxCopies * mostBlocks;
  std::size_t const gathers = choices * gatherPackets;
  std::size_t const blocks = at(team_.blocks), kinks = 4 * (m + n), heads = choices;
  std::size_t const active = blocks * at(std::max(team_.rowTile, team_.columnTile));
  std::size_t const packets = gathers + 3 * choices + 4 * payload * blocks + kinks + heads +
                              2 * active + 2 * blocks * stride;
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
  variables_.reserve(m + n);
  columnSketch_.reserve(n * k);
  rowSketch_.reserve(m * k);
  folded_.reserve(stride);
  packets_.reserve(packets);
  clear(stream_, packets_, packets);
  next_ = Counters();
  for (auto const* array : {&base_, &u_, &v_, &folded_}) poison(*array);
  for (auto const* array : {&columnSketch_, &rowSketch_}) poison(*array);
  poison(variables_);

  t_.base = base_.data();
  t_.u = u_.data();
  t_.v = v_.data();
  t_.columnSketch = columnSketch_.data();
  t_.rowSketch = rowSketch_.data();
  double* number = numbers_.data();
  t_.rows.variable = variables_.data();
  t_.columns.variable = variables_.data() + m;
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
  Packet* next = packets_.data();
  auto const box = [&](std::size_t length) { return std::exchange(next, next + length); };
  team_.box = box(gathers);
  team_.chooseBox = box(choices);
  team_.harrisBox = box(2 * choices);
  team_.columnPayload = box(2 * payload * blocks);
  team_.rowPayload = box(2 * payload * blocks);
  team_.payloadLength = static_cast<int>(payload);
  team_.kinkBox = box(kinks);
  team_.headBox = box(heads);
  team_.activeBox = box(2 * active);
  team_.activeLength = static_cast<int>(active);
  team_.foldBox = box(2 * blocks * stride);
  team_.interrupt = interrupt_.onDevice();
}

void CudaEngine::placeSlackBasis() {
  count(stream_, t_.m, t_.n, t_.rows.variable);
  count(stream_, t_.n, 0, t_.columns.variable);
  used_ = 0;  // D is A, as the matrix left it there
  pointMoved();
}

// ---- bounds, costs, values ---------------------------------------------------------------------

void CudaEngine::setBounds(std::span<double const> lower, std::span<double const> upper) {
  bool const same = std::equal(lower.begin(), lower.end(), bounds_[0].begin()) &&
                    std::equal(upper.begin(), upper.end(), bounds_[1].begin());
  if (same) return;  // often: bounds that were never perturbed come back
  useDevice();
  takeBounds(lower, upper);
}

void CudaEngine::takeBounds(std::span<double const> lower, std::span<double const> upper) {
  bounds_[0].assign(lower.begin(), lower.end());
  bounds_[1].assign(upper.begin(), upper.end());
  put(lower_, lower);
  put(upper_, upper);
  placeBounds();
}

void CudaEngine::placeBounds() {
  gatherBounds(stream_, t_, lower_, upper_);
  pointMoved();
}

/// What was measured is of another point, of other bounds or of other costs.
void CudaEngine::pointMoved() {
  measured_.reset();
  driftKnown_ = false;
}

void CudaEngine::setCosts(std::span<double const> cost) {
  useDevice();
  put(t_.cost, cost);
  computeReducedCosts();
}

std::vector<double> CudaEngine::costs() const {
  useDevice();
  return fetch(t_.cost, t_.m + t_.n);
}

void CudaEngine::setValues(std::span<double const> value) {
  useDevice();
  put(value_, value);
  gatherByVariable(stream_, t_.n, t_.columns.variable, value_, t_.columns.value);
  computeBasicValues();
}

// x_B = -T x_N
void CudaEngine::computeBasicValues() {
  combineColumns(t_.columns.value, t_.rows.value);
  negate(stream_, t_.m, t_.rows.value);
  pointMoved();
}

// d_N = c_N - T'c_B
void CudaEngine::computeReducedCosts() {
  gatherByVariable(stream_, t_.m, t_.rows.variable, t_.cost, t_.rows.change);
  combineRows(t_.rows.change, t_.columns.reducedCost);
  gatherByVariable(stream_, t_.n, t_.columns.variable, t_.cost, t_.columns.change);
  subtractFrom(stream_, t_.n, t_.columns.change, t_.columns.reducedCost);
  pointMoved();
}

void CudaEngine::computePhase1Costs(double tolerance) {
  useDevice();
  phase1Costs(stream_, t_.m, t_.rows, tolerance, t_.rows.change);
  combineRows(t_.rows.change, t_.columns.reducedCost);
  negate(stream_, t_.n, t_.columns.reducedCost);
  pointMoved();
}

// ---- products with the tableau -----------------------------------------------------------------
// cuBLAS counts by columns: D' is n x m with leading dimension n, U and V are K x m and K x n.

// out = T'g = D'g - V'(U g)
void CudaEngine::combineRows(double const* g, double* out) {
  if (t_.n == 0) return;
  if (t_.m == 0) return fill(stream_, t_.n, 0.0, out);
  double const one = 1.0, zero = 0.0, minus = -1.0;
  check(cublasDgemv(blas_, CUBLAS_OP_N, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out, 1));
  if (used_ == 0) return;
  check(cublasDgemv(blas_, CUBLAS_OP_N, used_, t_.m, &one, t_.u, t_.stride, g, 1, &zero,
                    folded_.data(), 1));
  check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.n, &minus, t_.v, t_.stride, folded_.data(), 1,
                    &one, out, 1));
}

// out = T g = D g - U'(V g)
void CudaEngine::combineColumns(double const* g, double* out) {
  if (t_.m == 0) return;
  if (t_.n == 0) return fill(stream_, t_.m, 0.0, out);
  double const one = 1.0, zero = 0.0, minus = -1.0;
  check(cublasDgemv(blas_, CUBLAS_OP_T, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out, 1));
  if (used_ == 0) return;
  check(cublasDgemv(blas_, CUBLAS_OP_N, used_, t_.n, &one, t_.v, t_.stride, g, 1, &zero,
                    folded_.data(), 1));
  check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.m, &minus, t_.u, t_.stride, folded_.data(), 1,
                    &one, out, 1));
}

// D <- D - U'V, k <- 0
void CudaEngine::fold() {
  double const one = 1.0, minus = -1.0;
  if (used_ == 1)
    check(cublasDger(blas_, t_.n, t_.m, &minus, t_.v, t_.stride, t_.u, t_.stride, t_.base, t_.n));
  else if (used_ > 0)
    check(cublasDgemm(blas_, CUBLAS_OP_T, CUBLAS_OP_N, t_.n, t_.m, used_, &minus, t_.v, t_.stride,
                      t_.u, t_.stride, &one, t_.base, t_.n));
  used_ = 0;
}

std::vector<double> CudaEngine::row(int i) {
  useDevice();
  double const one = 1.0, minus = -1.0;
  check(cublasDcopy(blas_, t_.n, t_.base + at(i) * at(t_.n), 1, work_, 1));
  if (used_ > 0)
    check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.n, &minus, t_.v, t_.stride,
                      t_.u + at(i) * at(t_.stride), 1, &one, work_, 1));
  return fetch(work_, t_.n);
}

std::vector<double> CudaEngine::column(int j) {
  useDevice();
  double const one = 1.0, minus = -1.0;
  check(cublasDcopy(blas_, t_.m, t_.base + j, t_.n, work_, 1));
  if (used_ > 0)
    check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.m, &minus, t_.u, t_.stride,
                      t_.v + at(j) * at(t_.stride), 1, &one, work_, 1));
  return fetch(work_, t_.m);
}

// ---- pivots ------------------------------------------------------------------------------------

// What is read at every pivot comes first into shared memory: the state, the sketch, then as many
// rows of U and V as there is room for, in thirty-twos, or sixteen where that is too much.
TeamView CudaEngine::teamFor(TableauView const& tableau, Algorithm algorithm) const {
  constexpr int step = 32;
  TeamView team = team_;
  team.stateInShared = team.sketchInShared = true;
  team.sharedLines = step;
  auto const fits = [&] { return placeShared(tableau, team, algorithm) <= sharedPerBlock_; };
  if (!fits()) team.sketchInShared = false;
  if (!fits()) team.stateInShared = false;
  if (!fits()) team.sharedLines = step / 2;
  if (!fits())
    throw EngineUnavailable("engine cuda: " + std::to_string(t_.m) + " x " + std::to_string(t_.n) +
                            " has more rows or columns than the device's shared memory serves");
  int const most = (t_.capacity + step - 1) / step * step;
  while (team.sharedLines >= step && team.sharedLines < most) {
    team.sharedLines += step;
    if (fits()) continue;
    team.sharedLines -= step;
    fits();  // for the places
    break;
  }
  return team;
}

void CudaEngine::computeWeights(Algorithm algorithm, Pricing pricing) {
  useDevice();
  if (weightsFor_ == std::pair{algorithm, pricing}) return;
  weightsFor_ = std::pair{algorithm, pricing};
  bool const primal = algorithm == Algorithm::primal;
  if (pricing != Pricing::steepest && pricing != Pricing::sketched)
    return primal ? fill(stream_, t_.n, 1.0, t_.columns.weight)
                  : fill(stream_, t_.m, 1.0, t_.rows.weight);
  if (t_.m == 0 || t_.n == 0) {
    fill(stream_, t_.n, 1.0, t_.columns.weight);
    return fill(stream_, t_.m, 1.0, t_.rows.weight);
  }
  fold();
  if (pricing == Pricing::steepest)
    return primal ? exactColumnWeights(stream_, t_) : exactRowWeights(stream_, t_);
  int const k = t_.sketchSize;
  double const one = 1.0, zero = 0.0;
  sketchWork_.reserve(2 * at(k) * at(std::max(t_.m, t_.n)));
  double* const signs = sketchWork_.data();
  double* const sketch = signs + at(k) * at(std::max(t_.m, t_.n));
  if (primal) {  // Z = S D
    sketchSigns(stream_, t_.m, k, signs);
    check(cublasDgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_T, k, t_.n, t_.m, &one, signs, k, t_.base, t_.n,
                      &zero, sketch, k));
    takeColumnSketch(stream_, t_, sketch);
  } else {  // W = B^-1 S': T's columns of nonbasic slacks are columns of B^-1
    slackSigns(stream_, t_.n, k, t_.n, t_.columns.variable, signs);
    check(cublasDgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, k, t_.m, t_.n, &one, signs, k, t_.base, t_.n,
                      &zero, sketch, k));
    takeRowSketch(stream_, t_, sketch);
  }
}

PivotReport CudaEngine::run(PivotRequest const& request, std::atomic<bool> const& interrupt) {
  useDevice();
  if (request.pricing == Pricing::greatest) fold();
  TableauView tableau = t_;
  if (request.pricing != Pricing::sketched) tableau.sketchSize = 0;
  TeamView const team = teamFor(tableau, request.algorithm);
  interrupt_[0] = interrupt.load(std::memory_order_relaxed) ? 1 : 0;
  launchPivots(tableau, team, request, used_, next_, report_.onDevice(), stream_);
  pointMoved();
  // The caller will ask for these: they come with the report.
  queueMeasure(request.primalTolerance, request.dualTolerance);
  if (request.checkDrift) queueDrift();
  check(cudaEventRecord(finished_, stream_));
  for (;;) {
    cudaError_t const status = cudaEventQuery(finished_);
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check(status);
    if (interrupt.load(std::memory_order_relaxed)) const_cast<int volatile&>(interrupt_[0]) = 1;
    std::this_thread::yield();
  }
  LaunchReport const report = report_[0];
  next_ = report.next;
  if (report.used != used_) {
    factorFits_ = false;
    if (weightsFor_ != std::pair{request.algorithm, request.pricing}) weightsFor_.reset();
  }
  used_ = report.used;
  if (used_ == t_.capacity) fold();
  return report.pivots;
}

}  // namespace osi_cuda::cuda
