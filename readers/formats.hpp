// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>

#include "readers/read.hpp"

namespace osi_cuda::readers {

class LineSource;

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

/// Finds out by the beginning of the content what a file is. A file that is none of the formats is
/// called mps, whose reader says what it misses.
Format detectFormat(LineSource& source);

/// The reader of a format, or of the one that the content is.
Reader readerOf(Format format, LineSource& source);

}  // namespace osi_cuda::readers
