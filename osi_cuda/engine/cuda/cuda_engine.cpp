// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {

// The device is opened before any member takes something from it.
CudaEngine::CudaEngine(EngineOptions const& options)
    : options_(options),
      facts_(openDevice(options.device)),
      tableau_(queue_),
      fresh_(queue_, tableau_, matrix_),
      weights_(queue_, tableau_),
      kept_(queue_, tableau_, weights_),
      launcher_(queue_, tableau_, facts_.multiprocessors, facts_.sharedPerBlock),
      solves_(queue_, tableau_, matrix_, vectors_),
      verifier_(queue_, tableau_, matrix_, vectors_, facts_.multiprocessors),
      reports_(queue_, tableau_, matrix_, vectors_) {
  traits_.name = SolveEngine::cuda;
  traits_.dearMessages = true;
  traits_.device = facts_.name;
  caller_.reset();
}

CudaEngine::~CudaEngine() {
  caller_.emplace();
  cudaSetDevice(options_.device);  // arrays and handles go with the device they belong to
}

// ---- a problem ---------------------------------------------------------------------------------

void CudaEngine::load(StandardForm const& form) {
  DeviceScope const scope = useDevice();
  hold(form);
  weights_.outdate();
  kept_.outdate();
  fresh_.shareWith({});
  tableau_.resize(
      tableauSizes(form.rows(), form.columns(), options_.blockSize, options_.sketchSize));
  traits_.blockSize = tableau_.view().capacity;
  traits_.pivotSeconds = devicePivotSeconds(machine(), form.rows(), form.columns());
  launcher_.resize();
  bool const onHost = requireMemory(form);
  allocate(form);
  matrix_.load(form, onHost, tableau_.view().base, queue_.uploader(), queue_.stream());
  beginAtSlacks();
}

void CudaEngine::takeBack(std::weak_ptr<SplitMatrix> devices) {
  DeviceScope const scope = useDevice();
  fresh_.shareWith(std::move(devices));
  matrix_.place(tableau_.view().base, queue_.stream());
  weights_.outdate();
  beginAtSlacks();
}

// D is A.
void CudaEngine::beginAtSlacks() {
  optimal_ = false;
  TableauView const& t = tableau_.view();
  tableau_.placeSlackBasis();
  takeBoundsAndCosts(*form_);
  fill(queue_.stream(), t.n, 0.0, t.columns.value);
  computeBasicValues();
  computeReducedCosts();
}

void CudaEngine::takeBoundsAndCosts(StandardForm const& form) {
  queue_.put(vectors_.cost, joined<double>({form.cost, form.lower, form.upper}));
  lower_ = form.lower;
  upper_ = form.upper;
  mirror_.cost = form.cost;
  mirror_.costsShifted = false;
  boundsPlaced_ = false;
  reports_.basisMoved();
  mirror_.pivotsMade();
}

// Whether the array of a full matrix has to stay in the host's memory. What is held already counts
// as free: it is used again, or given back before more is taken.
bool CudaEngine::requireMemory(StandardForm const& form) {
  TableauView const& t = tableau_.view();
  SparseMatrix const& matrix = form.matrix();
  DenseArray const& array = matrix.dense;
  bool const there = array.there.numbers && array.there.device == options_.device && !array.byRows;
  std::size_t const cells = form.full() ? at(t.m) * at(t.n) : 0;
  ProblemSize const size{at(t.m), at(t.n), cells > 0 ? 0 : at(matrix.nonzeros()), at(t.stride),
                         at(t.sketchSize)};
  std::uint64_t const least = bytesNeeded(size) + launcher_.packetBytes(),
                      numbers = there ? 0 : cells * sizeof(double);
  if (least + numbers <= availableBytes()) return false;
  giveBack();
  std::uint64_t const available = availableBytes();
  if (least + numbers <= available) return false;
  if (least <= available && numbers < availableMemory().value_or(0)) return true;
  throw EngineUnavailable("engine cuda: " +
                          memorySentence(size, least + numbers, available, "device memory"));
}

void CudaEngine::giveBack() {
  matrix_ = {};
  vectors_.giveBack();
  tableau_.giveBack();
  fresh_.giveBack();
  weights_.giveBack();
  kept_.giveBack();
  launcher_.giveBack();
  solves_.giveBack();
  verifier_.giveBack();
}

void CudaEngine::allocate(StandardForm const& form) {
  std::size_t const variables = at(form.rows()) + at(form.columns());
  vectors_.allocate(queue_, variables);
  tableau_.allocate(vectors_.cost);
  launcher_.allocate();
  solves_.allocate(form);
  verifier_.allocate(form);
}

// ---- bounds, costs, values ---------------------------------------------------------------------

// Mostly few bounds change, or none: those that were never perturbed come back.
void CudaEngine::setBounds(std::span<double const> lower, std::span<double const> upper) {
  DeviceScope const scope = useDevice();
  bool const lowerMoved = queue_.putChanged(vectors_.lower, lower, lower_);
  bool const upperMoved = queue_.putChanged(vectors_.upper, upper, upper_);
  if (!lowerMoved && !upperMoved) return;
  optimal_ = false;
  boundsPlaced_ = false;
  reports_.boundsMoved();
}

