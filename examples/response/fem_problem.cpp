// SPDX-License-Identifier: EPL-2.0
#include "examples/response/fem_problem.hpp"

namespace osi_cuda::response {

template <int P>
ElementTables<P> const& elementTables() {
  static ElementTables<P> const made = [] {
    Reference const& from = reference(P);
    ElementTables<P> to{};
    for (int q = 0; q < ElementTables<P>::points; ++q) {
      to.weight[q] = from.points[q].weight;
      to.xi[q] = from.points[q].xi;
      to.eta[q] = from.points[q].eta;
      for (int i = 0; i < ElementTables<P>::nodes; ++i) {
        to.dXi[q][i] = from.points[q].shape.dXi[i];
        to.dEta[q][i] = from.points[q].shape.dEta[i];
      }
    }
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < ElementTables<P>::nodes; ++i)
        for (int j = 0; j < ElementTables<P>::nodes; ++j)
          to.tensor[k / 3][k % 3][i][j] = from.stiffness[k / 3][k % 3](i, j);
    return to;
  }();
  return made;
}
template ElementTables<1> const& elementTables<1>();
template ElementTables<2> const& elementTables<2>();
template ElementTables<3> const& elementTables<3>();
template ElementTables<4> const& elementTables<4>();

Csr csrOf(SparseMatrix const& m) {
  auto const entries = m.nonZeros();
  return {int(m.rows()),
          int(m.cols()),
          {m.outerIndexPtr(), m.outerIndexPtr() + m.rows() + 1},
          {m.innerIndexPtr(), m.innerIndexPtr() + entries},
          {m.valuePtr(), m.valuePtr() + entries}};
}

Csr withoutFixed(Csr matrix, Space const& space) {
  for (int i = 0; i < matrix.rows; ++i)
    if (space.isFixed[i]) matrix.value[matrix.find(i, i)] = 0.0;
  return matrix;
}

FemProblem femProblemOf(Space const& space) {
  FemProblem p;
  p.degree = space.degree;
  p.width = space.width;
  p.count = space.triangles();
  p.dofs = space.dofs;
  withDegree(p.degree, [&](auto degree) {
    ElementTables<degree> const& tables = elementTables<degree>();
    auto const* const first = reinterpret_cast<double const*>(&tables);
    p.tables.assign(first, first + sizeof tables / sizeof(double));
  });
  auto const count = std::size_t(p.count), width = std::size_t(p.width);
  p.corners.resize(9 * count);
  for (std::size_t e = 0; e < count; ++e)
    for (std::size_t i = 0; i < 3; ++i) {
      int const corner = space.mesh->triangles[e][i];
      p.corners[i * count + e] = space.mesh->points[corner].x;
      p.corners[(3 + i) * count + e] = space.mesh->points[corner].y;
      p.corners[(6 + i) * count + e] = space.mesh->conductivity[corner];
    }
  p.matrix = withoutFixed(csrOf(fieldMatrix(space, 0.0)), space);
  p.ell = ellOf(p.matrix);
  p.node.resize(space.node.size());
  p.csrPlace.resize(count * width * width, -1);
  p.ellPlace = p.csrPlace;
  for (std::size_t e = 0; e < count; ++e)
    for (std::size_t i = 0; i < width; ++i) {
      int const a = space.node[e * width + i];
      p.node[i * count + e] = space.isFixed[a] ? -1 : a;
      for (std::size_t j = 0; j < width; ++j) {
        int const b = space.node[e * width + j];
        if (space.isFixed[a] || space.isFixed[b]) continue;
        std::size_t const to = (i * width + j) * count + e;
        p.csrPlace[to] = p.matrix.find(a, b);
        p.ellPlace[to] = (p.csrPlace[to] - p.matrix.start[a]) * p.dofs + a;
      }
    }
  p.inverse.resize(p.dofs, 0.0);
  for (int i = 0; i < p.dofs; ++i)
    if (!space.isFixed[i]) p.inverse[i] = 1.0 / p.matrix.value[p.matrix.find(i, i)];
  p.triangles = coloursOfElements(space.node, space.width, space.dofs);
  p.rows = coloursOf(p.matrix);
  p.colourOfRow.resize(p.dofs);
  for (int c = 0; c < p.rows.count; ++c)
    for (int k = p.rows.start[c]; k < p.rows.start[c + 1]; ++k) p.colourOfRow[p.rows.member[k]] = c;
  return p;
}

}  // namespace osi_cuda::response
