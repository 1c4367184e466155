// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// How a zip archive, and so a file of numpy.savez, begins.
inline constexpr std::string_view zipStart = "PK\x03\x04";

/// Reads a linear program from the arrays of a NumPy archive; docs/reference/formats.md says which.
/// The large ones are read by `threads` threads. Throws ReadError, which names the array, and
/// ReadInterrupted where `interrupted`, asked by the calling thread, says so.
ReadResult readNpz(RandomAccess const& file, std::string const& name, ReadOptions const& options,
                   int threads, std::function<bool()> const& interrupted);

/// Reads what a source holds; the last argument is asked now and then, and true stops it.
using Reader = ReadResult (*)(LineSource& source, ReadOptions const& options,
                              std::function<bool()> const& interrupted);

/// All that there is to know of a format that is read, but how it is told from others.
struct FormatRecord {
  Format format;
  char const* word;  ///< on the command line
  Reader read;       ///< for `automatic` null
};

/// All formats; `automatic` is the first.
std::span<FormatRecord const> formatTable();

/// Read the text formats; docs/reference/formats.md says how each case is decided. Throw ReadError
/// and what the source throws.
ReadResult readMps(LineSource& source, MpsLayout layout, ReadOptions const& options);
ReadResult readCplexLp(LineSource& source, ReadOptions const& options);
ReadResult readLpSolveLp(LineSource& source, ReadOptions const& options);

}  // namespace osi_cuda::readers
