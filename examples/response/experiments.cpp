// SPDX-License-Identifier: EPL-2.0
#include "examples/response/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "examples/common/failure.hpp"
#include "examples/common/random.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/fem_forms.hpp"
#include "examples/response/sweeps.hpp"
#include "osi_cuda/errors.hpp"
#include "readers/read.hpp"
#include "shell/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

constexpr double rounding = 1e-11;         // of sums of thousands of terms in double precision
constexpr double roundingInSingle = 1e-4;  // of the same in single precision

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double size = 1e-300, most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    double const one = std::abs(a[k] - b[k]);
    most = std::isnan(one) ? 1e300 : std::max(most, one);
  }
  return most / size;
}

std::vector<double> randomNumbers(std::size_t count) {
  examples::Random random(1);
  std::vector<double> values(count);
  for (double& value : values) value = 2.0 * random.uniform() - 1.0;
  return values;
}

template <class Work>
double medianOf(int repeats, Work const& work) {
  std::vector<double> seconds;
  for (int k = 0; k < std::max(repeats, 1); ++k) {
    shell::Stopwatch const watch;
    work();
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

std::string deviceName(ExperimentSettings const& settings) {
  return settings.onDevice ? deviceModule().deviceName() : "host";
}

SweepCase gridOf(std::string const& size, double r) {
  int rows = 0, columns = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) != 2 || rows < 3 || columns < 3)
    throw examples::Failure(examples::ExitStatus::usage,
                            "--sizes wants ROWSxCOLUMNS, each at least 3, not '" + size + "'");
  return diffusion(rows, columns, r);
}

void sweepOnCores(ExperimentSettings const& settings, SweepCase const& grid, Measurement m,
                  Store const& store, std::vector<double>& reference) {
  m.executor = "host";
  m.ok = true;
  std::vector<double> field = reference;
  sweepOnHost(grid, reference, 2, settings.threads);
  std::vector<int> const counts =
      settings.threads > 1 ? std::vector<int>{1, settings.threads} : std::vector<int>{1};
  for (int const threads : counts) {
    m.form = threads == 1 ? "host, one core" : fmt::format("host, {} cores", threads);
    constexpr double manyCells = 3e7;  // a core takes a second
    m.seconds = medianOf(m.size > manyCells ? 1 : std::min(settings.repeats, 3),
                         [&] { sweepOnHost(grid, field, 1, threads); });
    store(m);
  }
}

void twoDevices(SweepCase const& grid, Measurement m, std::vector<double> const& start,
                std::vector<double> const& reference, Store const& store) {
  for (int const second : {0, 1}) {
    if (second >= deviceModule().deviceCount()) continue;
    m.form = second == 0 ? "fused, two halves on one GPU" : "fused, two GPUs";
    try {
      std::vector<double> field = start;
      deviceModule().sweepOnTwo(grid, field, 2, second);
      m.error = difference(field, reference);
      m.ok = m.error < rounding;
      constexpr int steps = 20;
      m.seconds = deviceModule().sweepOnTwo(grid, field, steps, second);
      store(m);
    } catch (EngineUnavailable const&) {
      // The grid is too small to be shared, or one device can't read the other's memory: no line.
    }
  }
}

}  // namespace

void sweepExperiments(ExperimentSettings const& settings, Store const& store) {
  for (std::string const& size : settings.sizes) {
    SweepCase const grid = gridOf(size, settings.r);
    Measurement m;
    m.series = "sweeps";
    m.problem = fmt::format("{} x {}", grid.rows, grid.columns);
    m.size = double(grid.cells());
    m.bytes = 32.0 * double(grid.cells());  // each direction reads and writes a double once
    std::vector<double> const start = randomNumbers(grid.cells());
    std::vector<double> reference = start;
    sweepOnCores(settings, grid, m, store, reference);
    if (!settings.onDevice) continue;
    m.executor = deviceName(settings);
    double copy = 0.0;
    for (std::size_t k = 0; k < sweepFormNames().size(); ++k) {
      auto const& wanted = settings.forms;
      if (!wanted.empty() &&
          std::find(wanted.begin(), wanted.end(), sweepFormNames()[k]) == wanted.end())
        continue;
      std::vector<double> field = start;
      SweepTimes const times = deviceModule().sweep(grid, SweepForm(k), field, 2, settings.repeats);
      m.form = sweepFormNames()[k];
      m.seconds = times.alongRows + times.alongColumns;
      m.note = fmt::format("rows {:.4g} ms, columns {:.4g} ms", 1e3 * times.alongRows,
                           1e3 * times.alongColumns);
      m.error = difference(field, reference);
      m.ok = m.error < rounding;
      store(m);
      copy = times.copy;
    }
    m.form = "two copies of the field";
    m.seconds = 2.0 * copy;
    m.error = 0.0;
    m.note = "";
    m.ok = true;
    store(m);
    twoDevices(grid, m, start, reference, store);
  }
}

