// SPDX-License-Identifier: EPL-2.0
// The ant colonies, many at once. An iteration is five kernels: weigh the arcs, walk, rank the
// walks, evaporate, deposit. The formulas are those of ant_rules.hpp.
#include <algorithm>

#include "examples/common/device.cuh"
#include "examples/shortest_path/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::Stream;

using ants::Colony;
using ants::Parameters;

constexpr unsigned threads = 128;
constexpr unsigned warpSize32 = 32;
constexpr unsigned mostWarps = 4;
constexpr unsigned wholeWarp = 0xffffffffu;

/// Colonies in device memory, one after the other in each array.
struct Field {
  int vertices;
  int stride;  ///< of a row of weights: vertices rounded up to the threads of an ant
  Parameters parameters;
  std::int32_t const* length;  // colonies * n * n
  std::int32_t const* ends;    // colonies * 2: source, target
  std::uint64_t const* seed;   // colonies
  float* pheromone;            // colonies * n * n
  std::uint32_t* weight;       // colonies * n * stride, zeros past n
  std::int16_t* successor;     // colonies * ants * n, -1: not on the walk
  std::int32_t* walked;        // colonies * ants, 0: stuck
  float* deposit;              // colonies * ants
  std::int32_t* shortest;      // colonies, 0: nobody arrived yet

  __device__ std::size_t matrix(unsigned colony) const {
    return std::size_t(colony) * vertices * vertices;
  }
  __device__ std::size_t ant(unsigned colony, unsigned number) const {
    return std::size_t(colony) * parameters.ants + number;
  }
};

/// The largest of what the threads of a block bring (all threads must call it).
template <class Number>
__device__ Number largestOfBlock(Number mine) {
  __shared__ Number values[threads];
  values[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = max(values[threadIdx.x], values[threadIdx.x + half]);
  }
  __syncthreads();
  return values[0];
}

/// Attractions as whole numbers. Owner: a block owns a row (blockIdx.x) of a colony (blockIdx.y),
/// its threads every 128th arc of it.
__global__ void weighArcs(Field field) {
  unsigned const colony = blockIdx.y, v = blockIdx.x;
  int const n = field.vertices;
  float const* const pheromone = field.pheromone + field.matrix(colony) + std::size_t(v) * n;
  std::int32_t const* const length = field.length + field.matrix(colony) + std::size_t(v) * n;
  float maximum = 0.0f;
  for (int j = int(threadIdx.x); j < n; j += int(blockDim.x))
    maximum = max(maximum, ants::attraction(pheromone[j], length[j], field.parameters));
  maximum = largestOfBlock(maximum);
  std::uint32_t const top = ants::topWeight(n);
  std::uint32_t* const weight =
      field.weight + (std::size_t(colony) * n + v) * std::size_t(field.stride);
  for (int j = int(threadIdx.x); j < n; j += int(blockDim.x))
    weight[j] = ants::choiceWeight(ants::attraction(pheromone[j], length[j], field.parameters),
                                   maximum, top);
}

/// The vertices of one thread: `count` (a multiple of four, at most 32) from `begin` on. It alone
/// knows which of them have been visited.
struct Share {
  int begin, count;
  std::uint32_t visited;

  __device__ void visit(int v) {
    if (v >= begin && v < begin + count) visited |= 1u << (v - begin);
  }
  __device__ std::uint32_t open(int k, std::uint32_t weight) const {
    return (visited >> k) & 1u ? 0u : weight;
  }
  __device__ std::uint32_t sum(std::uint32_t const* row) const {
    std::uint32_t sum = 0;
    for (int k = 0; k < count; k += 4) {
      uint4 const four = *reinterpret_cast<uint4 const*>(row + begin + k);
      sum += open(k, four.x) + open(k + 1, four.y) + open(k + 2, four.z) + open(k + 3, four.w);
    }
    return sum;
  }
  /// The first of its vertices at which the running sum exceeds `rest`.
  __device__ int pick(std::uint32_t const* row, std::uint32_t rest) const {
    int k = 0;
    for (;; ++k) {
      std::uint32_t const own = open(k, row[begin + k]);
      if (own > rest) return begin + k;
      rest -= own;
    }
  }
};

