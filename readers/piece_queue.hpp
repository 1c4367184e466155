// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "readers/text_pieces.hpp"

namespace osi_cuda::readers {

/// The pieces of an input, read ahead by a thread of its own: reading and decompressing go on while
/// others parse. A small number of pieces waits at a time.
class PieceQueue {
 public:
  /// `pieces` must outlive the queue; nobody else uses them from now on. `stop`, if not null, makes
  /// a read of their input that waits come back; the destructor calls it.
  PieceQueue(TextPieces& pieces, std::size_t mostWaiting, std::function<void()> stop);
  PieceQueue(PieceQueue const&) = delete;
  PieceQueue& operator=(PieceQueue const&) = delete;
  ~PieceQueue();

  /// As TextPieces::next; `waiting` is called every few milliseconds while nothing is there.
  std::optional<TextPiece> next(std::function<void()> const& waiting);

 private:
  void run();

  TextPieces& pieces_;
  std::size_t mostWaiting_;
  std::function<void()> stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TextPiece> waiting_;
  bool ended_ = false;  // no more pieces will come; `fault_` says why, if that is not the end
  bool stopped_ = false;
  std::exception_ptr fault_;
  std::thread thread_;
};

}  // namespace osi_cuda::readers
