// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace osi_cuda::cli {

/// One line of a list of instances.
struct Instance {
  std::string name;
  std::filesystem::path file;
  std::string status;               ///< expected, as toString(Status); empty: not stated
  std::optional<double> objective;  ///< expected; nothing: not stated
};

/// Reads a CSV list. Lines that begin with # are remarks; the first other line names the columns,
/// of which `file` (relative to the list) or `name` (a file NAME.mps.gz, .mps, .lp.gz or .lp beside
/// the list) is needed; `status` and `objective` state what is known. Where `objective` is a
/// status word it is taken as the status. Throws what CsvTable throws.
std::vector<Instance> readInstanceList(std::filesystem::path const& list);

/// Is the word a status that says what the problem is?
bool isClaim(std::string const& status);

/// The checksum of a file's bytes, as "crc32:1a2b3c4d:LENGTH". Throws Failure(noInput).
std::string checksumOf(std::filesystem::path const& file);

}  // namespace osi_cuda::cli
