// SPDX-License-Identifier: EPL-2.0
// Predicts what a solve would take on the cards that the library has records of, by its own
// formulas: bench_cards. The counters are those of a solve that was measured; they do not depend on
// the card. Prints CSV, a line a card: its rate of dense products, the parts, and their operations,
// all in double precision.
#include <fmt/format.h>

#include <memory>

#include "lab/bench/card_times.hpp"
#include "lab/bench/dense_arguments.hpp"
#include "shell/command.hpp"

using namespace osi_cuda;

namespace {

struct Arguments {
  bench::DenseArguments problems;
  bench::SolveCounts counts;
};

shell::ExitStatus print(Arguments const& arguments) {
  bench::SolveCounts counts = arguments.counts;
  auto const sizes = arguments.problems.sizes();
  counts.rows = sizes.front().rows;
  counts.columns = sizes.front().columns;
  bool first = true;
  for (std::string_view const card : builtInDevices()) {
    Machine machine = referenceMachine();
    machine.device = builtInDevice(card).value();
    auto const parts = bench::cardParts(machine, counts);
    if (first) {
      fmt::print("card,TFlop/s");
      for (auto const& part : parts) fmt::print(",\"{}, ms\"", part.name);
      fmt::print(",\"predicted, s\",\"with products of bytes, s\",operations 1e9\n");
    }
    first = false;
    double all = 0.0, sliced = 0.0, operations = 0.0;
    fmt::print("{},{:.3g}", card, 1e-12 * machine.device.matrix);
    for (auto const& part : parts) {
      fmt::print(",{:.1f}", 1e3 * part.seconds);
      all += part.seconds;
      sliced += part.sliced;
      operations += part.operations;
    }
    fmt::print(",{:.3f},{:.3f},{:.0f}\n", all, sliced, 1e-9 * operations);
  }
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const a = std::make_shared<Arguments>();
  a->problems.addTo(app);
  app.add_option("--iterations", a->counts.iterations, "of the interior point method")->required();
  app.add_option("--solves", a->counts.solves, "of an iteration [4]");
  app.add_option("--pivots", a->counts.pivots, "of the crossover")->required();
  return [a] { return print(*a); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool({"bench_cards", "Predicts a solve's seconds on other cards.", setUp}, count,
                        words);
}
