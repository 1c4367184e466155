// SPDX-License-Identifier: EPL-2.0
#pragma once

/// Every number that decides whether a proof stands. What a caller may choose himself
/// (Options::primalTolerance, Options::dualTolerance) lies in options.hpp.
namespace osi_cuda::proof {

/// Residuals that are aimed at; and the least margin of a certificate that settles a solve at
/// once, when a point within tolerances might be found as well.
inline constexpr double target = 1e-9;

/// A point in two parts is no answer where its doubles alone, which most callers look at, have
/// larger residuals than this.
inline constexpr double nearlyPlain = 1e-6;

/// Distance, relative to 1 + |bound|, within which a variable counts as resting on a bound.
inline constexpr double atBound = 1e-6;

/// What has to be zero in a certificate counts as zero up to this share of its terms: for one in
/// two parts, far below what the last bit of a coefficient makes and far above the rounding of
/// double-double arithmetic; for one of doubles alone, the rounding of its own numbers.
inline constexpr double extendedZero = 1e-20;
inline constexpr double roundedZero = 4.5e-16;

/// What counts as zero in multipliers and needs a bound that is infinite proves nothing about
/// points farther away: so large a number of such a variable must not close the gap.
inline constexpr double distant = 1e9;

/// Bounds cross where the lower exceeds the upper by more than this share of both.
inline constexpr double crossing = 1e-9;

/// Of small problems bounds cross where the lower exceeds the upper by more than this share of 2 +
/// both; below, the ordinary solver says by its tolerances.
inline constexpr double clearCrossing = 1e-4;

/// A reduced cost of no more than this share of its terms is the rounding of multipliers that are
/// doubles, or sums of two doubles.
inline constexpr double multiplierRounding = 0x1p-44;
inline constexpr double multiplierRoundingOfParts = 0x1p-90;

/// Errors of sums, relative to 1 + |sum|, that are not worth another pass with more digits.
inline constexpr double smallError = 1e-13;

}  // namespace osi_cuda::proof
