// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "readers/line_source.hpp"
#include "readers/mps_columns.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {

/// The pieces of section COLUMNS, from the present place of a source on, each read by whichever
/// thread is free. They are handed out in order.
class MpsColumnPieces {
 public:
  /// All must outlive the object, and not change.
  MpsColumnPieces(LineSource& source, NameTable const& rows, std::vector<int> const& modelRows,
                  bool encoded)
      : source_(source), finder_(rows), modelRows_(modelRows), encoded_(encoded) {}

  /// What source.piece(0) says, of which nothing was taken since the last call.
  std::unique_ptr<ColumnPiece> take(MpsLayout layout);
  /// To use its memory again.
  void giveBack(std::unique_ptr<ColumnPiece> piece);

 private:
  std::unique_ptr<ColumnPiece> scanned(TextPiece const& text, MpsLayout layout);

  LineSource& source_;
  RowFinder finder_;
  std::vector<int> const& modelRows_;
  bool encoded_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ColumnPiece>> spare_;
  std::deque<std::future<std::unique_ptr<ColumnPiece>>> ahead_;  // the first: of source.piece(0)
  Workers workers_;  // last: ends before what its tasks use
};

}  // namespace osi_cuda::readers
