// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"

#include <algorithm>
#include <bit>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/barrier/entries.cuh"
#include "osi_cuda/engine/cuda/open_device.hpp"

namespace osi_cuda::cuda {
namespace {

/// Blocks begin where memory is read in whole lines.
constexpr int blockStep = 16;

void allowAccess(int reader, int owner) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, reader, owner));
  if (!can) return;
  enterDevice(reader);
  cudaError_t const status = cudaDeviceEnablePeerAccess(owner, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check(status);
}

/// From one device or another: addresses tell which.
void copyNumbers(cudaStream_t stream, double const* from, double* to, int count) {
  check(cudaMemcpyAsync(to, from, at(count) * sizeof(double), cudaMemcpyDefault, stream));
}

/// to = from (`lead` numbers from column to column) times factors of rows or of columns
void scaleBlock(cudaStream_t stream, int rows, int columns, double const* from, int lead,
                double const* factor, bool ofRows, double* to) {
  forEntries(stream, rows, columns, [=] __device__(int i, int j) {
    to[static_cast<std::int64_t>(j) * rows + i] =
        from[static_cast<std::int64_t>(j) * lead + i] * factor[ofRows ? i : j];
  });
}

/// The lower part of some columns += that of `from`, without gaps.
void addLower(cudaStream_t stream, int rows, int columns, double const* from, double* to,
              int stride) {
  forEntries(stream, rows, columns, [=] __device__(int i, int j) {
    if (i >= j)
      to[static_cast<std::int64_t>(j) * stride + i] +=
          from[static_cast<std::int64_t>(j) * rows + i];
  });
}

/// to (width x width) = the lower triangle of a corner of `columns` columns, else the unit matrix
void copyCorner(cudaStream_t stream, int columns, double const* from, int stride, double* to,
                int width) {
  forEntries(stream, width, width, [=] __device__(int i, int j) {
    bool const inside = i >= j && i < columns;
    to[j * width + i] =
        inside ? from[static_cast<std::int64_t>(j) * stride + i] : (i == j ? 1.0 : 0.0);
  });
}

/// out += terms, one after the other
void addTerms(cudaStream_t stream, int length, int count, double const* terms, double* out) {
  forEach(stream, length, [=] __device__(int i) {
    double sum = out[i];
    for (int k = 0; k < count; ++k) sum += terms[static_cast<std::int64_t>(k) * length + i];
    out[i] = sum;
  });
}

}  // namespace

SplitMatrix::SplitMatrix(std::vector<int> const& devices, int width)
    : askedWidth_(width), ready_(makeEvent()) {
  for (int const device : devices) {
    DeviceScope const scope(device);
    Part part;
    part.device = device;
    part.stream = makeStream();
    part.blas = makeBlas(part.stream);
    part.done = makeEvent();
    if (devices.size() > 1 || slicesPay(machine())) {
      part.panels = makeStream(true);
      part.panelBlas = makeBlas(part.panels);
      part.panelSolver = makeSolver(part.panels);
      part.arrived = makeEvent();
    }
    parts_.push_back(std::move(part));
    for (int const other : devices)
      if (other != device) allowAccess(device, other);
  }
  enterDevice(devices.front());
}

SplitMatrix::~SplitMatrix() {
  for (; !parts_.empty(); parts_.pop_back()) cudaSetDevice(parts_.back().device);
}

// One device alone leaves the factor to cuSOLVER, unless products of panels are the quicker ones.
int SplitMatrix::widthOf(int shares, int order) const {
  constexpr int sliced = 512;
  if (askedWidth_ > 0) return askedWidth_;
  int const width = panelWidth(order, shares);
  return slicesPay(machine()) ? std::min(width, sliced) : width;
}
bool SplitMatrix::factors(int shares, int order) const {
  return (shares > 1 || slicesPay(machine())) && widthOf(shares, order) < order;
}

int SplitMatrix::sharesOf(int lines) const {
  return std::clamp(lines / blockStep, 1, static_cast<int>(parts_.size()));
}

int SplitMatrix::boundary(int share, int shares, int lines) {
  return share == shares
             ? lines
             : static_cast<int>(std::int64_t{lines} * share / shares) / blockStep * blockStep;
}

bool SplitMatrix::fitsBytes(int m, int n, bool byColumns) const {
  int const lines = byColumns ? m : n, order = byColumns ? n : m, shares = sharesOf(lines);
  for (int k = 0; k < shares; ++k) {
    int const count = boundary(k + 1, shares, lines) - boundary(k, shares, lines);
    if (ByteProduct::bytes(byColumns ? count : m, byColumns ? n : count, byColumns) >
        sizeof(double) * at(count) * at(order))
      return false;
  }
  return true;
}

