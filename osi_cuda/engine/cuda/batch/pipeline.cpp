// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "osi_cuda/base/thread_pool.hpp"
#include "osi_cuda/engine/cuda/batch/arrays.hpp"

namespace osi_cuda::cuda {
namespace {

bool hasCertificate(batch::SmallReport const& report) {
  return report.end == BatchStatus::infeasible || report.end == BatchStatus::unbounded;
}

/// Lays out the arrays of answers and makes room for them.
void makeRoom(Slot& slot) {
  Layout out;
  slot.report = out.take<batch::SmallReport>(slot.pieces.size());
  slot.x = out.take<double>(slot.columns);
  slot.y = out.take<double>(slot.rows);
  slot.columnStatus = out.take<std::uint8_t>(slot.columns);
  slot.rowStatus = out.take<std::uint8_t>(slot.rows);
  slot.outBytes = out.bytes();
  Layout proofs;
  slot.yLow = proofs.take<double>(slot.rows);
  slot.ray = proofs.take<double>(slot.columns);
  slot.rayLow = proofs.take<double>(slot.columns);
  slot.proofBytes = proofs.bytes();
  grow(slot.in, slot.inBytes);
  grow(slot.out, slot.outBytes);
  grow(slot.deviceIn, slot.inBytes, slot.stream);
  grow(slot.numbers, slot.numberBytes, slot.stream);
  grow(slot.deviceOut, slot.outBytes, slot.stream);
  grow(slot.proofs, slot.proofBytes, slot.stream);
  grow(slot.counters, slot.queues, slot.stream);
}

PartAnswers answersOf(Slot const& slot) {
  char* const out = slot.deviceOut.data();
  char* const proofs = slot.proofs.data();
  auto const numbers = [](char* place) { return reinterpret_cast<double*>(place); };
  return {reinterpret_cast<batch::SmallReport*>(out + slot.report),
          numbers(out + slot.x),
          numbers(out + slot.y),
          numbers(proofs + slot.yLow),
          numbers(proofs + slot.ray),
          numbers(proofs + slot.rayLow),
          reinterpret_cast<std::uint8_t*>(out + slot.columnStatus),
          reinterpret_cast<std::uint8_t*>(out + slot.rowStatus)};
}

void handOnCertificates(Slot const& slot, batch::DeviceJob const& job) {
  std::vector<char> proofs(slot.proofBytes);
  download(slot.stream, proofs.data(), slot.proofs.data(), slot.proofBytes);
  if (job.targets.there.objective)
    download(slot.stream, slot.out.data() + slot.y, slot.deviceOut.data() + slot.y,
             slot.columnStatus - slot.y);
  auto const piece = [](char const* memory, std::int64_t offset, int length) {
    return std::span(reinterpret_cast<double const*>(memory) + offset, at(length));
  };
  char const* const proof = proofs.data();
  for (std::size_t t = 0; t < slot.pieces.size(); ++t) {
    auto const& [column, row, columns, rows] = slot.pieces[t];
    batch::SmallReport const& report = slot.outAt<batch::SmallReport>(slot.report)[t];
    if (!hasCertificate(report)) continue;
    std::size_t const k = job.chosen[slot.first + t];
    if (report.end == BatchStatus::unbounded)
      job.certificate(k, {}, {}, piece(proof + slot.ray, column, columns),
                      piece(proof + slot.rayLow, column, columns));
    else if (report.margin == 0.0)  // bounds that cross
      job.certificate(k, {}, {}, {}, {});
    else
      job.certificate(k, piece(slot.out.data() + slot.y, row, rows),
                      piece(proof + slot.yLow, row, rows), {}, {});
  }
}

}  // namespace

Event makeTimer() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event));
  return Event(event);
}

Pipeline::Pipeline() : origin_(makeTimer()), stop_(1) {
  for (Slot& slot : slots_) {
    slot.stream = makeStream();
    slot.begin = makeTimer();
    slot.end = makeTimer();
  }
}

void Pipeline::drain() const {
  for (Slot const& slot : slots_) cudaStreamSynchronize(slot.stream);
}

double Pipeline::run(batch::DeviceJob const& job, Kind& kind, int slots) {
  for (Slot& slot : slots_) {  // what a call that failed may have left
    check(cudaStreamSynchronize(slot.stream));
    slot.first = slot.last = 0;
  }
  stop_[0] = 0;
  check(cudaEventRecord(origin_, stream()));
  busyUntil_ = 0.0f;
  double seconds = 0.0;
  bool stop = false;
  std::size_t next = 0, through = 0;
  for (std::size_t turn = 0;; ++turn) {
    Slot& slot = slots_[turn % at(slots)];
    if (slot.first < slot.last) {
      seconds += finish(slot, job, through);
      through += slot.last - slot.first;
      slot.first = slot.last;
      if (job.goneBy && job.goneBy(through)) stop = true;
    }
    if (!stop && next < job.chosen.size()) {
      slot.first = next;
      begin(slot, job, kind);
      next = slot.last;
    } else if (std::all_of(slots_, slots_ + slots,
                           [](Slot const& s) { return s.first == s.last; })) {
      return seconds;
    }
  }
}

