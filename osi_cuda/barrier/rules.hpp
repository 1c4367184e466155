// SPDX-License-Identifier: EPL-2.0
#pragma once

/// The steps of the interior point method that look at one variable or row each. A step is called
/// with a place; where it returns something, results are combined by add() in a fixed order, and
/// what becomes of them is left in Scalars by finish(), which one thread calls.
#include "osi_cuda/barrier/direction_rules.hpp"
#include "osi_cuda/barrier/gradient_rules.hpp"
#include "osi_cuda/barrier/iterate_rules.hpp"
#include "osi_cuda/barrier/start_rules.hpp"
