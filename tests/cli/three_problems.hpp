// SPDX-License-Identifier: EPL-2.0
#pragma once

// A problem of each status, as MPS files.

namespace osi_cuda::testing {

/// max 3 x + 2 y, x + y <= 4, x - y <= 1, x, y >= 0 (as a minimisation): optimum -10.5.
inline constexpr char feasibleMps[] = R"(NAME          FEASIBLE
ROWS
 N  COST
 L  R1
 L  R2
COLUMNS
    X         COST              -3.0   R1                 1.0
    X         R2                 1.0
    Y         COST              -2.0   R1                 1.0
    Y         R2                -1.0
RHS
    RHS       R1                 4.0   R2                 1.0
ENDATA
)";

/// x + y <= 1 and x + y >= 2.
inline constexpr char infeasibleMps[] = R"(NAME          INFEAS
ROWS
 N  COST
 L  R1
 G  R2
COLUMNS
    X         COST               1.0   R1                 1.0
    X         R2                 1.0
    Y         COST               1.0   R1                 1.0
    Y         R2                 1.0
RHS
    RHS       R1                 1.0   R2                 2.0
ENDATA
)";

/// min -x - y, x - y <= 1, x, y >= 0.
inline constexpr char unboundedMps[] = R"(NAME          UNBOUNDED
ROWS
 N  COST
 L  R1
COLUMNS
    X         COST              -1.0   R1                 1.0
    Y         COST              -1.0   R1                -1.0
RHS
    RHS       R1                 1.0
ENDATA
)";

}  // namespace osi_cuda::testing