// Before whatever looks at them by position.
void CudaEngine::placeBounds() {
  if (boundsPlaced_) return;
  gatherBounds(queue_.stream(), tableau_.view(), vectors_.lower, vectors_.upper);
  boundsPlaced_ = true;
}

// Costs that the device has already are not sent again, nor are reduced costs computed twice: a
// branch changes bounds only.
void CudaEngine::setCosts(std::span<double const> cost) {
  bool const same = !mirror_.costsShifted && std::ranges::equal(cost, mirror_.cost);
  if (same && mirror_.reducedCostsFresh) return;
  DeviceScope const scope = useDevice();
  optimal_ = optimal_ && (same || mirror_.costsShifted);
  if (!same) {
    queue_.put(vectors_.cost, cost);
    mirror_.cost.assign(cost.begin(), cost.end());
    mirror_.costsShifted = false;
  }
  computeReducedCosts();
}

std::vector<double> CudaEngine::costs() const {
  if (!mirror_.costsShifted) return mirror_.cost;
  DeviceScope const scope = useDevice();
  return queue_.fetch(vectors_.cost, tableau_.m() + tableau_.n());
}

// The same holds for values.
void CudaEngine::setValues(std::span<double const> value) {
  if (mirror_.valuesFresh && reports_.known(SnapshotContent::point)) {
    Snapshot const& present = reports_.snapshot(SnapshotContent::point);
    bool const same = std::ranges::all_of(
        present.nonbasicVariable, [&](int v) { return present.value[at(v)] == value[at(v)]; });
    if (same) return;
  }
  DeviceScope const scope = useDevice();
  queue_.put(vectors_.value, value);
  placeValues();
}

// The nonbasic variables' values from those by variable, and x_B from them.
void CudaEngine::placeValues() {
  TableauView const& t = tableau_.view();
  gatherByVariable(queue_.stream(), t.n, t.columns.variable, vectors_.value, t.columns.value);
  computeBasicValues();
}

// x_B = -T x_N
void CudaEngine::computeBasicValues() {
  TableauView const& t = tableau_.view();
  tableau_.combineColumns(t.columns.value, t.rows.value);
  negate(queue_.stream(), t.m, t.rows.value);
  reports_.pointMoved();
  mirror_.valuesFresh = true;
}

// d_N = c_N - T'c_B
void CudaEngine::computeReducedCosts() {
  TableauView const& t = tableau_.view();
  cudaStream_t const stream = queue_.stream();
  gatherByVariable(stream, t.m, t.rows.variable, t.cost, t.rows.change);
  tableau_.combineRows(t.rows.change, t.columns.reducedCost);
  gatherByVariable(stream, t.n, t.columns.variable, t.cost, t.columns.change);
  subtractFrom(stream, t.n, t.columns.change, t.columns.reducedCost);
  reports_.pointMoved();
  mirror_.reducedCostsFresh = true;
}

void CudaEngine::computePhase1Costs(double tolerance) {
  DeviceScope const scope = useDevice();
  TableauView const& t = tableau_.view();
  placeBounds();
  phase1Costs(queue_.stream(), t.m, t.rows, tolerance, t.rows.change);
  tableau_.combineRows(t.rows.change, t.columns.reducedCost);
  negate(queue_.stream(), t.n, t.columns.reducedCost);
  reports_.pointMoved();
  mirror_.reducedCostsFresh = false;
}

// ---- the basis, pivots -------------------------------------------------------------------------

Refactorisation CudaEngine::refactor(std::vector<char> const& basic) {
  DeviceScope const scope = useDevice();
  TableauView const& t = tableau_.view();
  scatterByVariable(queue_.stream(), t.m, t.rows.variable, t.rows.value, vectors_.value);
  scatterByVariable(queue_.stream(), t.n, t.columns.variable, t.columns.value, vectors_.value);
  std::vector<char> repaired = basic;
  weights_.outdate();
  reports_.basisMoved();
  // D is formed anew, so that until then its memory serves.
  DeviceFactor const& factor = solves_.factor(repaired, {t.base, tableau_.room()});
  fresh_.form(*form_, factor);
  boundsPlaced_ = false;
  placeValues();
  computeReducedCosts();
  return {factor.dropped(), factor.added()};
}

void CudaEngine::computeWeights(Algorithm algorithm, Pricing pricing) {
  DeviceScope const scope = useDevice();
  weights_.compute(algorithm, pricing);
}

