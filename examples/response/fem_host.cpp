// SPDX-License-Identifier: EPL-2.0
// The host's twin of every form on a device.
#include <algorithm>
#include <functional>

#include "examples/common/records.hpp"
#include "examples/response/fem.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

using Vector = std::vector<double>;
using Apply = std::function<void(Vector const& in, Vector& out)>;

/// By column.
Vector dots(Vector const& a, Vector const& b, int width) {
  Vector sum(width, 0.0);
  for (std::size_t k = 0; k < a.size(); k += width)
    for (int c = 0; c < width; ++c) sum[c] += a[k + c] * b[k + c];
  return sum;
}

Timed conjugateGradients(CgRequest const& request, Apply const& multiply,
                         Apply const& precondition) {
  Stopwatch const watch;
  int const width = request.width;
  Vector x(request.b.size(), 0.0), r = request.b, z(r.size()), p(r.size(), 0.0), q(r.size());
  Vector enough = dots(r, r, width), rho(width, 0.0);
  for (double& each : enough) each *= request.tolerance * request.tolerance;
  Timed result;
  for (; result.iterations < request.mostIterations; ++result.iterations) {
    Vector const left = dots(r, r, width);
    if (std::equal(left.begin(), left.end(), enough.begin(), std::less_equal<>())) break;
    precondition(r, z);
    Vector const next = dots(r, z, width);
    for (std::size_t k = 0; k < p.size(); ++k) {
      std::size_t const c = k % width;
      p[k] = z[k] + (rho[c] > 0.0 ? next[c] / rho[c] : 0.0) * p[k];
    }
    rho = next;
    multiply(p, q);
    Vector const curvature = dots(p, q, width);
    // A column that is solved, or was 0, stays where it is.
    for (std::size_t k = 0; k < p.size(); ++k) {
      std::size_t const c = k % width;
      double const alpha = curvature[c] > 0.0 ? rho[c] / curvature[c] : 0.0;
      x[k] += alpha * p[k];
      r[k] -= alpha * q[k];
    }
  }
  result.seconds = watch.seconds();
  result.values = std::move(x);
  return result;
}

void scale(Vector const& inverse, Vector const& in, Vector& out, int width) {
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = inverse[k / width] * in[k];
}

class HostFem : public Fem {
 public:
  explicit HostFem(FemProblem const& problem) : p_(problem) {
    lma_ = integrate(Integration::tensor, 1).values;
  }

  Timed integrate(Integration form, int repeats) override {
    Timed result;
    auto const count = std::size_t(p_.count);
    result.values.assign(count * p_.width * p_.width, 0.0);
    double* const values = result.values.data();
    result.seconds = examples::medianSeconds(repeats, [&] {
      withDegree(p_.degree, [&](auto degree) {
        constexpr int P = degree, width = ElementTables<P>::nodes;
        ElementTables<P> const& r = elementTables<P>();
#pragma omp parallel for schedule(static)
        for (std::size_t e = 0; e < count; ++e) {
          auto const corners = [&] { return cornersOf(p_.corners.data(), p_.count, long(e)); };
          auto const put = [&](int i, int j, double value) {
            values[(i * width + j) * count + e] = value;
          };
          if (form == Integration::redundant) integrateRedundant<P>(r, corners, put);
          if (form == Integration::local) integrateLocal<P>(r, corners(), put);
          if (form == Integration::tensor) integrateByTensor<P>(r, corners(), put);
          if (form != Integration::inMemory) continue;
          for (int ij = 0; ij < width * width; ++ij) values[ij * count + e] = 0.0;
          integrateInMemory<P>(r, corners(), [&](int i, int j, double value) {
            values[(i * width + j) * count + e] += value;
          });
        }
      });
    });
    return result;
  }

  Timed assemble(Storage storage, bool, int repeats) override {
    bool const isCsr = storage == Storage::csr;
    std::vector<int> const& place = isCsr ? p_.csrPlace : p_.ellPlace;
    Timed result;
    result.values.resize((isCsr ? p_.matrix.value : p_.ell.value).size());
    result.seconds = examples::medianSeconds(repeats, [&] {
      std::fill(result.values.begin(), result.values.end(), 0.0);
      Vector const entries = integrate(Integration::tensor, 1).values;
      for (std::size_t k = 0; k < entries.size(); ++k)
        if (place[k] >= 0) result.values[place[k]] += entries[k];
    });
    return result;
  }

  Timed multiply(Storage storage, Vector const& x, int width, int repeats) override {
    Timed result;
    result.values.resize(x.size());
    result.seconds =
        examples::medianSeconds(repeats, [&] { product(storage, x, result.values, width); });
    return result;
  }

