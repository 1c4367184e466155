# SPDX-License-Identifier: EPL-2.0
"""What a solution means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Vector


class Intervals(NamedTuple):
    """How far numbers can be changed, each alone; all may be infinite."""

    low: Vector
    high: Vector
    objective_low: Vector  #: the optimum where the number is `low`
    objective_high: Vector


class Ranging(NamedTuple):
    """The intervals in which the basis stays optimal. Bounds that are equal move together."""

    costs: Intervals  #: length n
    column_lower: Intervals
    column_upper: Intervals
    row_lower: Intervals  #: length m
    row_upper: Intervals


class InfeasibleSubsystem(NamedTuple):
    """Sides that contradict each other: True for each member."""

    column_lower: npt.NDArray[np.bool_]  #: length n
    column_upper: npt.NDArray[np.bool_]
    row_lower: npt.NDArray[np.bool_]  #: length m
    row_upper: npt.NDArray[np.bool_]
    irreducible: bool  #: without any one member the others do not contradict each other
