// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace osi_cuda::testing {

/// A test problem whose answer is known.
struct Instance {
  std::string name;
  std::string file;
  int rows = 0;  ///< of the ROWS section, free rows included
  int columns = 0;
  std::optional<double> optimum;  ///< nothing: infeasible

  double cells() const { return static_cast<double>(rows) * columns; }
};

/// The Netlib problems of the folder that OSI_CUDA_DATA names (subfolders netlib and
/// netlib-infeasible, each with a reference.csv), or the few that Debian's coinor-libcoinutils
/// brings along, with their published optima. A name that both subfolders have ends with
/// "-infeasible" where it means the second one's.
std::vector<Instance> netlibInstances();

/// The Kennington problems of OSI_CUDA_DATA; empty without it.
std::vector<Instance> kenningtonInstances();

}  // namespace osi_cuda::testing
