// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace osi_cuda {

enum class EngineChoice { automatic, cuda, host };
enum class AlgorithmChoice { automatic, primal, dual };
enum class PricingChoice { automatic, steepest, sketched, devex, dantzig };
enum class Toggle { automatic, off, on };

/// What a solve can be told. Names, ranges and help texts stand in optionTable().
struct Options {
  EngineChoice engine = EngineChoice::automatic;
  AlgorithmChoice algorithm = AlgorithmChoice::automatic;
  PricingChoice pricing = PricingChoice::automatic;
  double timeLimit = std::numeric_limits<double>::infinity();  ///< seconds
  std::int64_t iterationLimit = std::numeric_limits<std::int64_t>::max();
  double objectiveLimit =
      std::numeric_limits<double>::infinity();  ///< dual simplex cutoff, minimization sense is the
                                                ///< problem's
  double primalTolerance = 1e-7;
  double dualTolerance = 1e-7;
  std::uint64_t seed = 1;
  int threads = 0;     ///< 0: all cores
  int device = 0;      ///< CUDA device number
  int blockSize = 0;   ///< K, pivots between two folds; 0: by size
  int sketchSize = 0;  ///< k, rows of the sketch; 0: by size
  bool scaling = true;
  Toggle perturbation = Toggle::automatic;
};

}  // namespace osi_cuda
