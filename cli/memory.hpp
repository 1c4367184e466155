// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::cli {

/// Bytes that this process can still use: what the system has free or can free, and what a limit
/// of the address space (ulimit -v) leaves; nothing if the system does not say.
std::optional<std::uint64_t> availableMemory();

/// "1.2 GB are available", or "the system does not say how much is available".
std::string memoryLeft();

/// "512 B", "3.4 MB", "1.2 GB": powers of 1000.
std::string byteCount(std::uint64_t bytes);

/// Bytes of the dense tableau of `lp`, the largest thing that a solve holds: rows x columns
/// doubles.
std::uint64_t tableauBytes(LinearProgram const& lp);

}  // namespace osi_cuda::cli
