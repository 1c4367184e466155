// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {

/// Seconds that a pivot takes on one core, folds and refactorisations included, from the sizes of
/// the problem alone: choices that rest on them are the same on every machine. Measured in
/// docs/log/2026-11-22-factors.md, 2026-11-22-resolves.md there, and docs/performance.md.
double tableauPivotSeconds(double rows, double columns);
double factoredPivotSeconds(double rows, double columns, double nonzeros);
double tableauPivotSeconds(StandardForm const& form);
double factoredPivotSeconds(StandardForm const& form);
/// The same on a device.
double devicePivotSeconds(StandardForm const& form);

}  // namespace osi_cuda
