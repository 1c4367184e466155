// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "lab/bench/dense_model.hpp"

namespace osi_cuda::bench {

struct DenseSize {
  int rows = 0, columns = 0;
};

/// Which dense problems a program is to solve.
struct DenseArguments {
  std::string familyName = "origin";
  std::vector<std::string> sizeTexts{"1000x500", "2000x1000"};

  void addTo(CLI::App& app);
  DenseFamily family() const { return *familyOf(familyName); }
  /// Throws Failure(usage), which names the option that the texts are of.
  std::vector<DenseSize> sizes(std::string const& option = "--size") const;
};

}  // namespace osi_cuda::bench
