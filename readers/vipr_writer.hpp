// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/exact_certificate.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "readers/output.hpp"

namespace osi_cuda::readers {

/// See writeProof(). Throws WriteError for what the format has no statement for.
void writeVipr(Output& out, LinearProgram const& lp, ExactCertificate const& proof);

}  // namespace osi_cuda::readers