void SplitMatrix::load(int m, int n, bool byColumns, double const* a, double* scratch,
                       double* normal) {
  int const lines = byColumns ? m : n;
  byColumns_ = byColumns;
  order_ = byColumns ? n : m;
  stride_ = normalStride(order_);
  shares_ = sharesOf(lines);
  width_ = widthOf(shares_, order_);
  for (int k = 0; k < shares_; ++k) {
    Part& part = parts_[at(k)];
    part.first = boundary(k, shares_, lines);
    part.count = boundary(k + 1, shares_, lines) - part.first;
    part.rows = byColumns ? part.count : m;
    part.columns = byColumns ? n : part.count;
  }
  Part& first = parts_.front();
  first.a = a;
  first.lead = m;
  first.scratch = scratch;
  first.normal = normal;
  terms_.reserve(at(shares_ - 1) * at(order_));
  onOthers(stream(), shares_, [&](Part& part, int) {
    double* const block = place(part);
    copyColumns(part.stream, a + (byColumns ? at(part.first) : at(part.first) * at(m)), m, block,
                part.lead, part.rows, part.columns);
  });
  for (int k = 0; k < shares_; ++k) {
    Part& part = parts_[at(k)];
    part.rough.prepare(part.rows, part.columns, part.lead, byColumns, part.scratch, part.stream,
                       part.blas);
    if (!factors(shares_, order_)) continue;
    enterDevice(part.device);
    part.info.reserve(1);
    part.corner.reserve(at(width_) * at(width_));
    part.panel.prepare(width_, part.panels, part.panelBlas, part.panelSolver);
  }
  enterDevice(parts_.front().device);
}

// Returns where its block of A belongs.
double* SplitMatrix::place(Part& part) {
  std::uint64_t const bytes = shareBytes(order_, part.count, width_);
  part.memory = {};
  std::size_t const available = availableBytes();
  if (bytes > available)
    throw NotEnoughMemory("a share of the interior point method needs " + byteCount(bytes) +
                          " of the memory of device " + std::to_string(part.device) + ", " +
                          byteCount(available) + " are available");
  part.memory = DeviceArray<double>((bytes - panelBytes(order_, width_)) / sizeof(double));
  std::size_t const block = at(part.count) * at(order_);
  part.scratch = part.memory.data();  // in front: bytes are read sixteen at a time
  part.a = part.scratch + block;
  part.lead = part.rows;
  part.normal = part.scratch + 2 * block;
  check(cudaMemsetAsync(part.normal, 0, at(order_) * at(stride_) * sizeof(double),
                        part.stream));  // what lies above the diagonal travels, too
  part.across = part.normal + at(order_) * at(stride_);
  part.along = part.across + order_;
  return part.scratch + block;
}

void SplitMatrix::giveBack() {
  for (Part& part : parts_) part.memory = {};
  terms_ = {};
}

void SplitMatrix::product(Part const& part, bool transposed, double const* in, double* out) const {
  double const one = 1.0, zero = 0.0;
  check(cublasDgemv(part.blas, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, part.rows, part.columns,
                    &one, part.a, part.lead, in, 1, &zero, out, 1));
}

// Either each share gives a piece of the result, or it takes a piece of the vector and gives a
// term.
void SplitMatrix::multiply(bool transposed, double const* in, double* out) {
  bool const pieces = transposed != byColumns_;
  double* term = terms_.data();
  onOthers(stream(), shares_, [&](Part& part, int) {
    double *const from = pieces ? part.across : part.along, *const result =
                                                                pieces ? part.along : part.across;
    copyNumbers(part.stream, pieces ? in : in + part.first, from, pieces ? order_ : part.count);
    product(part, transposed, from, result);
    copyNumbers(part.stream, result, pieces ? out + part.first : term,
                pieces ? part.count : order_);
    if (!pieces) term += order_;
  });
  product(parts_.front(), transposed, in, out);
  await(stream(), shares_);
  if (!pieces && shares_ > 1) addTerms(stream(), order_, shares_ - 1, terms_.data(), out);
}

void SplitMatrix::form(double const* root, bool rough) {
  onOthers(stream(), shares_, [&](Part& part, int) {
    copyNumbers(part.stream, root + part.first, part.along, part.count);
    formPart(part, part.along, rough);
  });
  formPart(parts_.front(), root, rough);
}

void SplitMatrix::formPart(Part& part, double const* root, bool rough) {
  if (rough) return part.rough.form(part.a, root, part.normal, stride_);
  scaleBlock(part.stream, part.rows, part.columns, part.a, part.lead, root, byColumns_,
             part.scratch);
  double const one = 1.0, zero = 0.0;
  check(cublasDsyrk(part.blas, CUBLAS_FILL_MODE_LOWER, byColumns_ ? CUBLAS_OP_T : CUBLAS_OP_N,
                    order_, part.count, &one, part.scratch, part.rows, &zero, part.normal,
                    stride_));
}

