// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "osi_cuda/model/options.hpp"

namespace osi_cuda::shell {

/// Adds an argument --NAME for each solver option to `app`. `texts`, which must outlive the
/// parsing, gets one text per record of the table; options that were not given keep a mark.
void addSolverOptions(CLI::App& app, std::vector<std::string>& texts);

/// `options` with what the texts say. Throws Failure for a value that is not understood.
Options solverOptions(std::vector<std::string> const& texts, Options options = {});

}  // namespace osi_cuda::shell
