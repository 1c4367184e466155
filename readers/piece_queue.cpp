// SPDX-License-Identifier: EPL-2.0
#include "readers/piece_queue.hpp"

#include <chrono>

namespace osi_cuda::readers {

PieceQueue::PieceQueue(TextPieces& pieces, std::size_t mostWaiting, std::function<void()> stop)
    : pieces_(pieces),
      mostWaiting_(mostWaiting),
      stop_(std::move(stop)),
      thread_([this] { run(); }) {}

PieceQueue::~PieceQueue() {
  {
    std::lock_guard const lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (stop_) stop_();
  thread_.join();
}

void PieceQueue::run() {
  for (;;) {
    std::optional<TextPiece> piece;
    std::exception_ptr fault;
    try {
      piece = pieces_.next();
    } catch (...) {
      fault = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || waiting_.size() < mostWaiting_; });
    if (piece) {
      waiting_.push_back(std::move(*piece));
    } else {
      ended_ = true;
      fault_ = fault;
    }
    bool const last = ended_ || stopped_;
    lock.unlock();
    changed_.notify_all();
    if (last) return;
  }
}

std::optional<TextPiece> PieceQueue::next(std::function<void()> const& waiting) {
  constexpr std::chrono::milliseconds patience{10};
  std::unique_lock lock(mutex_);
  auto const there = [this] { return !waiting_.empty() || ended_; };
  while (!changed_.wait_for(lock, patience, there)) {
    lock.unlock();
    waiting();
    lock.lock();
  }
  if (waiting_.empty()) {
    if (fault_) std::rethrow_exception(fault_);
    return std::nullopt;
  }
  TextPiece piece = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return piece;
}

}  // namespace osi_cuda::readers