// The owner of a block of columns adds up its columns of all terms.
void SplitMatrix::sum(double times) {
  for (int k = 0; k < shares_; ++k) {
    Part const& part = parts_[at(k)];
    enterDevice(part.device);
    changeDiagonal(part.stream, order_, stride_, part.normal, nullptr, times);
    check(cudaEventRecord(part.done, part.stream));
  }
  for (int k = 0; k < shares_; ++k) {
    Part const& to = parts_[at(k)];
    enterDevice(to.device);
    for (int other = 0; other < shares_; ++other)
      check(cudaStreamWaitEvent(to.stream, parts_[at(other)].done, 0));
    for (int first = k * width_; first < order_; first += shares_ * width_)
      for (int other = 0; other < shares_; ++other)
        if (other != k) addTerm(first, parts_[at(other)], to);
    if (k == 0) check(cudaEventRecord(to.done, to.stream));
  }
  enterDevice(parts_.front().device);
}

// Some columns at a time arrive where the scaled block was.
void SplitMatrix::addTerm(int first, Part const& from, Part const& to) const {
  int const end = std::min(first + width_, order_);
  std::size_t const room = at(to.count) * at(order_);
  for (int column = first, columns = 0; column < end; column += columns) {
    int const rows = order_ - column;
    columns = std::min(static_cast<int>(room / at(rows)), end - column);
    copyColumns(to.stream, from.place(column, column, stride_), stride_, to.scratch, rows, rows,
                columns);
    addLower(to.stream, rows, columns, to.scratch, to.place(column, column, stride_), stride_);
  }
}

// Block after block, the owner factors its columns (the panel), the others copy them to the same
// place of their own matrices, and each subtracts the panel's products from the blocks that it
// owns: from the next panel first. Panels have a stream of their own, so that the next one is
// factored and copied beside the other products (look-ahead of one). In the end every device has
// the whole factor, and nothing has to be gathered.
void SplitMatrix::factor(int* info) {
  for (int first = 0; first < order_; first += width_) {
    factorPanel(first, info++);
    // As a tree: with every copy those who have the panel double in number.
    for (int i = 1; i < shares_; ++i)
      copyPanel(first, owner(first, i - static_cast<int>(std::bit_floor(at(i)))), owner(first, i));
    for (int i = 0; i < shares_; ++i) subtractPanel(first, owner(first, i));
  }
  enterDevice(parts_.front().device);
  for (int k = 0; k < shares_; ++k) check(cudaStreamWaitEvent(stream(), parts_[at(k)].arrived, 0));
}

// By a product with the inverse of the corner, as cuBLAS's triangular solves take three times as
// long as that. What is below the corner makes room for it where the scaled block was.
void SplitMatrix::factorPanel(int first, int* info) {
  Part& part = owner(first);
  int const end = std::min(first + width_, order_), columns = end - first,
            most = static_cast<int>(at(part.count) * at(order_) / at(columns));
  double const one = 1.0, zero = 0.0;
  enterDevice(part.device);
  check(cudaStreamWaitEvent(part.panels, part.done, 0));
  double* const corner = part.place(first, first, stride_);
  copyCorner(part.panels, columns, corner, stride_, part.corner.data(), width_);
  part.panel.factor(part.corner.data(), part.info.data());
  check(cudaMemcpyAsync(info, part.info.data(), sizeof(int), cudaMemcpyDefault, part.panels));
  copyColumns(part.panels, part.corner.data(), width_, corner, stride_, columns, columns);
  for (int row = end, rows = 0; row < order_; row += rows) {
    rows = std::min(most, order_ - row);
    double* const below = part.place(row, first, stride_);
    copyColumns(part.panels, below, stride_, part.scratch, rows, rows, columns);
    check(cublasDgemm(part.panelBlas, CUBLAS_OP_N, CUBLAS_OP_T, rows, columns, columns, &one,
                      part.scratch, rows, part.panel.inverse(), width_, &zero, below, stride_));
  }
  check(cudaEventRecord(part.arrived, part.panels));
}

void SplitMatrix::copyPanel(int first, Part const& from, Part const& to) const {
  enterDevice(to.device);
  check(cudaStreamWaitEvent(to.panels, from.arrived, 0));
  copyColumns(to.panels, from.place(first, first, stride_), stride_,
              to.place(first, first, stride_), stride_, order_ - first,
              std::min(width_, order_ - first));
  check(cudaEventRecord(to.arrived, to.panels));
}

void SplitMatrix::subtractPanel(int first, Part const& part) {
  double const one = 1.0, minus = -1.0;
  int const next = first + width_;
  enterDevice(part.device);
  check(cudaStreamWaitEvent(part.stream, part.arrived, 0));
  for (int target = next; target < order_; target += width_) {
    if (&owner(target) != &part) continue;
    double const* const l = part.place(target, first, stride_);
    check(cublasDgemm(part.blas, CUBLAS_OP_N, CUBLAS_OP_T, order_ - target,
                      std::min(width_, order_ - target), width_, &minus, l, stride_, l, stride_,
                      &one, part.place(target, target, stride_), stride_));
    if (target == next) check(cudaEventRecord(part.done, part.stream));
  }
}

}  // namespace osi_cuda::cuda
