// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/fingerprint.hpp"

#include "osi_cuda/model/dense_entries.hpp"

namespace osi_cuda {

void Fingerprint::add(std::span<double const> numbers) {
  add(static_cast<std::uint64_t>(numbers.size()));
  for (double const number : numbers) add(number);
}

void Fingerprint::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  std::uint64_t word = 0;
  int bytes = 0;
  for (char const byte : text) {
    word = word << 8 | static_cast<unsigned char>(byte);
    if (++bytes < 8) continue;
    add(word);
    word = 0;
    bytes = 0;
  }
  add(word);
}

std::string Fingerprint::text() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[state_ >> shift & 15];
  return text;
}

std::string fingerprintOf(LinearProgram const& lp) {
  if (countNonzeros(lp.matrix) < lp.matrix.nonzeros()) {  // as of the same problem from a file
    LinearProgram sparse = lp;
    sparse.matrix.makeSparse();
    return fingerprintOf(sparse);
  }
  Fingerprint print;
  print.add(static_cast<std::uint64_t>(lp.rows()));
  print.add(static_cast<std::uint64_t>(lp.columns()));
  print.add(static_cast<std::uint64_t>(lp.sense == Sense::maximize));
  print.add(lp.objectiveOffset);
  print.add(lp.objective);
  print.add(lp.columnLower);
  print.add(lp.columnUpper);
  print.add(lp.rowLower);
  print.add(lp.rowUpper);
  for (std::int64_t const start : lp.matrix.starts) print.add(static_cast<std::uint64_t>(start));
  // The numbers of a vector are told apart from those of the next by its length.
  ColumnReader read(lp.matrix);
  for (int j = 0; j < lp.columns(); ++j)
    for (int const row : lp.matrix.columnIndices(j)) print.add(static_cast<std::uint64_t>(row));
  print.add(static_cast<std::uint64_t>(lp.matrix.nonzeros()));
  for (int j = 0; j < lp.columns(); ++j)
    for (double const value : read(j)) print.add(value);
  return print.text();
}

}  // namespace osi_cuda