PivotReport CudaEngine::run(PivotRequest const& request) {
  DeviceScope const scope = useDevice();
  AtWork const atWork(options_.atWork.get());
  // What is done from one kept basis is done by teams of one size: alike to the bit.
  if (!marked_) launcher_.share(atWork.searches());
  placeBounds();
  launcher_.start(request);
  reports_.basisMoved();
  // The caller will ask for these: they come with the report.
  reports_.queueSnapshot(request.algorithm == Algorithm::dual);
  if (!reports_.isShort()) reports_.queueMeasure(request.primalTolerance, request.dualTolerance);
  if (request.checkDrift) reports_.queueDrift();
  bool const last = request.algorithm == Algorithm::dual || request.phase == Phase::two;
  bool const verifying = last && verifier_.ready() && costsAre(form_->cost);
  if (verifying) verifier_.queue(launcher_.report(), launcher_.part());
  int const before = tableau_.used();
  queue_.waitEagerly();
  if (verifying && launcher_.verified()) verified_ = reports_.age();
  PivotReport const pivots = launcher_.finish();
  optimal_ = pivots.stop == Stop::optimal;
  reports_.snapshotLanded();
  mirror_.pivotsMade();
  mirror_.costsShifted = mirror_.costsShifted || launcher_.shifted();
  if (tableau_.used() != before) {
    solves_.outdateFactor();
    weights_.followed(request.algorithm, request.pricing);
  }
  if (tableau_.used() == tableau_.view().capacity) tableau_.fold();
  return pivots;
}

// ---- what the caller is told -------------------------------------------------------------------

Measure CudaEngine::measure(double primalTolerance, double dualTolerance) {
  std::optional<DeviceScope> scope;
  if (!reports_.measured(primalTolerance, dualTolerance)) {
    scope.emplace(options_.device);
    placeBounds();
    // What is likely to be optimal is proved next: the host waits once.
    if (optimal_ && !reports_.known(SnapshotContent::all) && verifier_.ready() &&
        costsAre(form_->cost))
      queueVerification();
  }
  Measure const found = reports_.measure(primalTolerance, dualTolerance, lower_, upper_);
  optimal_ = found.primalCount + found.dualCount == 0;
  return found;
}

Drift CudaEngine::drift() {
  std::optional<DeviceScope> scope;
  if (!reports_.driftKnown()) scope.emplace(options_.device);
  return reports_.drift();
}

Snapshot CudaEngine::snapshotOf(SnapshotContent content) {
  std::optional<DeviceScope> scope;
  if (!reports_.known(content)) scope.emplace(options_.device);
  return reports_.snapshot(content);
}

std::vector<double> CudaEngine::row(int i) {
  DeviceScope const scope = useDevice();
  tableau_.copyRow(i, vectors_.work);
  return queue_.fetch(vectors_.work, tableau_.n());
}

std::vector<double> CudaEngine::column(int j) {
  DeviceScope const scope = useDevice();
  tableau_.copyColumn(j, vectors_.work);
  return queue_.fetch(vectors_.work, tableau_.m());
}

void CudaEngine::copyTableau(double* target) {
  DeviceScope const scope = useDevice();
  std::vector<double> factors;
  for (int v = 0; v < form_->variables(); ++v) factors.push_back(std::fabs(form_->factor(v)));
  queue_.put(vectors_.work, factors);
  tableau_.copyScaled(vectors_.work, target);
  queue_.waitEagerly();
}

std::vector<double> CudaEngine::ftran(std::span<double const> b) {
  DeviceScope const scope = useDevice();
  return solves_.ftran(b);
}

std::vector<double> CudaEngine::btran(std::span<double const> c) {
  DeviceScope const scope = useDevice();
  return solves_.btran(c);
}

void CudaEngine::verifyOn(LinearProgram const& lp) {
  DeviceScope const scope = useDevice();
  if (verifier_.take(lp)) verified_ = 0;
}

std::optional<VerifiedPoint> CudaEngine::verifiedPoint(LinearProgram const& lp) {
  verifyOn(lp);
  if (!costsAre(form_->cost) || !verifier_.ready()) return std::nullopt;
  if (verified_ != reports_.age()) {
    DeviceScope const scope = useDevice();
    queueVerification();
    queue_.wait();
  }
  return verifier_.landed();
}

// Its verdict is there when the queue has been waited for.
void CudaEngine::queueVerification() {
  collectPoint(queue_.stream(), tableau_.view(), vectors_.value, vectors_.other);
  verifier_.queue(nullptr, launcher_.part());
  verified_ = reports_.age();
}

// Formed from the tableau, a point whose numbers cancel is off by the rounding of the largest. What
// the original data then leave of A x + s is small beside that, and so is its correction's
// rounding.
bool CudaEngine::refinePoint() {
  DeviceScope const scope = useDevice();
  computeReducedCosts();
  computeBasicValues();
  collectPoint(queue_.stream(), tableau_.view(), vectors_.value, vectors_.other);
  solves_.correct(vectors_.value);
  TableauView const& t = tableau_.view();
  gatherByVariable(queue_.stream(), t.m, t.rows.variable, vectors_.value, t.rows.value);
  mirror_.valuesFresh = false;
  return true;
}

std::vector<double> CudaEngine::product(LinesView const& lines, std::span<double const> x) {
  DeviceScope const scope = useDevice();
  queue_.put(vectors_.value, x);
  lineProducts(queue_.stream(), lines, vectors_.value, 1.0, nullptr, nullptr, vectors_.work);
  return queue_.fetch(vectors_.work, lines.lines);
}

}  // namespace osi_cuda::cuda
