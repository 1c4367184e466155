// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>

#include "osi_cuda/model/exact_certificate.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/tree_certificate.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

enum class ProofFormat {
  json,  ///< .json: an object with one list for each vector; docs/reference/formats.md
  vipr   ///< .vipr: the problem and a derivation that other programs check
};

/// By the ending of a file's name; nothing for other endings.
std::optional<ProofFormat> proofFormatForName(std::string const& path);

/// Writes a certificate of `lp` that is proved. `path` may be `-`.
///
/// VIPR (Cheung, Gleixner and Steffy 2017, "Verifying integer programming results"), version 1.0:
/// the linear relaxation, every finite bound a constraint, numbers as fractions; the offset of the
/// objective is a column fixed at 1. An optimum is the range RTP from itself to itself: the point
/// is a solution, one linear combination of constraints bounds the objective. Infeasibility is one
/// that gives 0 >= 1 or something that implies it.
///
/// Throws WriteError when the file can't be written, and for what VIPR has no statement for:
/// unbounded problems, a lower bound of +infinity.
void writeProof(std::string const& path, LinearProgram const& lp, ExactCertificate const& proof,
                ProofFormat format);
std::string writeProofText(LinearProgram const& lp, ExactCertificate const& proof,
                           ProofFormat format);
/// The same for a search for integers, as VIPR: branches are assumptions that `uns` takes away. The
/// range RTP goes from the bound to the objective of the point; without a point it has one end.
std::string writeTreeProofText(LinearProgram const& lp, TreeCertificate const& proof);

}  // namespace osi_cuda::readers
