// SPDX-License-Identifier: EPL-2.0
// Finite elements: integration, storage, executors.
#include <fmt/format.h>

#include "examples/response/device_module.hpp"
#include "examples/response/executors.hpp"
#include "examples/response/experiments.hpp"
#include "examples/response/fem_problem.hpp"

namespace osi_cuda::response {
namespace {

/// The host's forms, and the device's where it is used: visit(fem, executor).
void overPlaces(ExperimentSettings const& settings, FemProblem const& problem,
                std::function<void(Fem&, std::string const&, std::string const&)> const& visit) {
  visit(*makeHostFem(problem), "host", fmt::format("host, {} cores: ", settings.threads));
  if (settings.onDevice) visit(*deviceModule().makeFem(problem), deviceModule().deviceName(), "");
}

}  // namespace

void integrationExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "integration", [&](Space const& space, Measurement m) {
    FemProblem const problem = femProblemOf(space);
    m.bytes = 8.0 * problem.width * problem.width * problem.count;
    std::vector<double> const reference =
        makeHostFem(problem)->integrate(Integration::local, 1).values;
    overPlaces(settings, problem, [&](Fem& fem, auto const& executor, auto const& prefix) {
      m.executor = executor;
      for (std::size_t k = 0; k < integrationNames.size(); ++k) {
        Timed const timed = fem.integrate(Integration(k), settings.repeats);
        storeForm(m, store, prefix + integrationNames[k], timed.seconds, timed.values, reference);
      }
    });
  });
}

void storageExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "storage", [&](Space const& space, Measurement m) {
    FemProblem const problem = femProblemOf(space);
    std::vector<double> const x = freeNumbers(space);
    std::vector<double> y(x.size()), solution;
    problem.matrix.multiply(x.data(), y.data());
    std::vector<double> b(std::size_t(space.dofs), 0.0);
    for (int k = 0; k < space.dofs; ++k) b[k] = space.isFixed[k] ? 0.0 : 1.0 / space.dofs;
    constexpr int width = 32;
    std::vector<double> const manyB = [&] {
      std::vector<double> all(b.size() * width);
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = b[k / width] * (1.0 + k % width);
      return all;
    }();
    auto const visit = [&](Fem& fem, std::string const& executor, std::string const& prefix) {
      m.executor = executor;
      auto const give = [&](std::string const& form, Timed const& timed,
                            std::vector<double> const& right, double enough = rounding) {
        m.iterations = timed.iterations;
        storeForm(m, store, prefix + form, timed.seconds, timed.values, right, enough);
      };
      bool const onHost = executor == "host";
      for (bool const byColours : {false, true}) {
        if (byColours && onHost) continue;
        std::string const how = byColours ? ", colours" : ", atomics";
        give("assembly, CSR" + how, fem.assemble(Storage::csr, byColours, settings.repeats),
             problem.matrix.value);
        give("assembly, ELLPACK" + how, fem.assemble(Storage::ell, byColours, settings.repeats),
             problem.ell.value);
      }
      give("assembly, LMA", fem.integrate(Integration::tensor, settings.repeats),
           makeHostFem(problem)->integrate(Integration::tensor, 1).values);
      for (std::size_t k = 0; k < storageNames.size(); ++k) {
        auto const storage = Storage(k);
        if (onHost && storage == Storage::lmaAtomics) continue;
        give("product, " + storageNames[k], fem.multiply(storage, x, 1, settings.repeats), y);
        constexpr double tolerance = 1e-10, agreement = 1e-6;  // times the matrix's condition
        for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
          bool const isJacobi = preconditioner == Preconditioner::jacobi;
          if (!isJacobi && storage != Storage::csr && storage != Storage::ell) continue;
          if (onHost && (settings.onDevice || storage != Storage::csr)) continue;  // minutes
          Timed const solved = fem.solve(storage, preconditioner, {b, 1, tolerance});
          if (solution.empty()) solution = solved.values;
          give((isJacobi ? "CG Jacobi, " : "CG SSOR, ") + storageNames[k], solved, solution,
               agreement);
        }
        if (onHost || storage == Storage::lmaColours) continue;
        // 32 right-hand sides, multiples of the one: seconds of all of them.
        std::vector<double> all(manyB.size());
        for (std::size_t i = 0; i < all.size(); ++i)
          all[i] = solution[i / width] * (1.0 + i % width);
        give("CG Jacobi, 32 at once, " + storageNames[k],
             fem.solve(storage, Preconditioner::jacobi, {manyB, width, tolerance}), all, agreement);
      }
    };
    overPlaces(settings, problem, visit);
  });
}

void executorExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "executors", [&](Space const& space, Measurement m) {
    FemProblem const problem = femProblemOf(space);
    std::vector<double> const x = freeNumbers(space);
    std::vector<double> y(x.size());
    problem.matrix.multiply(x.data(), y.data());
    m.note = fmt::format("{} lanes, {} threads", vectorLanes(), settings.threads);
    for (std::size_t k = 0; k < executorNames.size(); ++k) {
      Timed const timed = execute(problem, Executor(k), x, settings.threads, settings.repeats);
      storeForm(m, store, executorNames[k], timed.seconds, timed.values, y);
    }
    if (!settings.onDevice) return;
    m.executor = deviceModule().deviceName();
    m.note = "";
    Timed const timed =
        deviceModule().makeFem(problem)->multiply(Storage::matrixFree, x, 1, settings.repeats);
    storeForm(m, store, "GPU", timed.seconds, timed.values, y);
  });
}

}  // namespace osi_cuda::response