/// One walk. Owner: a block owns an ant (blockIdx.x) of a colony (blockIdx.y) and alone writes its
/// successors and its length; nobody writes weights meanwhile. In a step the block adds up the
/// weights of unvisited vertices (prefix sums of whole numbers, so that any order gives the same),
/// a random number below the total names one of them, and the one thread in whose share it falls
/// says which. End: the target, or a total of 0; each step visits a new vertex.
__global__ void walk(Field field, std::uint32_t iteration) {
  unsigned const colony = blockIdx.y, ant = blockIdx.x;
  unsigned const lane = threadIdx.x % warpSize32, warp = threadIdx.x / warpSize32;
  unsigned const warps = blockDim.x / warpSize32;
  int const n = field.vertices;
  __shared__ std::uint32_t warpSum[mostWarps];
  __shared__ int chosen;
  std::int16_t* const successor = field.successor + field.ant(colony, ant) * n;
  for (int j = int(threadIdx.x); j < n; j += int(blockDim.x)) successor[j] = -1;
  __syncthreads();

  int const count = field.stride / int(blockDim.x);
  Share share{int(threadIdx.x) * count, count, 0};
  int v = field.ends[2 * colony];
  int const target = field.ends[2 * colony + 1];
  std::int32_t length = 0;
  for (std::uint32_t step = 0; v != target; ++step) {
    share.visit(v);
    std::uint32_t const* const row =
        field.weight + (std::size_t(colony) * n + v) * std::size_t(field.stride);
    std::uint32_t const own = share.sum(row);
    std::uint32_t upTo = own;  // inclusive prefix sum in the warp
    for (unsigned distance = 1; distance < warpSize32; distance *= 2) {
      std::uint32_t const left = __shfl_up_sync(wholeWarp, upTo, distance);
      if (lane >= distance) upTo += left;
    }
    if (lane == warpSize32 - 1) warpSum[warp] = upTo;
    __syncthreads();
    std::uint32_t before = upTo - own, total = 0;
    for (unsigned w = 0; w < warps; ++w) {
      if (w < warp) before += warpSum[w];
      total += warpSum[w];
    }
    if (total == 0) {
      length = 0;
      break;
    }
    std::uint32_t const random = ants::randomWord(field.seed[colony], iteration, ant, step);
    std::uint32_t const rest = productHigh(random, total);
    if (rest >= before && rest - before < own) chosen = share.pick(row, rest - before);
    __syncthreads();
    int const next = chosen;
    if (threadIdx.x == 0) successor[v] = std::int16_t(next);
    length += field.length[field.matrix(colony) + std::size_t(v) * n + next];
    v = next;
  }
  if (threadIdx.x == 0) field.walked[field.ant(colony, ant)] = length;
}

/// The shortest walk so far and what each ant will add. Owner: a block owns a colony, its threads
/// every 128th ant of it.
__global__ void rank(Field field) {
  unsigned const colony = blockIdx.x;
  constexpr std::int32_t none = 0x7fffffff;
  std::int32_t const old = field.shortest[colony];
  std::int32_t shortest = old > 0 ? old : none;
  unsigned const all = unsigned(field.parameters.ants);
  for (unsigned ant = threadIdx.x; ant < all; ant += blockDim.x) {
    std::int32_t const length = field.walked[field.ant(colony, ant)];
    if (length > 0) shortest = min(shortest, length);
  }
  shortest = -largestOfBlock(-shortest);
  for (unsigned ant = threadIdx.x; ant < all; ant += blockDim.x) {
    std::int32_t const length = field.walked[field.ant(colony, ant)];
    field.deposit[field.ant(colony, ant)] =
        length > 0 ? ants::deposit(shortest, length, field.parameters) : 0.0f;
  }
  if (threadIdx.x == 0) field.shortest[colony] = shortest == none ? 0 : shortest;
}

