// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/response/commands.hpp"
#include "examples/response/drawing.hpp"
#include "examples/response/mesh_arguments.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;

struct Arguments {
  MeshArguments mesh;
  std::string out, svg;
  bool json = false;
};

ExitStatus run(Arguments const& arguments) {
  examples::checkDistinct({{"--msh", arguments.mesh.file}},
                          {{"--out", arguments.out}, {"--svg", arguments.svg}});
  Mesh const mesh = arguments.mesh.make();
  if (!arguments.out.empty()) examples::writeTextFile(arguments.out, mshText(mesh));
  if (!arguments.svg.empty()) examples::writeTextFile(arguments.svg, drawMesh(mesh));
  double area = 0.0, smallest = 1e300;
  for (auto const& triangle : mesh.triangles) {
    double const one = 0.5 * doubleArea(mesh, triangle);
    area += one;
    smallest = std::min(smallest, one);
  }
  std::size_t const sides = boundarySides(mesh).size();
  if (arguments.json) {
    nlohmann::ordered_json const json{{"status", "read"},
                                      {"mesh", arguments.mesh.describe()},
                                      {"points", mesh.points.size()},
                                      {"triangles", mesh.triangles.size()},
                                      {"boundary_sides", sides},
                                      {"area", area},
                                      {"smallest_area", smallest},
                                      {"version", OSI_CUDA_VERSION}};
    std::cout << examples::toText(json) << '\n';
    return ExitStatus::optimal;
  }
  std::cout << fmt::format(
      "mesh       {}\npoints     {}\ntriangles  {}, the smallest {:.3g}\nboundary   {} sides\narea "
      "      {:.6g}\n",
      arguments.mesh.describe(), mesh.points.size(), mesh.triangles.size(), smallest, sides, area);
  for (std::string const& path : {arguments.out, arguments.svg})
    if (!path.empty()) std::cout << "wrote      " << path << '\n';
  return ExitStatus::optimal;
}

}  // namespace

void MeshArguments::addTo(CLI::App& app) {
  auto const add = [&](char const* name, auto& value, char const* help) {
    return app.add_option(name, value, help)->group("Mesh");
  };
  add("--msh", file, "triangles of a Gmsh file (MSH 2.2 or 4.1, text)")->type_name("FILE");
  add("--cells", plate.cells, "generated plate: cells along a side [32]")
      ->check(CLI::Range(4, 4000));
  add("--holes", plate.holes, "round holes in it [3]")->check(CLI::Range(0, 5));
  add("--jitter", plate.jitter, "how far points are moved, in cells [0.2]")
      ->check(CLI::Range(0.0, 0.29));
  add("--contrast", plate.contrast, "largest over smallest conductivity [4]")
      ->check(CLI::Range(1.0, 1e6));
  add("--seed", plate.seed, "of jitter and numbering [1]");
}

Mesh MeshArguments::make() const {
  return file.empty() ? generatePlate(plate) : readMsh(file);
}

std::string MeshArguments::describe() const {
  return file.empty() ? fmt::format("plate of {0} x {0} cells, {1} holes, seed {2}", plate.cells,
                                    plate.holes, plate.seed)
                      : file;
}

examples::Command meshCommand() {
  return {"mesh", "make a mesh or read one: what it has, a picture, a Gmsh file",
          [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            a->mesh.addTo(app);
            app.add_option("--out", a->out, "write the mesh, MSH 2.2")->type_name("FILE");
            app.add_option("--svg", a->svg, "draw the mesh")->type_name("FILE");
            app.add_flag("--json", a->json, "print one JSON object on standard output");
            return examples::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::response
