// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>

#include "readers/random_access.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// How a zip archive, and so a file of numpy.savez, begins.
inline constexpr std::string_view zipStart = "PK\x03\x04";

/// Reads a linear program from the arrays of a NumPy archive; docs/reference/formats.md says which.
/// The large ones are read by `threads` threads. Throws ReadError, which names the array, and
/// ReadInterrupted where `interrupted`, asked by the calling thread, says so.
ReadResult readNpz(RandomAccess const& file, std::string const& name, ReadOptions const& options,
                   int threads, std::function<bool()> const& interrupted);

}  // namespace osi_cuda::readers
