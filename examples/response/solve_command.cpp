// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <memory>

#include "examples/response/commands.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/drawing.hpp"
#include "examples/response/mesh_arguments.hpp"
#include "examples/response/placement_command.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;

struct Arguments {
  MeshArguments mesh;
  PlacementArguments placement;
  FieldSettings field;
  int degree = 2;
  std::string device = "host";
};

/// The field of these strengths, by the element that a point lies in.
std::function<std::optional<double>(Point)> fieldOf(Space const& space, Locator const& locator,
                                                    FieldProblem const& problem,
                                                    std::vector<Functional> const& loads,
                                                    std::vector<double> const& strength) {
  Functional sum;
  std::vector<double> load(space.dofs, 0.0);
  for (std::size_t j = 0; j < loads.size(); ++j)
    for (auto const& [dof, weight] : loads[j]) load[dof] += strength[j] * weight;
  for (int k = 0; k < space.dofs; ++k)
    if (load[k] != 0.0) sum.emplace_back(k, load[k]);
  auto const field = std::make_shared<Eigen::MatrixXd>(problem.fields({sum}));
  return [&space, &locator, field](Point p) -> std::optional<double> {
    auto const place = locator.find(p);
    if (!place) return std::nullopt;
    double value = 0.0;
    for (auto const& [dof, weight] : valueAt(space, *place)) value += weight * (*field)(dof, 0);
    return value;
  };
}

ExitStatus run(Arguments arguments) {
  arguments.field.onDevice = usesDevice(arguments.device);
  PlacementArguments const& asked = arguments.placement;
  asked.limits();  // what is wrong with them shows before anything is computed
  asked.checkFiles(arguments.mesh.file);
  Stopwatch const meshing;
  Mesh const mesh = arguments.mesh.make();
  Locator const locator(mesh);
  double const meshSeconds = meshing.seconds();
  Stopwatch const assembling;
  Space const space = makeSpace(mesh, arguments.degree);
  FieldProblem const problem(space, arguments.field);
  double const assembleSeconds = assembling.seconds();
  Stopwatch const solving;
  std::vector<Functional> loads;
  Plant const plant = makePlant(space, locator, problem, asked.plant, asked.progress(), loads);
  double const fieldSeconds = solving.seconds();

  Stages stages;
  stages.seconds = {{"mesh", meshSeconds}, {"assemble", assembleSeconds}, {"fields", fieldSeconds}};
  stages.json = {{"mesh", arguments.mesh.describe()},
                 {"triangles", mesh.triangles.size()},
                 {"degree", arguments.degree},
                 {"degrees_of_freedom", space.dofs},
                 {"nonzeros", problem.matrix().nonZeros()}};
  stages.lines = {
      {"mesh", fmt::format("{}: {} triangles, {:.3g} s", arguments.mesh.describe(),
                           mesh.triangles.size(), meshSeconds)},
      {"elements",
       fmt::format("degree {}: {} degrees of freedom, {} nonzeros, {:.3g} s", arguments.degree,
                   space.dofs, problem.matrix().nonZeros(), assembleSeconds)},
      {"fields", fmt::format("{} sources at {} observations, {:.3g} s by {}", plant.sources.size(),
                             plant.observations.size(), fieldSeconds,
                             arguments.field.onDevice
                                 ? "conjugate gradients on " + deviceModule().deviceName()
                                 : "Cholesky factors")}};
  return placeAndReport(
      asked, plant, stages,
      {locator.low(), locator.high(), outlineOf(mesh), [&](std::vector<double> const& strength) {
         return fieldOf(space, locator, problem, loads, strength);
       }});
}

}  // namespace

examples::Command solveCommand() {
  return {"solve", "from a mesh to the best strengths of its sources", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            a->mesh.addTo(app);
            char const* const group = "Field";
            app.add_option("--degree", a->degree, "of the Lagrange elements, 1 to 4 [2]")
                ->check(CLI::Range(1, highestDegree))
                ->group(group);
            app.add_option("--seconds", a->field.seconds,
                           "the field so long after the sources came on; 0: the steady one [0]")
                ->check(CLI::NonNegativeNumber)
                ->group(group);
            app.add_option("--steps", a->field.steps, "steps in time until then [20]")
                ->check(CLI::Range(1, 1'000'000))
                ->group(group);
            app.add_option("--device", a->device, "of the fields: host, cuda or auto [host]")
                ->check(CLI::IsMember({"auto", "host", "cuda"}))
                ->group(group);
            a->placement.addTo(app);
            return examples::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::response
