// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/kept_point.hpp"
#include "osi_cuda/simplex/watches.hpp"
#include "osi_cuda/simplex/working_problem.hpp"

namespace osi_cuda {

/// What the parts of the control of one solve work with, each of which has it as a base. All of it
/// must outlive them.
struct SharedParts {
  Task const& task_;
  Counts& counts_;
  Tracer const& tracer_;
  Limits& limits_;
  Tolerances& tolerances_;
  WorkingProblem& problem_;
  KeptPoint& kept_;
  RoundWatch& rounds_;

  /// Of the engine's present point, within the tolerances of the moment.
  Measure measure() const { return task_.engine.measure(tolerances_.primal(), tolerances_.dual()); }
};

}  // namespace osi_cuda
