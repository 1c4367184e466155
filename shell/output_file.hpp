// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace osi_cuda::shell {

/// Throws the Failure `cannotWrite` if a file at `path` obviously can't be written: its folder is
/// missing or read-only, or it is a folder itself. To be called before a long solve.
void checkWritable(std::string const& path);

/// Writes a file that is either whole or not there: `write` gets the path of a temporary file in
/// the same folder, with the same ending, which then takes the place of `path` (with the old
/// file's permissions). What is not a regular file, as a pipe, is written directly. For standard
/// output, `-` or /dev/stdout, `write` gets `-`: it may be a file, but one that is open already.
/// Throws the Failure `cannotWrite`, also for what `write` throws; the temporary file is removed.
void writeFile(std::string const& path,
               std::function<void(std::filesystem::path const& file)> const& write);

/// The same for a text.
void writeTextFile(std::string const& path, std::string const& text);

}  // namespace osi_cuda::shell
