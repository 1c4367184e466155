// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace osi_cuda::testing {

inline constexpr char const* coinSamples = "/usr/share/coin/Data/Sample";

/// The folder of LP test data that the environment names, or an empty path.
inline std::filesystem::path dataFolder() {
  char const* folder = std::getenv("OSI_CUDA_DATA");
  return folder ? folder : "";
}

/// The files of a folder, by name; none if it does not exist.
inline std::vector<std::filesystem::path> filesIn(std::filesystem::path const& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace osi_cuda::testing
