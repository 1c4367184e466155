// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "examples/response/commands.hpp"
#include "examples/response/heat_run.hpp"
#include "examples/response/mesh_arguments.hpp"
#include "examples/response/plant.hpp"
#include "examples/response/saved_state.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "readers/output.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;

struct Arguments {
  MeshArguments mesh;
  HeatSettings heat;
  int degree = 2, sources = 6;
  double radius = 0.08, every = 60.0;
  std::int64_t steps = 1000;
  std::string state, out;
  bool json = false, quiet = false;
};

volatile std::sig_atomic_t interrupts = 0;

/// The first signal ends the run at its next point of least state, the second one at once.
extern "C" void onInterrupt(int signal) {
  interrupts = 1;
  std::signal(signal, SIG_DFL);
}

struct RunSummary {
  std::int64_t firstStep = 0;  ///< that this process did
  int saves = 0;
  bool resumed = false, finished = false;
  double seconds = 0.0, saveSeconds = 0.0;
};

RunSummary advance(Arguments const& a, HeatRun& run, ProblemIdentity const& problem) {
  Loop const& loop = run.loop();
  RunSummary outcome;
  int stage = 0;
  if (!a.state.empty() && std::filesystem::exists(a.state)) {
    stage = loadState(a.state, loop, problem);
    outcome.resumed = true;
    if (!a.quiet)
      std::cerr << fmt::format("goes on after step {} of {}\n", run.stepsDone(), a.steps);
  }
  outcome.firstStep = run.stepsDone() + 1;
  int const point = loop.leastPoint();
  Stopwatch const watch;
  // The first state is saved at once: what stands in the way shows before anything is computed.
  double nextSave = outcome.resumed ? a.every : 0.0;
  int const stoppedAt = loop.run(stage, [&](int next) {
    if (next != point) return true;
    bool const isLast = run.stepsDone() >= a.steps || interrupts != 0;
    if (!a.state.empty() && (isLast || watch.seconds() >= nextSave)) {
      Stopwatch const saving;
      saveState(a.state, loop, next, problem);
      outcome.saveSeconds += saving.seconds();
      ++outcome.saves;
      nextSave = watch.seconds() + a.every;
      if (!a.quiet) std::cerr << fmt::format("step {} of {}: saved\n", run.stepsDone(), a.steps);
    }
    return interrupts == 0;
  });
  outcome.finished = stoppedAt == Loop::end;
  outcome.seconds = watch.seconds();
  return outcome;
}

std::string fieldText(Space const& space, HeatRun const& run) {
  using readers::shortest;
  std::string text = "x,y,field,peak\n";
  for (int k = 0; k < space.dofs; ++k)
    text += shortest(space.place[k].x) + ',' + shortest(space.place[k].y) + ',' +
            shortest(run.field()[k]) + ',' + shortest(run.peak()[k]) + '\n';
  return text;
}

std::string namesOf(Loop const& loop, std::vector<int> const& datasets) {
  std::string names;
  for (int const k : datasets) names += (names.empty() ? "" : ", ") + loop.datasets()[k].name;
  return names;
}

