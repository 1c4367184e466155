// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/variant_kind.hpp"

#include <algorithm>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/batch/variant_base.hpp"

namespace osi_cuda::cuda {
namespace {

/// Share of the free memory that the blocks' factors may take.
constexpr double memoryShare = 0.8;

/// Calls f with the arrays of the matrix, and their lengths.
void forMatrix(batch::VariantBase& view, std::size_t nonzeros, auto f) {
  for (auto const& [lines, count] :
       {std::pair(&view.byRow, view.rows), std::pair(&view.byColumn, view.columns)}) {
    f(lines->starts, at(count) + 1);
    f(lines->indices, nonzeros);
    f(lines->values, nonzeros);
    f(lines->longLines, at(lines->longCount));
  }
}

/// Calls f with the arrays of the problem's numbers and of the basis, and their lengths.
void forNumbers(batch::VariantBase& view, auto f) {
  std::size_t const m = at(view.rows), n = at(view.columns);
  f(view.objective, n);
  f(view.columnLower, n);
  f(view.columnUpper, n);
  f(view.rowLower, m);
  f(view.rowUpper, m);
  f(view.rowVariable, m);
  f(view.columnVariable, n);
  f(view.position, m + n);
  f(view.rowValue, m);
  f(view.columnValue, n);
  f(view.reducedCost, n);
}

/// Sends the arrays that `forAll` calls its argument with, in one piece, and has them point there.
void send(cudaStream_t stream, DeviceArray<char>& memory, auto forAll) {
  Layout layout;
  forAll([&](auto const*& array, std::size_t length) {
    layout.take<std::remove_cvref_t<decltype(*array)>>(length);
  });
  memory.reserve(layout.bytes());
  std::vector<char> piece(layout.bytes());
  Layout places;
  forAll([&](auto const*& array, std::size_t length) {
    using T = std::remove_cvref_t<decltype(*array)>;
    std::size_t const place = places.take<T>(length);
    std::copy_n(array, length, reinterpret_cast<T*>(piece.data() + place));
    array = reinterpret_cast<T*>(memory.data() + place);
  });
  upload(stream, memory.data(), piece.data(), piece.size());
}

}  // namespace

DeviceVariantBase::DeviceVariantBase(LinearProgram const& lp, cudaStream_t stream)
    : stream_(stream), weights_(at(lp.rows()) + at(lp.columns())) {
  SparseMatrix const transposed = lp.matrix.transposed();
  std::vector<int> const longRows = batch::longLinesOf(transposed),
                         longColumns = batch::longLinesOf(lp.matrix);
  view_.rows = lp.rows();
  view_.columns = lp.columns();
  view_.byRow = batch::linesOf(transposed, longRows);
  view_.byColumn = batch::linesOf(lp.matrix, longColumns);
  send(stream_, matrix_,
       [&](auto f) { forMatrix(view_, static_cast<std::size_t>(lp.matrix.nonzeros()), f); });
}

void DeviceVariantBase::form(LinearProgram const& lp, Basis const& basis, int device) {
  EngineOptions options;
  options.device = device;
  engine_.emplace(options);
  form_ = makeStandardForm(lp, false);
  batch::CommonBasis const common = batch::settleBasis(*engine_, form_, lp, basis);
  place(lp, common, engine_->tableau());
}

void DeviceVariantBase::copy(LinearProgram const& lp, CudaEngine& engine,
                             StandardForm const& form) {
  tableau_.reserve(at(lp.rows()) * at(lp.columns()));
  engine.copyTableau(tableau_.data());
  place(lp, batch::readBasis(engine, form), tableau_.data());
}

void DeviceVariantBase::place(LinearProgram const& lp, batch::CommonBasis const& common,
                              double const* tableau) {
  batch::LinesView const byRow = view_.byRow, byColumn = view_.byColumn;
  view_ = batch::baseOf(lp, common);
  view_.byRow = byRow;
  view_.byColumn = byColumn;
  view_.tableau = tableau;
  send(stream_, numbers_, [&](auto f) { forNumbers(view_, f); });
  std::size_t const m = at(lp.rows());
  launchVariantWeights(view_, weights_.data(), weights_.data() + m, stream_);
  view_.rowWeight = weights_.data();
  view_.columnWeight = weights_.data() + m;
  check(cudaStreamSynchronize(stream_));
}

VariantKind::VariantKind(batch::VariantJob const& job, batch::VariantBase const& base,
                         DeviceArray<double>& factors, cudaDeviceProp const& properties,
                         Pipeline const& pipeline, VariantArrays const* arrays)
    : job_(job),
      arrays_(arrays),
      points_(job.targets.columnStart.back() + job.targets.rowStart.back() > 0) {
  std::size_t const lines = points_ ? at(base.rows) + at(base.columns) : 0;
  most_ = std::min(batch::variantPart(lines), job.chosen.size());
  part_.base = base;
  part_.capacity = job.factors;
  part_.stop = pipeline.stop();
  part_.points = points_;
  part_.memoryDoubles =
      (batch::VariantPlaces::doubles(base.rows, base.columns, job.factors) + 1) / 2 * 2;
  shape_ = variantShape(base.rows, base.columns, job.factors, job.blockThreads,
                        properties.sharedMemPerBlockOptin);
  part_.near = shape_.near;
  makeRoom(factors, properties.multiProcessorCount);
  part_.memory = factors.data();
}

void VariantKind::makeRoom(DeviceArray<double>& factors, int multiprocessors) {
  auto const each = at(part_.memoryDoubles);
  blocks_ = std::max<std::size_t>(1, std::min(at(variantBlocks(shape_, multiprocessors)), most_));
  if (factors.size() >= blocks_ * each) return;
  factors = DeviceArray<double>();
  blocks_ = std::min(blocks_,
                     static_cast<std::size_t>(memoryShare * static_cast<double>(availableBytes())) /
                         (each * sizeof(double)));
  if (blocks_ == 0)
    throw EngineUnavailable(
        "engine cuda: there is not enough memory on the device for the factors of a variant");
  factors = DeviceArray<double>(blocks_ * each);
}

void VariantKind::choose(Slot& slot) {
  int const m = part_.base.rows, n = part_.base.columns;
  std::size_t count = std::min(most_, job_.chosen.size() - slot.first);
  slot.points = points_;
  std::size_t coefficients = 0, words = 0;
  numbers_ = 0;
  for (std::size_t t = 0; t < count; ++t) {
    batch::VariantTask const& task = job_.list->tasks[job_.chosen[slot.first + t]];
    if (t > 0 && numbers_ + at(task.numbers) > batch::partNumbers) count = t;
    if (t == count) break;
    numbers_ += at(task.numbers);
    coefficients += 2 * at(task.coefficients);
    if (task.firstStart >= 0) words += at(batch::startWords(task.leaving, task.entering, m + n));
    auto const place = static_cast<std::int64_t>(t);
    slot.pieces.push_back(points_ ? Slot::Piece{place * n, place * m, n, m} : Slot::Piece{});
  }
  slot.last = slot.first + count;
  std::size_t const answers = points_ ? count : std::min(blocks_, count);
  slot.columns = answers * at(n);
  slot.rows = answers * at(m);
  slot.queues = 1;
  Layout in;
  in.take<batch::VariantTask>(count);
  chosenPlace_ = in.take<std::int64_t>(arrays_ ? count : 0);
  numberPlace_ = in.take<batch::VariantNumber>(arrays_ ? 0 : numbers_);
  coefficientPlace_ = in.take<batch::VariantCoefficient>(coefficients);
  startPlace_ = in.take<std::uint32_t>(words);
  slot.inBytes = in.bytes();
}

void VariantKind::pack(Slot const& slot) {
  auto* const tasks = slot.inAt<batch::VariantTask>(0);
  auto* const numbers = slot.inAt<batch::VariantNumber>(numberPlace_);
  auto* const coefficients = slot.inAt<batch::VariantCoefficient>(coefficientPlace_);
  auto* const starts = slot.inAt<std::uint32_t>(startPlace_);
  std::int64_t nextNumber = 0, nextCoefficient = 0, nextStart = 0;
  for (std::size_t t = 0; t < slot.pieces.size(); ++t) {
    std::size_t const k = job_.chosen[slot.first + t];
    batch::VariantChanges const changes = job_.list->changes(k);
    tasks[t] = job_.list->tasks[k];
    tasks[t].firstNumber = nextNumber;
    tasks[t].firstCoefficient = nextCoefficient;
    if (arrays_)
      slot.inAt<std::int64_t>(chosenPlace_)[t] = static_cast<std::int64_t>(k);
    else
      std::copy_n(changes.numbers, changes.numberCount, numbers + nextNumber);
    std::int64_t const both = 2 * std::int64_t{changes.coefficientCount};
    std::copy_n(changes.coefficients, both, coefficients + nextCoefficient);
    if (changes.start) {
      std::int64_t const words = batch::startWords(changes.leaving, changes.entering,
                                                   part_.base.rows + part_.base.columns);
      std::copy_n(changes.start, words, starts + nextStart);
      tasks[t].firstStart = nextStart;
      nextStart += words;
    }
    nextNumber += changes.numberCount;
    nextCoefficient += both;
  }
}

void VariantKind::launch(Slot& slot, PartAnswers const& answers) {
  VariantPart part = part_;
  part.tasks = slot.deviceInAt<batch::VariantTask>(0);
  part.numbers = slot.deviceInAt<batch::VariantNumber>(numberPlace_);
  part.coefficients = slot.deviceInAt<batch::VariantCoefficient>(coefficientPlace_);
  part.starts = slot.deviceInAt<std::uint32_t>(startPlace_);
  part.count = static_cast<int>(slot.pieces.size());
  if (arrays_) {
    listed_.reserve(numbers_);
    findChanges(slot.stream, part.count, slot.deviceInAt<std::int64_t>(chosenPlace_), part.base,
                *arrays_, nullptr, part.tasks, listed_.data());
    part.numbers = listed_.data();
  }
  part.next = slot.counters.data();
  part.answers = answers;
  auto const blocks = static_cast<int>(std::min(blocks_, slot.pieces.size()));
  launchVariants(shape_, blocks, part, job_.settings, slot.stream);
}

}  // namespace osi_cuda::cuda
