// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <string>

#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/rational/linear_system.hpp"
#include "osi_cuda/rational/watch.hpp"

// What the messages of results are put together from.

namespace osi_cuda::rational {

/// "1 row fails", "2 rows fail".
std::string counted(std::size_t count, std::string const& one, std::string const& several);

std::string singularSentence(LinearProgram const& lp, LinearSystem const& system);
std::string stoppedSentence();
std::string tooLargeSentence(TooLarge const& need);

}  // namespace osi_cuda::rational
