// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/line_source.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// Finds out by the beginning of the content what a file is: mps, cplexLp, lpSolveLp or nl. A file
/// that is none of them is called mps, whose reader says what it misses.
Format detectFormat(LineSource& source);

}  // namespace osi_cuda::readers
