# SPDX-License-Identifier: EPL-2.0
import numpy as np
import pytest

import osi_cuda


@pytest.fixture
def furniture() -> osi_cuda.Problem:
    """Optimum 188 at (4, 12) with duals (3.5, 0.4)."""
    return osi_cuda.Problem(
        [20, 9], [[4, 2], [15, 5]], row_upper=[40, 120], sense="max"
    )


@pytest.fixture
def dense() -> osi_cuda.Problem:
    """Some hundred pivots."""
    random = np.random.default_rng(1)
    matrix = random.uniform(0.1, 1.0, (200, 150))
    return osi_cuda.Problem(np.ones(150), matrix, row_upper=np.ones(200), sense="max")