namespace {

/// Each degree on meshes of about the same number of degrees of freedom.
template <class Work>
void overDegrees(ExperimentSettings const& settings, std::string const& series, Work const& work) {
  for (int const degree : settings.degrees) {
    PlateSettings plate;
    plate.cells = std::max(4, settings.cells / degree);
    Mesh const mesh = generatePlate(plate);
    Space const space = makeSpace(mesh, degree);
    Measurement m;
    m.series = series;
    m.problem = fmt::format("degree {}, {} triangles, {} degrees of freedom", degree,
                            mesh.triangles.size(), space.dofs);
    m.size = degree;
    work(space, m);
  }
}

std::vector<double> freeNumbers(Space const& space) {
  std::vector<double> x = randomNumbers(std::size_t(space.dofs));
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) x[k] = 0.0;
  return x;
}

/// The host's product with the assembled matrix, 0 at fixed degrees of freedom.
std::vector<double> hostProduct(Space const& space, Csr<double> const& matrix,
                                std::vector<double> const& x) {
  std::vector<double> y(x.size());
  matrix.multiply(x.data(), y.data());
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) y[k] = 0.0;
  return y;
}

}  // namespace

void integrationExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "integration", [&](Space const& space, Measurement m) {
    m.bytes = 8.0 * space.width * space.width * space.triangles();
    std::vector<double> const reference = elementMatrices(space, Integration::local);
    auto const fem = settings.onDevice ? deviceModule().makeFem(space) : nullptr;
    for (std::size_t k = 0; k < integrationNames().size(); ++k) {
      auto const form = Integration(k);
      m.form = "host, all cores: " + integrationNames()[k];
      m.executor = "host";
      std::vector<double> values;
      m.seconds =
          medianOf(std::min(settings.repeats, 3), [&] { values = elementMatrices(space, form); });
      m.error = difference(values, reference);
      m.ok = m.error < rounding;
      store(m);
      if (!fem) continue;
      TimedValues const timed = fem->integrate(form, settings.repeats);
      m.form = integrationNames()[k];
      m.executor = deviceName(settings);
      m.seconds = timed.seconds;
      m.error = difference(timed.values, reference);
      m.ok = m.error < rounding;
      store(m);
    }
  });
}

void storageExperiments(ExperimentSettings const& settings, Store const& store) {
  if (!settings.onDevice) throw EngineUnavailable("this series needs a device");
  overDegrees(settings, "storage", [&](Space const& space, Measurement m) {
    auto const fem = deviceModule().makeFem(space);
    Csr<double> const matrix = fieldMatrix(space, 0.0);
    std::vector<double> const x = freeNumbers(space), y = hostProduct(space, matrix, x);
    m.executor = deviceName(settings);
    auto const give = [&](std::string const& form, TimedValues const& timed,
                          std::vector<double> const& right, double enough) {
      m.form = form;
      m.seconds = timed.seconds;
      m.iterations = timed.iterations;
      m.error = difference(timed.values, right);
      m.ok = m.error < enough;
      store(m);
    };
    std::vector<double> csr = matrix.value;
    for (int i = 0; i < matrix.rows; ++i)
      if (space.isFixed[i]) csr[matrix.find(i, i)] = 0.0;
    Csr<double> bare = matrix;
    bare.value = csr;
    std::vector<double> const ell = ellOf(bare).value;
    for (bool const byColours : {false, true}) {
      std::string const how = byColours ? ", colours" : ", atomics";
      give("assembly, CSR" + how, fem->assemble(Storage::csr, byColours, settings.repeats), csr,
           rounding);
      give("assembly, ELLPACK" + how, fem->assemble(Storage::ell, byColours, settings.repeats), ell,
           rounding);
    }
    give("assembly, LMA", fem->integrate(Integration::tensor, settings.repeats),
         elementMatrices(space, Integration::tensor), rounding);
    std::vector<double> b(std::size_t(space.dofs), 0.0);
    for (int k = 0; k < space.dofs; ++k) b[k] = space.isFixed[k] ? 0.0 : 1.0 / space.dofs;
    std::vector<double> solution;
    for (std::size_t k = 0; k < storageNames().size(); ++k) {
      auto const storage = Storage(k);
      give("product, " + storageNames()[k], fem->multiply(storage, x, settings.repeats), y,
           rounding);
      for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
        bool const isJacobi = preconditioner == Preconditioner::jacobi;
        if (!isJacobi && storage != Storage::csr && storage != Storage::ell) continue;
        constexpr double tolerance = 1e-10, agreement = 1e-6;  // times the matrix's condition
        constexpr int most = 20'000;
        TimedValues const solved = fem->solve(storage, preconditioner, b, tolerance, most);
        if (solution.empty()) solution = solved.values;
        give((isJacobi ? "CG Jacobi, " : "CG SSOR, ") + storageNames()[k], solved, solution,
             agreement);
      }
    }
  });
}

