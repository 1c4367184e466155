// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "examples/response/mesh.hpp"

namespace osi_cuda::response {

/// --msh FILE, or --cells, --holes, --jitter, --contrast and --seed of a generated plate. Must
/// outlive the parsing.
struct MeshArguments {
  std::string file;
  PlateSettings plate;

  void addTo(CLI::App& app);
  Mesh make() const;
  std::string describe() const;
};

}  // namespace osi_cuda::response
