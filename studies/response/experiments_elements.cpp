// SPDX-License-Identifier: EPL-2.0
// Finite elements: integration, storage, executors.
#include <fmt/format.h>

#include "osi_cuda/errors.hpp"
#include "studies/response/device_module.hpp"
#include "studies/response/fem_forms.hpp"
#include "studies/response/measuring.hpp"

namespace osi_cuda::response {

void integrationExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "integration", [&](Space const& space, Measurement m) {
    m.bytes = 8.0 * space.width * space.width * space.triangles();
    std::vector<double> const reference = elementMatrices(space, Integration::local);
    auto const fem = settings.onDevice ? kernels->makeFem(space) : nullptr;
    for (std::size_t k = 0; k < integrationNames.size(); ++k) {
      auto const form = Integration(k);
      m.executor = "host";
      std::vector<double> values;
      double const seconds = studies::medianSeconds(std::min(settings.repeats, 3),
                                                    [&] { values = elementMatrices(space, form); });
      storeForm(m, store, "host, all cores: " + integrationNames[k], seconds, values, reference);
      if (!fem) continue;
      TimedValues const timed = fem->integrate(form, settings.repeats);
      m.executor = deviceName(settings);
      storeForm(m, store, integrationNames[k], timed.seconds, timed.values, reference);
    }
  });
}

void storageExperiments(ExperimentSettings const& settings, Store const& store) {
  if (!settings.onDevice) throw EngineUnavailable("this series needs a device");
  overDegrees(settings, "storage", [&](Space const& space, Measurement m) {
    auto const fem = kernels->makeFem(space);
    Csr const matrix = fieldMatrix(space, 0.0);
    std::vector<double> const x = freeNumbers(space), y = hostProduct(space, matrix, x);
    m.executor = deviceName(settings);
    auto const give = [&](std::string const& form, TimedValues const& timed,
                          std::vector<double> const& right, double enough) {
      m.iterations = timed.iterations;
      storeForm(m, store, form, timed.seconds, timed.values, right, enough);
    };
    std::vector<double> csr = matrix.value;
    for (int i = 0; i < matrix.rows; ++i)
      if (space.isFixed[i]) csr[matrix.find(i, i)] = 0.0;
    Csr bare = matrix;
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
    for (std::size_t k = 0; k < storageNames.size(); ++k) {
      auto const storage = Storage(k);
      give("product, " + storageNames[k], fem->multiply(storage, x, settings.repeats), y, rounding);
      for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
        bool const isJacobi = preconditioner == Preconditioner::jacobi;
        if (!isJacobi && storage != Storage::csr && storage != Storage::ell) continue;
        constexpr double tolerance = 1e-10, agreement = 1e-6;  // times the matrix's condition
        constexpr int most = 20'000;
        TimedValues const solved = fem->solve(storage, preconditioner, b, tolerance, most);
        if (solution.empty()) solution = solved.values;
        give((isJacobi ? "CG Jacobi, " : "CG SSOR, ") + storageNames[k], solved, solution,
             agreement);
      }
    }
  });
}

void executorExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "executors", [&](Space const& space, Measurement m) {
    std::vector<double> const x = freeNumbers(space);
    std::vector<double> const reference = hostProduct(space, fieldMatrix(space, 0.0), x);
    auto const give = [&](std::string const& form, TimedValues const& timed) {
      storeForm(m, store, form, timed.seconds, timed.values, reference);
    };
    m.executor = "host";
    m.note = fmt::format("{} lanes, {} threads", vectorLanes(), settings.threads);
    for (std::size_t k = 0; k < executorNames.size(); ++k)
      give(executorNames[k],
           executeOnHost(space, Executor(k), x, settings.threads, settings.repeats));
    if (!settings.onDevice) return;
    m.executor = deviceName(settings);
    m.note = "";
    give("GPU", kernels->makeFem(space)->multiply(Storage::matrixFree, x, settings.repeats));
  });
}

}  // namespace osi_cuda::response
