// SPDX-License-Identifier: EPL-2.0
// Repeated products: several in a pass over tiles, and two executors that share the rows.
#include <fmt/format.h>

#include <limits>

#include "examples/response/device_module.hpp"
#include "examples/response/measuring.hpp"
#include "examples/response/sharing.hpp"

namespace osi_cuda::response {
namespace {

/// Rows in the order of small boxes, as any of the forms below would have them.
Relaxation sorted(Space const& space, Parts& boxes) {
  constexpr int rowsOfBox = 256;
  boxes = partsOf(space.place, std::max(1, space.dofs / rowsOfBox));
  return permuted(relaxationOf(space), boxes.member);
}

std::vector<Point> placesIn(Space const& space, Parts const& boxes) {
  std::vector<Point> places;
  for (int const dof : boxes.member) places.push_back(space.place[dof]);
  return places;
}

void relaxationBytes(Relaxation const& a, Measurement& m) {
  m.bytes = 12.0 * a.matrix.nonzeros() + 36.0 * a.rows();  // of a step
}

}  // namespace

void tilingExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "tiling", [&](Space const& space, Measurement m) {
    Relaxation const unsorted = relaxationOf(space);
    Parts boxes;
    Relaxation const a = sorted(space, boxes);
    relaxationBytes(a, m);
    m.executor = "host";
    int const steps = *std::max_element(settings.depths.begin(), settings.depths.end());
    std::vector<double> const start = randomNumbers(std::size_t(a.rows()));
    std::vector<double> reference = start;
    relaxPlainly(a, reference, steps, settings.threads);
    auto const give = [&](std::string const& form, std::vector<double> const* right,
                          auto const& work) {
      std::vector<double> x;
      m.form = form;
      m.seconds = medianOf(settings.repeats,
                           [&] {
                             x = start;
                             work(x);
                           }) /
                  steps;
      m.error = right ? difference(x, *right) : 0.0;
      m.ok = m.error < rounding;
      store(m);
    };
    for (int const threads : threadCounts(settings)) {
      std::string const cores = threads == 1 ? "one core" : fmt::format("{} cores", threads);
      m.note = "";
      give(cores + ", rows as numbered", nullptr,
           [&](auto& x) { relaxPlainly(unsorted, x, steps, threads); });
      give(cores + ", rows by boxes", &reference,
           [&](auto& x) { relaxPlainly(a, x, steps, threads); });
      for (int const depth : settings.depths) {
        constexpr double tileBytes = 1 << 20;  // half of a second-level cache of 2 MB
        TiledRelaxation const tiled(a, depth, tileBytes);
        m.note =
            fmt::format("{} tiles, {:.2f} times the entries", tiled.tiles(), tiled.redundancy());
        give(fmt::format("{}, tiles, {} steps a pass", cores, depth), &reference,
             [&](auto& x) { tiled.run(x, steps, threads); });
      }
    }
  });
}

void sharingExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "sharing", [&](Space const& space, Measurement m) {
    Parts boxes;
    Relaxation const a = sorted(space, boxes);
    std::vector<Point> const places = placesIn(space, boxes);
    relaxationBytes(a, m);
    constexpr int depth = 2, passes = 10;
    std::vector<double> const start = randomNumbers(std::size_t(a.rows()));
    std::vector<double> reference = start;
    relaxPlainly(a, reference, depth * passes, settings.threads);
    // The device and all cores but one, which waits for it; or the cores in two halves.
    int const cores = settings.onDevice ? settings.threads - 1 : settings.threads / 2;
    auto const first = hostPart(std::max(1, cores));
    auto const second = settings.onDevice ? deviceModule().makePart()
                                          : hostPart(std::max(1, settings.threads - cores));
    m.executor = first->name() + " + " + second->name();
    SharingModel const model =
        SharedRelaxation(a, twoPartsOf(places, 0.5), depth, start, *first, *second)
            .measure(4 * settings.repeats);
    auto const give = [&](double share) {
      Parts const two = twoPartsOf(places, share);
      SharedRelaxation shared(a, two, depth, start, *first, *second);
      shared.run(passes);
      m.error = difference(shared.values(), reference);
      m.ok = m.error < rounding;
      m.form = "measured";
      m.seconds = medianOf(settings.repeats, [&] { shared.run(passes); }) / passes;
      m.note = fmt::format("{:.0f} values", shared.exchanged());
      store(m);
      m.form = "predicted";
      m.seconds = model.seconds(shared.entries(0), shared.entries(1), shared.exchanged());
      m.error = 0.0;
      m.note = fmt::format("{:.3g} and {:.3g} entries a second, {:.3g} us + {:.3g} ns a value",
                           model.rate[0], model.rate[1], 1e6 * model.latency, 1e9 * model.perValue);
      store(m);
    };
    std::string const mesh = fmt::format("degree {}, {} dofs", space.degree, space.dofs);
    auto const named = [&](std::string const& name, double share) {
      m.problem = mesh + ", " + name;
      m.size = space.degree + share;
      give(share);
    };
    for (int tenths = 1; tenths <= 9; ++tenths)
      named(fmt::format("share 0.{}", tenths), 0.1 * tenths);
    named(fmt::format("the model's share {:.3f}", model.balance()), model.balance());
  });
}

}  // namespace osi_cuda::response
