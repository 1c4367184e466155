// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <coin/CoinError.hpp>
#include <coin/CoinLpIO.hpp>
#include <coin/CoinMessageHandler.hpp>
#include <coin/CoinMpsIO.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <optional>
#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// The matrix as CoinUtils has it, without explicit zeros and with ascending rows.
inline SparseMatrix fromCoin(CoinPackedMatrix const& source) {
  SparseMatrix matrix;
  matrix.rows = source.getNumRows();
  matrix.columns = source.getNumCols();
  for (int j = 0; j < matrix.columns; ++j) {
    std::vector<std::pair<int, double>> entries;
    for (auto k = source.getVectorFirst(j); k < source.getVectorLast(j); ++k) {
      double const value = source.getElements()[k];
      if (value != 0.0) entries.emplace_back(source.getIndices()[k], value);
    }
    std::ranges::sort(entries, {}, &std::pair<int, double>::first);
    for (auto const& [row, value] : entries) {
      matrix.indices.push_back(row);
      matrix.values.push_back(value);
    }
    matrix.starts.push_back(std::ssize(matrix.indices));
  }
  return matrix;
}

inline std::vector<double> boundsFromCoin(double const* bounds, int count) {
  constexpr double coinInfinity = 1e30;
  std::vector<double> result(bounds, bounds + count);
  for (double& bound : result) {
    if (bound >= coinInfinity) bound = infinity;
    if (bound <= -coinInfinity) bound = -infinity;
  }
  return result;
}

template <class CoinReader>
LinearProgram modelFromCoin(CoinReader const& reader, CoinPackedMatrix const& byColumns) {
  LinearProgram lp;
  lp.matrix = fromCoin(byColumns);
  int const n = lp.columns();
  int const m = lp.rows();
  lp.objective.assign(reader.getObjCoefficients(), reader.getObjCoefficients() + n);
  lp.objectiveOffset = 0.0 - reader.objectiveOffset();
  lp.columnLower = boundsFromCoin(reader.getColLower(), n);
  lp.columnUpper = boundsFromCoin(reader.getColUpper(), n);
  lp.rowLower = boundsFromCoin(reader.getRowLower(), m);
  lp.rowUpper = boundsFromCoin(reader.getRowUpper(), m);
  for (int j = 0; j < n; ++j) {
    lp.columnNames.push_back(reader.columnName(j));
    lp.integer.push_back(reader.isInteger(j) ? 1 : 0);
  }
  for (int i = 0; i < m; ++i) lp.rowNames.push_back(reader.rowName(i));
  return lp;
}

/// The file as CoinMpsIO reads it; nothing if it reports errors. It knows no maximisation: the
/// sense of the result means nothing.
inline std::optional<LinearProgram> readWithCoinMps(std::string const& path) {
  CoinMpsIO reader;
  reader.messageHandler()->setLogLevel(0);
  if (reader.readMps(path.c_str(), "") != 0) return std::nullopt;
  return modelFromCoin(reader, *reader.getMatrixByCol());
}

/// The file as CoinLpIO reads it; nothing if it reports errors. A maximisation is negated there:
/// the sense of the result means nothing.
inline std::optional<LinearProgram> readWithCoinLp(std::string const& path) {
  CoinLpIO reader;
  reader.messageHandler()->setLogLevel(0);
  try {
    reader.readLp(path.c_str());
  } catch (CoinError const&) {
    return std::nullopt;
  }
  return modelFromCoin(reader, *reader.getMatrixByCol());
}

}  // namespace osi_cuda::testing
