// SPDX-License-Identifier: EPL-2.0
// Sparse products: CSR of meshes and of the constraints of linear programs.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

#include "examples/common/records.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/experiments.hpp"
#include "examples/response/fem_problem.hpp"
#include "readers/read.hpp"

namespace osi_cuda::response {
namespace {

/// With the four meshes the forty matrices of the table in the log: the larger problems of
/// Netlib and Kennington.
constexpr char const* namedProblems[] = {
    "netlib/25fv47",     "netlib/80bau3b",    "netlib/bnl1",       "netlib/cycle",
    "netlib/czprob",     "netlib/d6cube",     "netlib/degen2",     "netlib/dfl001",
    "netlib/fffff800",   "netlib/fit2p",      "netlib/ganges",     "netlib/greenbea",
    "netlib/maros-r7",   "netlib/modszk1",    "netlib/nesm",       "netlib/perold",
    "netlib/pilot",      "netlib/pilot87",    "netlib/qap12",      "netlib/qap15",
    "netlib/ship12l",    "netlib/stocfor2",   "netlib/truss",      "netlib/woodw",
    "kennington/cre-a",  "kennington/cre-b",  "kennington/cre-c",  "kennington/cre-d",
    "kennington/ken-07", "kennington/ken-11", "kennington/ken-13", "kennington/osa-07",
    "kennington/osa-14", "kennington/pds-02", "kennington/pds-06", "kennington/pds-10"};

/// Their files below a folder, none without a folder. Throws Failure (noInput) for missing ones.
std::vector<std::string> namedFiles(std::string const& folder) {
  std::vector<std::string> files;
  if (folder.empty()) return files;
  for (std::string const name : namedProblems) {
    std::string const path = folder + '/' + name;
    if (std::filesystem::exists(path + ".mps.gz"))
      files.push_back(path + ".mps.gz");
    else if (std::filesystem::exists(path + ".mps"))
      files.push_back(path + ".mps");
    else
      throw examples::Failure(examples::ExitStatus::noInput, "there is no " + path + ".mps(.gz)");
  }
  return files;
}

Csr matrixOf(LinearProgram const& lp) {
  auto const byRows = lp.matrix.transposed();
  return {lp.rows(),
          lp.columns(),
          {byRows.starts.begin(), byRows.starts.end()},
          byRows.indices,
          byRows.values};
}

/// Logarithms of times cuSPARSE, by form.
using Gains = std::map<std::string, std::vector<double>>;

void measureOnDevice(ExperimentSettings const& settings, Csr const& matrix,
                     std::vector<double> const& x, std::vector<double> const& y, Measurement m,
                     Store const& store, Gains& gains) {
  m.executor = deviceModule().deviceName();
  constexpr int inner = 10;
  for (bool const isDouble : {true, false}) {
    std::string const precision = isDouble ? "double, " : "single, ";
    double const number = isDouble ? 8.0 : 4.0, enough = isDouble ? rounding : 1e-4;
    m.bytes =
        (number + 4.0) * matrix.nonzeros() + (number + 4.0) * matrix.rows + number * matrix.columns;
    auto const products = deviceModule().makeProducts(matrix, x, isDouble);
    ProductShape const fixed = fixedRule(double(matrix.nonzeros()) / std::max(matrix.rows, 1));
    products->multiply(fixed, 1, 1);  // the first launch loads the kernel
    ProductShape tuned = fixed;
    int const trials =
        tune(tuned, [&](ProductShape const& shape) { return products->multiply(shape, 3, 1); });
    double library = 0.0;
    auto const give = [&](std::string const& form, double seconds, ProductShape const* shape) {
      m.note = shape ? fmt::format("{} a row; blocks of {}; {} rows", shape->perRow, shape->block,
                                   shape->rows)
                     : "";
      storeForm(m, store, precision + form, seconds, products->result(), y, enough);
      if (form == "cuSPARSE")
        library = seconds;
      else
        gains[precision + form].push_back(std::log(library / seconds));
    };
    give("cuSPARSE", products->library(settings.repeats, inner), nullptr);
    give("fixed rule", products->multiply(fixed, settings.repeats, inner), &fixed);
    m.iterations = trials;
    give("tuned", products->multiply(tuned, settings.repeats, inner), &tuned);
    m.iterations = 0.0;
    ProductShape best = fixed;
    double least = HUGE_VAL;
    for (ProductShape const& shape : allShapes()) {
      double const seconds = products->multiply(shape, settings.repeats, inner);
      if (seconds < least) best = shape;
      least = std::min(least, seconds);
    }
    give("exhaustive", least, &best);
  }
  std::vector<double> all(y.size() * manyColumns);
  matrix.multiply(x.data(), all.data(), manyColumns);
  auto const products = deviceModule().makeProducts(matrix, x, true);
  m.bytes = 12.0 * matrix.nonzeros() + 8.0 * manyColumns * (double(matrix.rows) + matrix.columns);
  m.note = "";
  double const library = products->libraryMany(settings.repeats, inner);
  storeForm(m, store, "32 columns, cuSPARSE", library, products->result(), all);
  double const seconds = products->multiplyMany(settings.repeats, inner);
  storeForm(m, store, "32 columns", seconds, products->result(), all);
  gains["32 columns"].push_back(std::log(library / seconds));
}

void measureProducts(ExperimentSettings const& settings, Csr const& matrix, Measurement m,
                     Store const& store, Gains& gains) {
  m.size = matrix.nonzeros();
  std::vector<double> const x = randomNumbers(std::size_t(matrix.columns) * manyColumns);
  std::vector<double> y(std::size_t(matrix.rows));
  constexpr double entriesAtOnce = 1e6;  // so that a small matrix is not timed alone
  int const inner = std::max(1, int(entriesAtOnce / std::max(matrix.nonzeros(), 1)));
  double const seconds = examples::medianSeconds(settings.repeats, [&] {
    for (int k = 0; k < inner; ++k) matrix.multiply(x.data(), y.data());
  });
  storeForm(m, store, "host, all cores", seconds / inner, y, y);
  if (settings.onDevice) measureOnDevice(settings, matrix, x, y, m, store, gains);
}

}  // namespace

void productExperiments(ExperimentSettings const& settings, Store const& store) {
  std::vector<std::string> files = namedFiles(settings.data);
  files.insert(files.end(), settings.files.begin(), settings.files.end());
  Gains gains;
  overDegrees(settings, "products", [&](Space const& space, Measurement m) {
    m.problem = fmt::format("mesh, degree {}", space.degree);
    measureProducts(settings, csrOf(fieldMatrix(space, 0.0)), m, store, gains);
  });
  for (std::string const& file : files) {
    Measurement m;
    m.series = "products";
    m.executor = "host";
    std::string const name = std::filesystem::path(file).filename().string();
    m.problem = name.substr(0, name.find('.'));
    measureProducts(settings, matrixOf(readers::read(file).lp), m, store, gains);
  }
  for (auto const& [form, logs] : gains) {
    double sum = 0.0;
    for (double const one : logs) sum += one;
    std::cout << fmt::format(
        "{:<20} {:.3g} times as fast as cuSPARSE's best, geometric mean of {} "
        "matrices\n",
        form, std::exp(sum / double(logs.size())), logs.size());
  }
}

}  // namespace osi_cuda::response
