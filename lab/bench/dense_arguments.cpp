// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/dense_arguments.hpp"

#include <fmt/format.h>

#include "shell/failure.hpp"

namespace osi_cuda::bench {

void DenseArguments::addTo(CLI::App& app) {
  app.add_option("--family", familyName, "origin, signed, uniform or free [" + familyName + "]")
      ->check(CLI::IsMember(familyNames()));
  app.add_option("--size", sizeTexts,
                 fmt::format("ROWSxCOLUMNS, any number of times [{}]", fmt::join(sizeTexts, ", ")))
      ->allow_extra_args(false);
}

std::vector<DenseSize> DenseArguments::sizes(std::string const& option) const {
  std::vector<DenseSize> sizes;
  for (std::string const& text : sizeTexts) {
    DenseSize& size = sizes.emplace_back();
    char rest = '\0';
    if (std::sscanf(text.c_str(), "%dx%d%c", &size.rows, &size.columns, &rest) != 2 ||
        size.rows < 1 || size.columns < 1)
      throw shell::Failure(shell::ExitStatus::usage,
                           option + ": expected a size as 1000x500, found '" + text + "'");
  }
  return sizes;
}

}  // namespace osi_cuda::bench
