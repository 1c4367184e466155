// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda::stress {

/// `text` with what stands between the lines "<!-- NAME -->" and "<!-- end of NAME -->" replaced by
/// `content`. Throws std::invalid_argument where it lacks one of the two lines.
std::string withSection(std::string const& text, std::string const& name,
                        std::string const& content);

/// The same in a file. Throws std::runtime_error where the file can't be read or written.
void replaceSection(std::string const& file, std::string const& name, std::string const& content);

/// "2026-11-21, a machine with 2 cores (MODEL)": today, in UTC, and this machine.
std::string dateAndMachine();

}  // namespace osi_cuda::stress
