// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/stress/base_models.hpp"
#include "lab/stress/verdict.hpp"

namespace osi_cuda::stress {

/// One of our own solves of a problem.
struct Variant {
  std::string engine, algorithm, pricing;
};

/// What to solve, how, and within which limits.
struct Campaign {
  std::vector<std::string> kinds;  ///< names
  std::vector<BaseFile> bases;
  std::uint64_t firstSeed = 1, lastSeed = 1;
  int constructedPerSeed = 10;  ///< problems of a kind without base, for each seed
  /// When above 0: as many seeds, from the first one on, as make so many solves of our own.
  std::int64_t solves = 0;
  std::vector<Variant> variants;
  std::vector<std::string> peers;
  double timeLimit = 2.0;          ///< seconds a solve
  double timeLimitPerCell = 1e-5;  ///< and so many more for each entry of the dense matrix
  double exactTime = 60.0;         ///< seconds for exact arithmetic; 0: none
  int jobs = 1;
  std::string writeFailures;        ///< a folder for the problems that failed, or empty
  std::vector<std::string> worker;  ///< command of a worker process
};

/// Our own solves of a problem of that kind: where the kind asks for every pricing rule, "auto" is
/// followed by all of them.
std::vector<Variant> variantsOf(Campaign const& campaign, std::string const& kind);

/// A problem to make.
struct Task {
  std::string kind;
  BaseFile base;  ///< empty names for a kind without base
  std::uint64_t seed = 1;
};

/// Seed by seed, all kinds and bases of a seed.
std::vector<Task> tasksOf(Campaign const& campaign);

/// A problem with all that is claimed about it.
struct ProblemResult {
  Task task;
  std::string failure;  ///< why it could not be made; empty: it was
  int rows = 0, columns = 0;
  std::vector<Claim> claims;          ///< our own first, then peers, then the exact one where asked
  std::vector<Judgement> judgements;  ///< one for each claim
};

/// Runs all tasks, several processes at a time. `finished` is called for each result, from one
/// thread at a time, in the order in which they are finished.
void run(Campaign const& campaign, std::function<void(ProblemResult const&)> const& finished);

}  // namespace osi_cuda::stress
