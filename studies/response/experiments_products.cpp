// SPDX-License-Identifier: EPL-2.0
// Sparse products: CSR of meshes and of the constraints of linear programs.
#include <fmt/format.h>

#include <filesystem>

#include "examples/common/failure.hpp"
#include "readers/read.hpp"
#include "studies/response/device_module.hpp"
#include "studies/response/fem_forms.hpp"
#include "studies/response/measuring.hpp"

namespace osi_cuda::response {
namespace {

/// With the four meshes the forty matrices of docs/evidence/response.md: the larger problems of
/// Netlib and Kennington, from eight thousand entries on.
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
  std::string missing;
  for (std::string const name : namedProblems) {
    std::string found;
    for (std::string const ending : {".mps.gz", ".mps"})
      if (std::string const path = folder + '/' + name + ending; std::filesystem::exists(path))
        found = path;
    if (found.empty())
      missing += (missing.empty() ? "" : ", ") + name;
    else
      files.push_back(found);
  }
  if (!missing.empty())
    throw examples::Failure(examples::ExitStatus::noInput,
                            "'" + folder + "' has no " + missing + " (.mps or .mps.gz)");
  return files;
}

Csr matrixOf(LinearProgram const& lp) {
  SparseMatrix const byRows = lp.matrix.transposed();
  return {lp.rows(),
          lp.columns(),
          {byRows.starts.begin(), byRows.starts.end()},
          byRows.indices,
          byRows.values};
}

void measureOnCores(ExperimentSettings const& settings, Csr const& matrix, Measurement m,
                    Store const& store) {
  std::vector<double> const x = randomNumbers(std::size_t(matrix.columns));
  std::vector<double> y(std::size_t(matrix.rows));
  constexpr double entriesAtOnce = 1e6;  // so that a small matrix is not timed alone
  int const inner = std::max(1, int(entriesAtOnce / std::max(matrix.nonzeros(), 1)));
  m.seconds = studies::medianSeconds(settings.repeats,
                                     [&] {
                                       for (int k = 0; k < inner; ++k)
                                         matrix.multiply(x.data(), y.data());
                                     }) /
              inner;
  m.form = "host, all cores";
  m.executor = "host";
  m.ok = true;
  store(m);
}

void measureProducts(ExperimentSettings const& settings, Csr const& matrix, Measurement m,
                     Store const& store) {
  m.size = matrix.nonzeros();
  measureOnCores(settings, matrix, m, store);
  if (!settings.onDevice) return;
  m.executor = deviceName(settings);
  for (bool const isDouble : {true, false}) {
    ProductTimes const times = isDouble ? kernels->timeProductsInDouble(matrix, settings.repeats)
                                        : kernels->timeProductsInSingle(matrix, settings.repeats);
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
  ManyTimes const many = kernels->timeManyProducts(matrix, width, settings.repeats);
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
  std::vector<std::string> files = namedFiles(settings.data);
  files.insert(files.end(), settings.files.begin(), settings.files.end());
  overDegrees(settings, "products", [&](Space const& space, Measurement m) {
    m.problem = fmt::format("mesh, degree {}", space.degree);
    measureProducts(settings, fieldMatrix(space, 0.0), m, store);
  });
  for (std::string const& file : files) {
    Measurement m;
    m.series = "products";
    std::string const name = std::filesystem::path(file).filename().string();
    m.problem = name.substr(0, name.find('.'));
    measureProducts(settings, matrixOf(readers::read(file).lp), m, store);
  }
}

}  // namespace osi_cuda::response
