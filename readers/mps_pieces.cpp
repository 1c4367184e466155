// SPDX-License-Identifier: EPL-2.0
//
// Section COLUMNS by pieces, put together in order.
#include "readers/mps_columns.hpp"

#include <algorithm>

#include "osi_cuda/model/large_memory.hpp"
#include "readers/mps_parser.hpp"

namespace osi_cuda::readers {

std::unique_ptr<ColumnPiece> MpsColumnPieces::scanned(TextPiece const& text, MpsLayout layout) {
  std::unique_ptr<ColumnPiece> piece;
  {
    std::lock_guard const lock(mutex_);
    if (!spare_.empty()) {
      piece = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  if (!piece) piece = std::make_unique<ColumnPiece>();
  ColumnScanner(finder_, modelRows_, layout, encoded_).scan(text.text, *piece);
  return piece;
}

std::unique_ptr<ColumnPiece> MpsColumnPieces::take(MpsLayout layout) {
  int const threads = source_.readAhead().threads;
  if (threads > 1 && source_.isLarge()) workers_.start(threads);
  // Enough that no thread waits for the one that puts pieces together.
  std::size_t const most = 1 + 2 * at(workers_.size());
  while (ahead_.size() < most) {
    TextPiece text = source_.piece(ahead_.size());
    if (text.text.empty()) break;
    ahead_.push_back(
        workers_.submit([this, text = std::move(text), layout] { return scanned(text, layout); }));
  }
  std::unique_ptr<ColumnPiece> piece = ahead_.front().get();
  ahead_.pop_front();
  if (piece->layout == layout) return piece;
  giveBack(std::move(piece));  // begun before a line showed that the format is fixed
  return scanned(source_.piece(0), layout);
}

void MpsColumnPieces::giveBack(std::unique_ptr<ColumnPiece> piece) {
  std::lock_guard const lock(mutex_);
  spare_.push_back(std::move(piece));
}

/// Takes pieces as long as their lines need no care. Afterwards the next line does, or there is
/// none: at the place where a piece could not be understood, or where it contradicts those before.
void MpsParser::takeColumnPieces() {
  if (!columnPieces_)
    columnPieces_ = std::make_unique<MpsColumnPieces>(source_, rowNames_, modelRows_, encoded_);
  MpsLayout const layout = layout_ == MpsLayout::fixed ? MpsLayout::fixed : MpsLayout::free;
  while (!source_.rest().empty() || source_.step()) {
    std::unique_ptr<ColumnPiece> piece = columnPieces_->take(layout);
    applyPiece(*piece);
    columnPieces_->giveBack(std::move(piece));
    if (!source_.rest().empty()) return;
  }
}

void MpsParser::applyPiece(ColumnPiece const& piece) {
  LinearProgram& lp = result_.lp;
  SparseMatrix& matrix = lp.matrix;
  std::vector<ColumnPiece::Run> const& runs = piece.runs;
  int const before = columnNames_.size();
  bool const continues =
      !runs.empty() && before > 0 && columnNames_[before - 1] == runs.front().name;
  if (continues) {
    bool const repeats = std::ranges::any_of(
        piece.firstRows, [&](int row) { return lastColumn_[row] == before - 1; });
    if (repeats) return;
  }

  std::size_t taken = 0;  // runs
  for (; taken < runs.size(); ++taken) {
    ColumnPiece::Run const& run = runs[taken];
    if (taken == 0 && continues) {
      if (run.hasCost) lp.objective.back() = run.cost;
      continue;
    }
    if (columnNames_.add(run.name) == NameTable::absent) break;
    addColumn(run.cost, run.integers == ColumnPiece::Integers::asBefore
                            ? integers_
                            : run.integers == ColumnPiece::Integers::begin);
  }

  std::int64_t const base = std::ssize(matrix.indices);
  std::int64_t const entries = taken > 0 ? piece.firstEntryBehind(taken - 1) : 0;
  reserveEntries(at(entries), piece.bytes);
  matrix.indices.insert(matrix.indices.end(), piece.rows.get(), piece.rows.get() + entries);
  matrix.values.insert(matrix.values.end(), piece.values.get(), piece.values.get() + entries);
  // Each run but one that goes on with a column ends the column before it.
  for (std::size_t k = continues ? 1 : 0; k < taken; ++k) {
    bool const isWhole = k >= 2;  // the one before is a run with others on both sides: in order
    if (k > 0 || before > 0) closeColumn(base + runs[k].firstEntry, isWhole);
  }
  if (taken < runs.size()) {  // the name was there before: the line says so
    return source_.skip(runs[taken].offset, runs[taken].line);
  }
  for (int const row : piece.lastRows) lastColumn_[row] = columnNames_.size() - 1;
  if (piece.integers != ColumnPiece::Integers::asBefore)
    integers_ = piece.integers == ColumnPiece::Integers::begin;
  source_.skip(piece.bytes, piece.lines);
}

/// Room for the entries of a piece, and as soon as pieces tell how many there may be, for all that
/// the rest of the file can hold.
void MpsParser::reserveEntries(std::size_t count, std::size_t bytes) {
  SparseMatrix& matrix = result_.lp.matrix;
  pieceBytes_ += bytes;
  std::size_t const needed = matrix.indices.size() + count;
  if (needed <= matrix.indices.capacity()) return;
  constexpr std::size_t enoughToTell = 1 << 16;
  std::size_t room = 2 * needed;
  if (needed > enoughToTell && source_.bytesExpected() > pieceBytes_) {
    constexpr double reserve = 1.05;  // memory that is never touched costs nothing
    room = at(reserve * static_cast<double>(needed) * static_cast<double>(source_.bytesExpected()) /
              static_cast<double>(pieceBytes_));
  }
  reserveLarge(matrix.indices, std::max(room, needed));
  reserveLarge(matrix.values, std::max(room, needed));
}

}  // namespace osi_cuda::readers
