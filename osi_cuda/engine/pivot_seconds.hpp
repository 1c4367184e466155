// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

namespace osi_cuda {

/// Seconds that a pivot takes on one core, block updates and refactorisations included, from the
/// sizes of the problem alone: choices that rest on them are the same on every machine. Measured in
/// lab/log/2026-11-22-factors.md, 2026-11-22-resolves.md there, and docs/evidence/dense.md.
double tableauPivotSeconds(double rows, double columns);
double factoredPivotSeconds(double rows, double columns, double nonzeros);
/// The same on a device.
double devicePivotSeconds(double rows, double columns);

/// Whether sparse factors are the faster engine on the processor. `held`: whether the engine that
/// has the problem keeps factors; to exchange it for the other one costs as much as many pivots, so
/// that the other one has to be much faster.
bool factorsAreFaster(double rows, double columns, double nonzeros,
                      std::optional<bool> held = std::nullopt);
/// Whether the engine with more digits is fast enough to be of use; and fast enough to factor a
/// start before anything else.
bool preciseIsOfUse(double rows, double columns, double nonzeros);
bool preciseIsQuick(double rows, double columns, double nonzeros);

}  // namespace osi_cuda