void report(Arguments const& a, Space const& space, HeatRun const& run, RunSummary const& outcome) {
  Loop const& loop = run.loop();
  Checksum bits;
  bits.add(run.field());
  bits.add(run.peak());
  double const peak = *std::max_element(run.peak().begin(), run.peak().end());
  int const point = loop.leastPoint();
  if (a.json) {
    nlohmann::ordered_json json{{"status", outcome.finished ? "finished" : "stopped"},
                                {"mesh", a.mesh.describe()},
                                {"degrees_of_freedom", space.dofs},
                                {"resumed", outcome.resumed},
                                {"first_step", outcome.firstStep},
                                {"last_step", run.stepsDone()},
                                {"steps_computed", run.stepsDone() - outcome.firstStep + 1},
                                {"iterations", run.iterations()},
                                {"saves", outcome.saves},
                                {"save_seconds", outcome.saveSeconds},
                                {"seconds", outcome.seconds},
                                {"peak", peak},
                                {"bits", fmt::format("{:016x}", bits.value())},
                                {"saved_before", loop.stages()[point].name}};
    for (int s = 0; s < int(loop.stages().size()); ++s)
      json["points"].push_back({{"before", loop.stages()[s].name},
                                {"bytes", loop.bytesBefore(s)},
                                {"live", namesOf(loop, loop.liveBefore(s))}});
    json["version"] = OSI_CUDA_VERSION;
    std::cout << examples::toText(json) << '\n';
    return;
  }
  std::cout << fmt::format("mesh         {}, degree {}, {} degrees of freedom\n", a.mesh.describe(),
                           a.degree, space.dofs)
            << "points       bytes that a state has there\n";
  for (int s = 0; s < int(loop.stages().size()); ++s)
    std::cout << fmt::format("             {:>12}  before '{}': {}{}\n", loop.bytesBefore(s),
                             loop.stages()[s].name, namesOf(loop, loop.liveBefore(s)),
                             s == point ? "  <- saved here" : "");
  std::cout << fmt::format("steps        {} to {} of {}, {:.3g} s\n", outcome.firstStep,
                           run.stepsDone(), a.steps, outcome.seconds)
            << fmt::format("saved        {} times, {:.3g} s in all\n", outcome.saves,
                           outcome.saveSeconds)
            << fmt::format("iterations   {} since step 1\n", run.iterations())
            << fmt::format("peak         {:.6g}\nbits         {:016x}\nstatus       {}\n", peak,
                           bits.value(), outcome.finished ? "finished" : "stopped");
}

ExitStatus run(Arguments const& a) {
  Mesh const mesh = a.mesh.make();
  Locator const locator(mesh);
  Space const space = makeSpace(mesh, a.degree);
  std::vector<Functional> loads;
  for (Point const p : spreadPoints(locator, a.sources, 0, a.radius))
    loads.push_back(bumpAt(space, locator, p, a.radius));
  HeatRun heat(space, loads, a.heat);
  heat.setLastStep(a.steps);
  ProblemIdentity const problem{
      heat.identity(), fmt::format("{}, degree {}, {} sources of radius {}, steps of {}",
                                   a.mesh.describe(), a.degree, a.sources, a.radius, a.heat.step)};
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  RunSummary const outcome = advance(a, heat, problem);
  if (!a.out.empty()) examples::writeTextFile(a.out, fieldText(space, heat));
  report(a, space, heat, outcome);
  return outcome.finished ? ExitStatus::optimal : ExitStatus::stopped;
}

}  // namespace

examples::Command runCommand() {
  return {
      "run", "the heat equation for many steps, with a saved state to go on from",
      [](CLI::App& app) {
        auto const a = std::make_shared<Arguments>();
        a->mesh.addTo(app);
        char const* const group = "Heat";
        auto const positive = CLI::Range(1e-12, 1e12);
        app.add_option("--degree", a->degree, "of the elements [2]")
            ->check(CLI::Range(1, 4))
            ->group(group);
        app.add_option("--sources", a->sources, "whose strengths swing [6]")
            ->check(CLI::Range(1, 100'000))
            ->group(group);
        app.add_option("--radius", a->radius, "of a source [0.08]")
            ->check(CLI::Range(1e-6, 1.0))
            ->group(group);
        app.add_option("--step", a->heat.step, "in time [0.001]")->check(positive)->group(group);
        app.add_option("--period", a->heat.period, "of the strengths [0.05]")
            ->check(positive)
            ->group(group);
        app.add_option("--steps", a->steps, "in all [1000]")
            ->check(CLI::Range(std::int64_t(1), std::int64_t(1'000'000'000'000)))
            ->group(group);
        char const* const saving = "Saved state";
        app.add_option("--state", a->state,
                       "goes on from this file if it is there, and saves into it")
            ->type_name("FILE")
            ->group(saving);
        app.add_option("--every", a->every, "seconds between two saves; 0: each step [60]")
            ->check(CLI::Range(0.0, 1e9))
            ->group(saving);
        app.add_option("--out", a->out, "write the field and its peaks, CSV")->type_name("FILE");
        app.add_flag("--json", a->json, "print one JSON object on standard output");
        app.add_flag("--quiet", a->quiet, "no line per save");
        return examples::Run([a] { return run(*a); });
      }};
}

}  // namespace osi_cuda::response