  Timed solve(Storage storage, Preconditioner preconditioner, CgRequest const& request) override {
    int const width = request.width;
    return conjugateGradients(
        request, [&](Vector const& in, Vector& out) { product(storage, in, out, width); },
        [&](Vector const& in, Vector& out) {
          if (preconditioner == Preconditioner::jacobi)
            scale(p_.inverse, in, out, width);
          else
            sweep(in, out, width);
        });
  }

 private:
  void product(Storage storage, Vector const& x, Vector& y, int width) const {
    if (storage == Storage::csr) return p_.matrix.multiply(x.data(), y.data(), width);
    if (storage == Storage::ell) {
#pragma omp parallel for schedule(static)
      for (int i = 0; i < p_.dofs; ++i)
        for (int c = 0; c < width; ++c) {
          double sum = 0.0;
          for (int k = 0; k < p_.ell.width; ++k) {
            std::size_t const at = std::size_t(k) * p_.dofs + i;
            sum += p_.ell.value[at] * x[std::size_t(p_.ell.column[at]) * width + c];
          }
          y[std::size_t(i) * width + c] = sum;
        }
      return;
    }
    std::fill(y.begin(), y.end(), 0.0);
    withDegree(p_.degree, [&](auto degree) {
      constexpr int P = degree, nodes = ElementTables<P>::nodes;
      for (int colour = 0; colour < p_.triangles.count; ++colour)
#pragma omp parallel for schedule(static)
        for (int at = p_.triangles.start[colour]; at < p_.triangles.start[colour + 1]; ++at)
          for (int c = 0; c < width; ++c) {
            auto const e = std::size_t(p_.triangles.member[at]), count = std::size_t(p_.count);
            double u[nodes], v[nodes];
            auto const placeOf = [&](int i) {
              int const node = p_.node[i * count + e];
              return node < 0 ? -1 : (long long)(node)*width + c;
            };
            for (int i = 0; i < nodes; ++i) u[i] = placeOf(i) < 0 ? 0.0 : x[placeOf(i)];
            if (storage == Storage::matrixFree) {
              applyStiffness<P>(elementTables<P>(), cornersOf(p_.corners.data(), p_.count, long(e)),
                                u, v);
            } else {
              for (int i = 0; i < nodes; ++i) {
                v[i] = 0.0;
                for (int j = 0; j < nodes; ++j) v[i] += lma_[(i * nodes + j) * count + e] * u[j];
              }
            }
            for (int i = 0; i < nodes; ++i)
              if (placeOf(i) >= 0) y[placeOf(i)] += v[i];
          }
    });
  }

  /// SSOR by colours of rows: forward z = (r - sum over earlier colours) / diagonal, backward
  /// z -= sum over later colours / diagonal.
  void sweep(Vector const& r, Vector& z, int width) const {
    auto const colour = [&](int own, bool forward) {
      for (int at = p_.rows.start[own]; at < p_.rows.start[own + 1]; ++at)
        for (int c = 0; c < width; ++c) {
          int const i = p_.rows.member[at];
          double sum = 0.0;
          for (int k = p_.matrix.start[i]; k < p_.matrix.start[i + 1]; ++k) {
            int const other = p_.colourOfRow[p_.matrix.column[k]];
            if (forward ? other < own : other > own)
              sum += p_.matrix.value[k] * z[std::size_t(p_.matrix.column[k]) * width + c];
          }
          double& to = z[std::size_t(i) * width + c];
          to = ((forward ? r[std::size_t(i) * width + c] : 0.0) - sum) * p_.inverse[i] +
               (forward ? 0.0 : to);
        }
    };
    for (int c = 0; c < p_.rows.count; ++c) colour(c, true);
    for (int c = p_.rows.count - 2; c >= 0; --c) colour(c, false);
  }

  FemProblem const& p_;
  Vector lma_;
};

class HostSolver : public Solver {
 public:
  explicit HostSolver(Csr const& matrix) : matrix_(matrix), inverse_(matrix.rows) {
    for (int i = 0; i < matrix.rows; ++i) inverse_[i] = 1.0 / matrix.value[matrix.find(i, i)];
  }
  Timed solve(CgRequest const& request) override {
    return conjugateGradients(
        request,
        [&](Vector const& in, Vector& out) {
          matrix_.multiply(in.data(), out.data(), request.width);
        },
        [&](Vector const& in, Vector& out) { scale(inverse_, in, out, request.width); });
  }

 private:
  Csr const& matrix_;
  Vector inverse_;
};

}  // namespace

std::unique_ptr<Fem> makeHostFem(FemProblem const& problem) {
  return std::make_unique<HostFem>(problem);
}
std::unique_ptr<Solver> makeHostSolver(Csr const& matrix) {
  return std::make_unique<HostSolver>(matrix);
}

}  // namespace osi_cuda::response
