// SPDX-License-Identifier: EPL-2.0
#include "examples/response/relaxation.hpp"

#include <algorithm>
#include <numeric>

#include "examples/response/fem_problem.hpp"

namespace osi_cuda::response {

Relaxation relaxationOf(Space const& space) {
  Relaxation result;
  result.matrix = csrOf(fieldMatrix(space, 0.0));
  constexpr double damping = 0.5;
  for (int i = 0; i < space.dofs; ++i) {
    double const diagonal = result.matrix.value[result.matrix.find(i, i)];
    result.weight.push_back(space.isFixed[i] ? 0.0 : damping / diagonal);
    result.load.push_back(space.isFixed[i] ? 0.0 : 1.0 / space.dofs);
  }
  return result;
}

Relaxation permuted(Relaxation const& relaxation, std::vector<int> const& order) {
  Csr const& from = relaxation.matrix;
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = int(k);
  Relaxation result;
  Csr& to = result.matrix;
  to.rows = from.rows;
  to.columns = from.columns;
  to.column.reserve(from.column.size());
  to.value.reserve(from.value.size());
  std::vector<std::pair<int, double>> row;
  for (int const i : order) {
    row.clear();
    for (int k = from.start[i]; k < from.start[i + 1]; ++k)
      row.emplace_back(place[from.column[k]], from.value[k]);
    std::sort(row.begin(), row.end());
    for (auto const& [column, value] : row) {
      to.column.push_back(column);
      to.value.push_back(value);
    }
    to.start.push_back(int(to.column.size()));
    result.weight.push_back(relaxation.weight[i]);
    result.load.push_back(relaxation.load[i]);
  }
  return result;
}

void relaxPlainly(Relaxation const& relaxation, std::vector<double>& x, int steps, int threads) {
  Csr const& m = relaxation.matrix;
  RelaxationRows const rows{m.start.data(), m.column.data(), m.value.data(),
                            relaxation.weight.data(), relaxation.load.data()};
  std::vector<double> next(x.size());
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < m.rows; ++i) next[i] = relaxed(rows, i, x.data());
    x.swap(next);
  }
}

double Tile::entries(int steps) const {
  double sum = 0.0;
  for (int step = 1; step <= steps; ++step) sum += start[within[steps - step]];
  return sum;
}

Tile tileOf(Relaxation const& relaxation, std::span<int const> own, int depth,
            std::vector<int>& number) {
  Csr const& m = relaxation.matrix;
  Tile tile;
  tile.row.assign(own.begin(), own.end());
  for (std::size_t k = 0; k < own.size(); ++k) number[own[k]] = int(k);
  tile.within = {int(own.size())};
  int first = 0;  // rows before have all their neighbours
  for (int layer = 1; layer <= depth; ++layer) {
    int const last = int(tile.row.size());
    for (int k = first; k < last; ++k)
      for (int at = m.start[tile.row[k]]; at < m.start[tile.row[k] + 1]; ++at)
        if (int const j = m.column[at]; number[j] < 0) {
          number[j] = int(tile.row.size());
          tile.row.push_back(j);
        }
    first = last;
    tile.within.push_back(int(tile.row.size()));
  }
  int const computed = tile.within[depth - 1];
  tile.start = {0};
  for (int k = 0; k < computed; ++k) {
    int const i = tile.row[k];
    for (int at = m.start[i]; at < m.start[i + 1]; ++at) {
      tile.column.push_back(number[m.column[at]]);
      tile.value.push_back(m.value[at]);
    }
    tile.start.push_back(int(tile.column.size()));
    tile.weight.push_back(relaxation.weight[i]);
    tile.load.push_back(relaxation.load[i]);
  }
  for (int const i : tile.row) number[i] = -1;
  return tile;
}

double* advance(Tile const& tile, int steps, double* x, double* y) {
  RelaxationRows const rows = tile.rows();
  for (int step = 1; step <= steps; ++step) {
    int const count = tile.within[steps - step];
    for (int i = 0; i < count; ++i) y[i] = relaxed(rows, i, x);
    std::swap(x, y);
  }
  return x;
}

TiledRelaxation::TiledRelaxation(Relaxation const& relaxation, int depth, double bytes)
    : plainEntries_(relaxation.matrix.nonzeros()) {
  constexpr double entryBytes = sizeof(double) + sizeof(int);
  double const rowsOfTile = bytes / (entryBytes * plainEntries_ / std::max(relaxation.rows(), 1));
  int const step = std::max(1, int(rowsOfTile));
  std::vector<int> all(relaxation.rows()), number(relaxation.rows(), -1);
  std::iota(all.begin(), all.end(), 0);
  for (int begin = 0; begin < relaxation.rows(); begin += step) {
    std::size_t const count = std::size_t(std::min(step, relaxation.rows() - begin));
    tiles_.push_back(tileOf(relaxation, {all.data() + begin, count}, depth, number));
  }
}

void TiledRelaxation::run(std::vector<double>& x, int steps, int threads) const {
  int const depth = tiles_.empty() ? 1 : tiles_.front().depth();
  std::vector<double> next(x.size());
  for (int done = 0; done < steps; done += depth) {
    int const now = std::min(depth, steps - done);
#pragma omp parallel num_threads(threads)
    {
      std::vector<double> a, b;
#pragma omp for schedule(dynamic)
      for (std::size_t t = 0; t < tiles_.size(); ++t) {
        Tile const& tile = tiles_[t];
        a.resize(std::max(a.size(), tile.row.size()));
        b.resize(a.size());
        for (int k = 0; k < tile.within[now]; ++k) a[k] = x[tile.row[k]];
        double const* const result = advance(tile, now, a.data(), b.data());
        for (int k = 0; k < tile.own(); ++k) next[tile.row[k]] = result[k];
      }
    }
    x.swap(next);
  }
}

double TiledRelaxation::redundancy() const {
  double sum = 0.0;
  int depth = 1;
  for (Tile const& tile : tiles_) {
    depth = tile.depth();
    sum += tile.entries(depth);
  }
  return sum / (depth * plainEntries_);
}

}  // namespace osi_cuda::response