namespace {

Csr<double> matrixOf(LinearProgram const& lp) {
  SparseMatrix const byRows = lp.matrix.transposed();
  return {lp.rows(),
          lp.columns(),
          {byRows.starts.begin(), byRows.starts.end()},
          byRows.indices,
          byRows.values};
}

void measureProducts(ExperimentSettings const& settings, Csr<double> const& matrix, Measurement m,
                     Store const& store) {
  m.size = matrix.nonzeros();
  m.executor = deviceName(settings);
  for (bool const isDouble : {true, false}) {
    ProductTimes const times = isDouble
                                   ? deviceModule().timeProductsInDouble(matrix, settings.repeats)
                                   : deviceModule().timeProductsInSingle(matrix, settings.repeats);
    double const number = isDouble ? 8.0 : 4.0;
    m.bytes =
        (number + 4.0) * matrix.nonzeros() + (number + 4.0) * matrix.rows + number * matrix.columns;
    m.error = times.error;
    m.ok = times.error < (isDouble ? rounding : roundingInSingle);
    std::string const precision = isDouble ? "double, " : "single, ";
    auto const give = [&](std::string const& form, double seconds, ProductShape const* shape) {
      m.form = precision + form;
      m.seconds = seconds;
      m.note = shape ? fmt::format("{} a row, blocks of {}, {} rows", shape->perRow, shape->block,
                                   shape->rows)
                     : "";
      m.iterations = form == "tuned" ? times.trials : 0;
      store(m);
    };
    give("fixed rule", times.fixed, &times.fixedShape);
    give("tuned", times.tuned, &times.tunedShape);
    give("exhaustive", times.exhaustive, nullptr);
    give("cuSPARSE", times.library, nullptr);
  }
  constexpr int width = 32;
  ManyTimes const many = deviceModule().timeManyProducts(matrix, width, settings.repeats);
  m.bytes = 12.0 * matrix.nonzeros() + 8.0 * width * (double(matrix.rows) + matrix.columns);
  m.error = many.error;
  m.ok = many.error < rounding;
  m.note = "";
  m.iterations = 0;
  m.form = "32 columns, ours";
  m.seconds = many.ours;
  store(m);
  m.form = "32 columns, cuSPARSE";
  m.seconds = many.library;
  store(m);
}

}  // namespace

void productExperiments(ExperimentSettings const& settings, Store const& store) {
  if (!settings.onDevice) throw EngineUnavailable("this series needs a device");
  overDegrees(settings, "products", [&](Space const& space, Measurement m) {
    m.problem = fmt::format("mesh, degree {}", space.degree);
    measureProducts(settings, fieldMatrix(space, 0.0), m, store);
  });
  for (std::string const& file : settings.files) {
    Measurement m;
    m.series = "products";
    std::string const name = std::filesystem::path(file).filename().string();
    m.problem = name.substr(0, name.find('.'));
    measureProducts(settings, matrixOf(readers::read(file).lp), m, store);
  }
}

void executorExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "executors", [&](Space const& space, Measurement m) {
    std::vector<double> const x = freeNumbers(space);
    std::vector<double> const reference = hostProduct(space, fieldMatrix(space, 0.0), x);
    auto const give = [&](std::string const& form, TimedValues const& timed) {
      m.form = form;
      m.seconds = timed.seconds;
      m.error = difference(timed.values, reference);
      m.ok = m.error < rounding;
      store(m);
    };
    m.executor = "host";
    m.note = fmt::format("{} lanes, {} threads", vectorLanes(), settings.threads);
    for (std::size_t k = 0; k < executorNames().size(); ++k)
      give(executorNames()[k],
           executeOnHost(space, Executor(k), x, settings.threads, settings.repeats));
    if (!settings.onDevice) return;
    m.executor = deviceName(settings);
    m.note = "";
    give("GPU", deviceModule().makeFem(space)->multiply(Storage::matrixFree, x, settings.repeats));
  });
}

}  // namespace osi_cuda::response