/// Owner: thread k owns arc k.
__global__ void evaporate(Field field, std::size_t arcs) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < arcs) field.pheromone[k] *= field.parameters.evaporation;
}

/// Owner: a thread owns a vertex of a colony (blockIdx.y), that is all arcs out of it; of an ant's
/// successors it looks at its own. No arc belongs to two threads, and each adds in the order of
/// the ants. Ants that did not arrive add 0, which changes no bit.
__global__ void addDeposits(Field field) {
  unsigned const colony = blockIdx.y;
  int const n = field.vertices;
  int const v = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= n) return;
  float* const row = field.pheromone + field.matrix(colony) + std::size_t(v) * n;
  std::int16_t const* const successor = field.successor + field.ant(colony, 0) * n + v;
  float const* const deposit = field.deposit + field.ant(colony, 0);
#pragma unroll 8
  for (int ant = 0; ant < field.parameters.ants; ++ant) {
    int const next = successor[std::size_t(ant) * n];
    if (next >= 0) row[next] += deposit[ant];
  }
}

/// The strongest arc and the fingerprint of each row. Owner: thread k owns row k of all colonies.
__global__ void readRows(Field field, std::size_t rows, std::int32_t* strongest,
                         std::uint64_t* fingerprint) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= rows) return;
  int const n = field.vertices;
  strongest[k] = ants::strongest(field.pheromone + k * n, field.length + k * n, n);
  fingerprint[k] = ants::fingerprint(field.pheromone + k * n, n);
}

/// Owner: thread k owns arc k.
__global__ void setPheromone(float* pheromone, std::size_t arcs, float value) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < arcs) pheromone[k] = value;
}

/// Threads of an ant: a quarter of the vertices, whole warps, at most 128.
unsigned threadsOfAnt(int vertices) {
  unsigned const wanted = (unsigned(vertices) + 3) / 4;
  return std::clamp((wanted + 31) / 32 * 32, warpSize32, warpSize32 * mostWarps);
}

int strideOf(int vertices) {
  int const width = int(threadsOfAnt(vertices)) * 4;
  return (vertices + width - 1) / width * width;
}

/// Some colonies, in device memory from start to end.
class Batch {
 public:
  Batch(Colony const* colonies, unsigned count, Parameters const& parameters)
      : count_(count), n_(std::size_t(colonies[0].vertices)), parameters_(parameters) {
    std::size_t const ants = std::size_t(parameters.ants) * count;
    length_ = DeviceArray<std::int32_t>(count * n_ * n_);
    std::vector<std::int32_t> ends;
    std::vector<std::uint64_t> seeds;
    for (unsigned k = 0; k < count; ++k) {
      length_.upload(k * n_ * n_, colonies[k].length.data(), n_ * n_);
      ends.insert(ends.end(), {colonies[k].source, colonies[k].target});
      seeds.push_back(colonies[k].seed);
    }
    ends_ = DeviceArray<std::int32_t>(ends);
    seed_ = DeviceArray<std::uint64_t>(seeds);
    pheromone_ = DeviceArray<float>(count * n_ * n_);
    weight_ = DeviceArray<std::uint32_t>(count * n_ * std::size_t(strideOf(int(n_))));
    successor_ = DeviceArray<std::int16_t>(ants * n_);
    walked_ = DeviceArray<std::int32_t>(ants);
    deposit_ = DeviceArray<float>(ants);
    shortest_ = DeviceArray<std::int32_t>(count);
    weight_.fillBytes(0);
    shortest_.fillBytes(0);
    launch(stream_, blocksFor(pheromone_.size(), threads), threads, setPheromone, pheromone_.data(),
           pheromone_.size(), parameters.initial);
    stream_.wait();
  }

