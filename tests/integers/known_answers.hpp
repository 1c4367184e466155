// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace osi_cuda::testing {

/// A problem of known_answers.txt.
struct KnownAnswer {
  std::string name;
  std::string text;               ///< in LP or MPS format
  std::optional<double> optimum;  ///< none: infeasible
};

inline std::vector<KnownAnswer> readKnownAnswers() {
  std::string const path = OSI_CUDA_TEST_FOLDER "/integers/known_answers.txt";
  std::ifstream file(path);
  std::vector<KnownAnswer> answers;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("== ")) {
      KnownAnswer& next = answers.emplace_back();
      next.name = line.substr(3);
      std::getline(file, line);
      if (line != "infeasible") next.optimum = std::stod(line);
    } else if (!answers.empty()) {
      answers.back().text += line + '\n';
    }
  }
  if (answers.empty()) throw std::runtime_error("no problems in " + path);
  return answers;
}

inline std::vector<KnownAnswer> const& knownAnswers() {
  static std::vector<KnownAnswer> const answers = readKnownAnswers();
  return answers;
}

/// One whose best node, b = 1, has an optimum that no sum of two doubles is: x1 - x2 is 1e-40. The
/// relaxation has -14.9, the best point without that node -10.9.
inline constexpr char const* unprovedNode = R"(Minimize
 obj: x1 + x2 - 8 b - 5.5 c - 5.4 d
Subject To
 r1: 1e40 x1 - 1e40 x2 - z = 1
 r2: x1 + 2 x2 - b >= -0.75
 r4: z + 1024 b <= 1024
 r5: z - 1024 b >= -1024
 k: 4 b + 2 c + 2 d <= 6
Bounds
 z free
Binaries
 b c d
End
)";

}  // namespace osi_cuda::testing