void Pipeline::begin(Slot& slot, batch::DeviceJob const& job, Kind& kind) {
  slot.pieces.clear();
  slot.columns = slot.rows = 0;
  kind.choose(slot);
  batch::BatchTargets const& to = job.targets;
  bool const stay = to.there.objective && slot.points;
  slot.places = slot.inBytes;
  if (stay) slot.inBytes += slot.pieces.size() * sizeof(AnswerPlace);
  makeRoom(slot);
  kind.pack(slot);
  for (std::size_t t = 0; stay && t < slot.pieces.size(); ++t) {
    auto const& [column, row, columns, rows] = slot.pieces[t];
    std::size_t const k = job.chosen[slot.first + t];
    slot.inAt<AnswerPlace>(slot.places)[t] = {column,
                                              row,
                                              static_cast<std::int64_t>(to.columnStart[k]),
                                              static_cast<std::int64_t>(to.rowStart[k]),
                                              columns,
                                              rows};
  }
  cudaStream_t const stream = slot.stream;
  check(cudaMemcpyAsync(slot.deviceIn.data(), slot.in.data(), slot.inBytes, cudaMemcpyHostToDevice,
                        stream));
  kind.send(slot, uploader_);
  clear(stream, slot.counters, slot.queues);
  PartAnswers const answers = answersOf(slot);
  static_assert(sizeof(BatchStatus) == 1);  // bytes of it: nobody has begun
  check(cudaMemsetAsync(answers.report, static_cast<int>(BatchStatus::interrupted),
                        slot.pieces.size() * sizeof(batch::SmallReport), stream));
  check(cudaEventRecord(slot.begin, stream));
  kind.launch(slot, answers);
  if (stay)
    putAnswers(stream, static_cast<int>(slot.pieces.size()),
               slot.deviceInAt<AnswerPlace>(slot.places), answers, to.keepsStopped, to.there);
  check(cudaEventRecord(slot.end, stream));
  bool const come = slot.points && !stay;
  check(cudaMemcpyAsync(slot.out.data(), slot.deviceOut.data(), come ? slot.outBytes : slot.x,
                        cudaMemcpyDeviceToHost, stream));
}

/// Waits for the part, and lets the caller look in. A thread that sleeps does so for some tens of
/// microseconds at least, which is long beside a short part.
void Pipeline::wait(Slot const& slot, batch::DeviceJob const& job, std::size_t through) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds interval(50), awake(2);
  Clock::time_point const begin = Clock::now();
  Clock::time_point asked = begin;
  for (;;) {
    cudaError_t const status = cudaStreamQuery(slot.stream);
    if (status == cudaSuccess) return;
    if (status != cudaErrorNotReady) check(status);
    Clock::time_point const now = Clock::now();
    if (now - asked > interval) {
      asked = now;
      if (job.goneBy && job.goneBy(through)) *const_cast<int volatile*>(stop_.data()) = 1;
    }
    if (now - begin < awake)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

/// Waits for the part and hands on what came of it; returns the seconds of its kernels.
double Pipeline::finish(Slot const& slot, batch::DeviceJob const& job, std::size_t through) {
  wait(slot, job, through);
  double const seconds = secondsAtWork(slot);
  auto const* const report = slot.outAt<batch::SmallReport>(slot.report);
  batch::BatchTargets const& to = job.targets;
  std::size_t const count = slot.pieces.size();
  constexpr std::size_t worthThreads = std::size_t{1} << 20, share = 128;  // bytes; problems
  int const threads =
      slot.outBytes < worthThreads ? 1 : std::min(job.threads, Uploader::mostThreads);
  std::atomic<bool> certificates = false;
  auto const handOn = [&](std::size_t t) {
    auto const& [column, row, columns, rows] = slot.pieces[t];
    std::size_t const k = job.chosen[slot.first + t];
    auto const copy = [&](auto target, std::size_t start, std::size_t array, std::int64_t offset,
                          int length) {
      using T = typename decltype(target)::value_type;
      if (!target.empty())  // else they stay
        std::copy_n(slot.outAt<T>(array) + offset, length, target.data() + start);
    };
    copy(to.x, to.columnStart[k], slot.x, column, columns);
    copy(to.y, to.rowStart[k], slot.y, row, rows);
    copy(to.columnStatus, to.columnStart[k], slot.columnStatus, column, columns);
    copy(to.rowStatus, to.rowStart[k], slot.rowStatus, row, rows);
    to.report[k] = report[t];
    if (report[t].end == BatchStatus::interrupted)  // untouched
      to.report[k] = {BatchStatus::interrupted};
    if (hasCertificate(report[t])) certificates = true;
  };
  runPieces(threads, (count + share - 1) / share, [&](std::size_t piece, int) {
    for (std::size_t t = piece * share; t < std::min(count, (piece + 1) * share); ++t) handOn(t);
  });
  if (certificates && slot.points) handOnCertificates(slot, job);
  return seconds;
}

/// What the part's kernels took beyond those of the part before, which may still have been at work
/// when they began.
double Pipeline::secondsAtWork(Slot const& slot) {
  float begin = 0.0f, end = 0.0f;
  check(cudaEventElapsedTime(&begin, origin_, slot.begin));
  check(cudaEventElapsedTime(&end, origin_, slot.end));
  float const from = std::max(begin, busyUntil_);
  busyUntil_ = std::max(busyUntil_, end);
  return 1e-3 * std::max(0.0f, end - from);
}

}  // namespace osi_cuda::cuda