  /// Bytes that a colony takes.
  static std::size_t bytes(int vertices, int ants) {
    auto const n = std::size_t(vertices);
    return n * n * 8 + n * std::size_t(strideOf(vertices)) * 4 + std::size_t(ants) * (2 * n + 8) +
           n * 16;
  }

  void iterate(int iterations) {
    Field const f = field();
    auto const n = unsigned(n_);
    unsigned const ofAnt = threadsOfAnt(f.vertices);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      launch(stream_, dim3(n, count_), threads, weighArcs, f);
      launch(stream_, dim3(unsigned(parameters_.ants), count_), ofAnt, walk, f,
             std::uint32_t(iteration));
      launch(stream_, count_, threads, rank, f);
      launch(stream_, blocksFor(pheromone_.size(), threads), threads, evaporate, f,
             pheromone_.size());
      launch(stream_, dim3(blocksFor(n, threads), count_), threads, addDeposits, f);
    }
    stream_.wait();
  }

  void read(std::vector<ants::Trails>& trails) const {
    std::size_t const rows = count_ * n_;
    DeviceArray<std::int32_t> const strongest(rows);
    DeviceArray<std::uint64_t> const fingerprint(rows);
    launch(stream_, blocksFor(rows, threads), threads, readRows, field(), rows, strongest.data(),
           fingerprint.data());
    std::vector<std::int32_t> const heads = strongest.download(), lengths = shortest_.download();
    std::vector<std::uint64_t> const prints = fingerprint.download();
    for (unsigned k = 0; k < count_; ++k) {
      ants::Trails one;
      auto const at = std::ptrdiff_t(k * n_), end = std::ptrdiff_t((k + 1) * n_);
      one.strongest.assign(heads.begin() + at, heads.begin() + end);
      one.shortestWalk = lengths[k];
      for (auto row = prints.begin() + at; row != prints.begin() + end; ++row) one.addRow(*row);
      trails.push_back(std::move(one));
    }
  }

 private:
  Field field() const {
    return {int(n_),           strideOf(int(n_)), parameters_,       length_.data(),
            ends_.data(),      seed_.data(),      pheromone_.data(), weight_.data(),
            successor_.data(), walked_.data(),    deposit_.data(),   shortest_.data()};
  }

  Stream stream_;
  unsigned count_;
  std::size_t n_;
  Parameters parameters_;
  DeviceArray<std::int32_t> length_, ends_, walked_, shortest_;
  DeviceArray<std::uint64_t> seed_;
  DeviceArray<float> pheromone_, deposit_;
  DeviceArray<std::uint32_t> weight_;
  DeviceArray<std::int16_t> successor_;
};

/// As many colonies at once as memory allows.
unsigned batchSize(Colony const& colony, Parameters const& parameters, std::size_t count) {
  constexpr std::size_t mostAtOnce = 32768;  // a grid has at most 65535 rows of blocks
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all));
  std::size_t const fit = free / 10 * 8 / Batch::bytes(colony.vertices, parameters.ants);
  return unsigned(std::clamp<std::size_t>(fit, 1, std::min(count, mostAtOnce)));
}

}  // namespace

ants::Run runAnts(std::vector<Colony> const& colonies, Parameters const& parameters,
                  int iterations) {
  ants::Run run;
  Stopwatch const total;
  for (std::size_t done = 0; done < colonies.size();) {
    unsigned const count = batchSize(colonies[done], parameters, colonies.size() - done);
    Batch batch(colonies.data() + done, count, parameters);
    Stopwatch const watch;
    batch.iterate(iterations);
    run.seconds += watch.seconds();
    batch.read(run.trails);
    done += count;
  }
  run.transferSeconds = total.seconds() - run.seconds;
  return run;
}

}  // namespace osi_cuda::shortest_path::device
