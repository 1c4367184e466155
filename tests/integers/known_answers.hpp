// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

// Small problems with integer columns, each of a kind that branch and cut in doubles gets wrong,
// and their optima: by enumeration or by reason.
namespace osi_cuda::testing {

struct KnownAnswer {
  char const* name;
  char const* text;               ///< in LP or MPS format
  std::optional<double> optimum;  ///< none: infeasible
};

inline constexpr KnownAnswer knownAnswers[] = {
    {"an upper bound of 2.5",
     R"(maximize
 o: x
subject to
 a: x + y <= 10
bounds
 x <= 2.5
general
 x
end
)",
     2},
    {"no whole number between the bounds",
     R"(minimize
 o: x + y
subject to
 a: x + y >= 0.5
bounds
 0.3 <= x <= 0.7
 y <= 4
general
 x
end
)",
     std::nullopt},
    {"fractional bounds",
     R"(Maximize
 obj: - 3 x + 5 y
Subject To
 c1: 2 x - 2 y <= 1.5
Bounds
 -1.5 <= x <= 2.5
 -0.5 <= y <= 3.5
Generals
 x y
End
)",
     18},
    {"a free row",
     R"(NAME
ROWS
 N  obj
 G  R1
 L  R2
 G  R3
 G  R4
 L  R5
 L  R6
 G  R7
 L  R8
COLUMNS
    MARKER1 'MARKER' 'INTORG'
 C1 obj 5
 C1 R1 5
 C1 R2 -4
 C1 R3 3
 C1 R4 -4
 C1 R8 4
 C2 obj 7
 C2 R1 -1
 C2 R2 -4
 C2 R3 1
 C2 R4 -2
 C2 R5 4
 C2 R6 -1
 C2 R8 -3
 C3 obj -3
 C3 R2 -5
 C3 R5 4
 C3 R6 3
 C3 R8 3
    MARKER2 'MARKER' 'INTEND'
 C4 obj 8
 C4 R1 -5
 C4 R4 4
 C4 R6 1
 C4 R7 -2
 C4 R8 -5
    MARKER3 'MARKER' 'INTORG'
 C5 obj -1
 C5 R1 5
 C5 R2 5
 C5 R3 5
 C5 R4 -2
 C5 R5 4
 C5 R6 1
 C5 R8 1
 C6 obj -8
 C6 R1 4
 C6 R4 4
 C6 R5 2
 C6 R6 2
 C6 R7 -2
 C6 R8 -2
    MARKER4 'MARKER' 'INTEND'
 C7 obj -1
 C7 R2 -2
 C7 R3 -5
 C7 R7 5
 C7 R8 -5
    MARKER5 'MARKER' 'INTORG'
 C8 obj -9
    MARKER6 'MARKER' 'INTEND'
RHS
 RHS obj 22
 RHS R1 32
 RHS R2 -60
 RHS R3 -1
 RHS R4 -1e+30
 RHS R5 34
 RHS R6 12
 RHS R7 22
 RHS R8 -18
RANGES
 RANGES R1 4
 RANGES R2 4
 RANGES R7 1
BOUNDS
 UP BOUNDS C1 7
 UP BOUNDS C2 7
 UP BOUNDS C3 7
 UP BOUNDS C4 2
 UP BOUNDS C5 4
 UP BOUNDS C6 6
 UP BOUNDS C7 7
 UP BOUNDS C8 1
ENDATA
)",
     15.76},
    {"general integers below 0",
     R"(NAME
ROWS
 N  obj
 L  R1
COLUMNS
 C1 obj 7
    MARKER1 'MARKER' 'INTORG'
 C2 obj -3
 C2 R1 -5
 C3 obj -2
 C3 R1 3
 C4 obj -1
 C5 obj 5
 C5 R1 -5
    MARKER2 'MARKER' 'INTEND'
RHS
BOUNDS
 UP BOUNDS C1 6
 LO BOUNDS C2 -3
 UP BOUNDS C2 -1
 LO BOUNDS C3 -3
 UP BOUNDS C3 0
 LO BOUNDS C4 1
 UP BOUNDS C4 2
 LO BOUNDS C5 -3
 UP BOUNDS C5 2
ENDATA
)",
     5},
    {"a point of two doubles",
     R"(Minimize
 obj: x1 + x2 - 8 b - 5.5 c - 5.4 d
Subject To
 r1: 1e12 x1 - 1e12 x2 - z = 1
 r2: x1 + 2 x2 = 1
 r4: z + 1000 b <= 1000
 r5: z - 1000 b >= -1000
 k: 3 b + 2 c + 2 d <= 5
Bounds
 -1 <= x1 <= 1
 0 <= x2 <= 0.3333333334333
 z free
Binaries
 b c d
End
)",
     -12.8333333333},
    {"a knapsack",
     R"(Maximize
 obj: 5.3 a + 4.1 b + 3.7 c + 2.9 d
Subject To
 c1: 2 a + 3 b + c + 2 d <= 5
 c2: 4 a + b + 2 c + 3 d <= 7
Binaries
 a b c d
End
)",
     9.4},
    {"a side of 2 + 1e-8",
     R"(minimize
 o: 5 x + 4 y
subject to
 a: x + y >= 2.00000001
general
 x y
end
)",
     12},
    {"a side of 4 - 1e-7",
     R"(maximize
 o: x
subject to
 a: 2 x <= 3.9999999
general
 x
end
)",
     1},
    {"a big M and a gain",
     R"(maximize
 gain: x - 3 b
subject to
 link: x - 100000000 b <= 0
 cap: x <= 8
binary
 b
end
)",
     5},
    {"a big M and a cost",
     R"(minimize
 o: 100 b + x
subject to
 a: x - 100000000 b <= 0
 c: x >= 0.5
binary
 b
end
)",
     100.5},
    {"whole within the tolerance only",
     R"(NAME near-whole FREE
OBJSENSE
    MAX
ROWS
 N  obj
 E  R1
 E  R2
COLUMNS
    MARKER1 'MARKER' 'INTORG'
 C1 obj -5
 C1 R2 -5
    MARKER2 'MARKER' 'INTEND'
 C2 obj 3
 C2 R2 -5
    MARKER3 'MARKER' 'INTORG'
 C3 obj -8
 C3 R1 -6
 C3 R2 -8
 C4 obj 6
 C4 R2 -5
 C5 obj -2
 C5 R1 -8
 C5 R2 8
    MARKER4 'MARKER' 'INTEND'
RHS
 RHS R1 -16
 RHS R2 -19
BOUNDS
 UP BOUNDS C1 3
 LO BOUNDS C2 2
 UP BOUNDS C2 5.9999998
 UP BOUNDS C3 1
 UP BOUNDS C4 1
 UP BOUNDS C5 3
ENDATA
)",
     12},
    {"a row with two sides",
     R"(NAME mip
OBJSENSE
    MIN
ROWS
 N o
 L r1
COLUMNS
 M0 'MARKER' 'INTORG'
 x1 o 4
 x1 r1 2
 x2 o 4
 x2 r1 -4
 x3 o 2
 x3 r1 9
 x4 o 2
 x4 r1 13
 MEND 'MARKER' 'INTEND'
RHS
 RHS r1 20.5
RANGES
 RNG r1 4.5
BOUNDS
 LO B x1 0
 UP B x1 40
 LO B x2 0
 UP B x2 10
 LO B x3 0
 UP B x3 3
 LO B x4 0
 UP B x4 10
ENDATA
)",
     4},
    {"three rows with two sides",
     R"(NAME mip
OBJSENSE
    MIN
ROWS
 N o
 L r1
 L r2
 L r3
COLUMNS
 M0 'MARKER' 'INTORG'
 x1 o 1
 x1 r1 13
 x1 r3 10
 x2 o 1
 x2 r1 -15
 x2 r2 1
 x2 r3 -15
 x3 o 2
 x3 r1 10
 x3 r2 13
 x3 r3 3
 x4 o -1
 x4 r1 1
 x4 r2 -1
 MEND 'MARKER' 'INTEND'
RHS
 RHS r1 27
 RHS r2 19
 RHS r3 19
RANGES
 RNG r2 4.5
BOUNDS
 LO B x1 1
 PL B x1
 LO B x2 -5
 UP B x2 5
 LO B x3 0
 UP B x3 10
 LO B x4 0
 PL B x4
ENDATA
)",
     -28},
    {"two rows with two sides",
     R"(NAME mip
OBJSENSE
    MIN
ROWS
 N o
 L r1
 L r2
COLUMNS
 M0 'MARKER' 'INTORG'
 x1 o 2
 x1 r1 9
 x1 r2 2
 x2 o -5
 x2 r1 1
 x2 r2 9
 x3 o 4
 x3 r1 9
 x3 r2 1
 MEND 'MARKER' 'INTEND'
RHS
 RHS r1 230
 RHS r2 75
RANGES
 RNG r1 0.5
 RNG r2 0.5
BOUNDS
 LO B x1 0
 UP B x1 40
 LO B x2 0
 UP B x2 10
 LO B x3 0
 UP B x3 40
ENDATA
)",
     65},
    {"a free column",
     R"(NAME mip
OBJSENSE
    MIN
ROWS
 N o
 L r1
 L r2
COLUMNS
 M0 'MARKER' 'INTORG'
 x1 o -5
 x1 r2 -15
 x2 o 2
 x2 r1 2
 x2 r2 7
 x3 o 0.5
 x3 r1 7
 MEND 'MARKER' 'INTEND'
RHS
 RHS r1 37
 RHS r2 -1
RANGES
 RNG r2 4.5
BOUNDS
 LO B x1 -20
 PL B x1
 FR B x2
 LO B x3 -20
 PL B x3
ENDATA
)",
     -40},
    {"free columns",
     R"(minimize
 o: 0 x
subject to
 a: 6 x - 10 y + 15 z = 1
bounds
 x free
 y free
 z free
general
 x y z
end
)",
     0},
    {"multiples of 5",
     R"(minimize
 o: x
subject to
 a: 10 x + 15 y - 20 z = 7
bounds
 y free
 z free
general
 x y z
end
)",
     std::nullopt},
    {"a column without an upper bound",
     R"(NAME found
ROWS
 N  obj
 L  R1
 G  R2
 L  R3
 G  R4
COLUMNS
    MARKER1 'MARKER' 'INTORG'
 C1 obj 4
 C1 R1 -0.9
 C1 R3 -5
 C2 obj -2
 C2 R1 9
 C2 R3 2
    MARKER2 'MARKER' 'INTEND'
 C3 obj -8
 C3 R1 3
 C3 R2 -8
 C3 R3 -7
 C3 R4 5
    MARKER3 'MARKER' 'INTORG'
 C4 obj 6
 C4 R1 -2
 C4 R2 9
 C4 R3 8
 C4 R4 1
    MARKER4 'MARKER' 'INTEND'
 C5 obj 8
    MARKER5 'MARKER' 'INTORG'
 C6 obj -3
 C6 R2 -9
 C6 R3 -5
 C6 R4 8
    MARKER6 'MARKER' 'INTEND'
RHS
 RHS R1 42
 RHS R2 -47.5
 RHS R3 -34.5
 RHS R4 42
RANGES
 RANGES R4 4
BOUNDS
 LO BOUNDS C1 1
 UP BOUNDS C1 2
 LO BOUNDS C2 -1
 UP BOUNDS C2 4
 LO BOUNDS C3 4
 UP BOUNDS C3 9
 LO BOUNDS C4 2
 UP BOUNDS C4 3
 LO BOUNDS C5 4
 UP BOUNDS C6 1
ENDATA
)",
     -21.5},
    {"a cover",
     R"(NAME found
ROWS
 N  obj
 G  R1
 G  R2
 L  R3
 E  R4
COLUMNS
    MARKER1 'MARKER' 'INTORG'
 C1 obj -1
 C1 R1 4
 C1 R2 1
 C1 R3 8
 C1 R4 -8
 C2 obj 9
 C2 R2 -6
 C2 R4 5
 C3 obj -3
 C3 R1 9
 C3 R2 8
 C3 R3 -4
 C3 R4 -5
 C4 obj -2
 C4 R1 0.7
 C4 R2 -5
 C4 R3 -9
 C4 R4 -3
 C5 obj -4
 C5 R2 -9
 C5 R4 -6
 C6 obj 4
 C6 R1 9
 C6 R2 -2
 C6 R4 -9
 C7 obj 3
 C7 R1 -8
 C7 R2 -1.7
 C7 R3 -4
 C7 R4 2
 C8 obj 2
 C8 R1 3
 C8 R2 -5
 C9 obj -3
 C9 R1 -3
 C9 R2 -3
 C9 R3 -7
 C9 R4 -4.1
    MARKER2 'MARKER' 'INTEND'
RHS
 RHS R1 3
 RHS R2 -14
 RHS R3 -3
 RHS R4 -8.1
BOUNDS
 UP BOUNDS C1 1
 UP BOUNDS C2 1
 UP BOUNDS C3 1
 UP BOUNDS C4 1
 UP BOUNDS C5 1
 UP BOUNDS C6 1
 UP BOUNDS C7 1
 UP BOUNDS C8 1
 UP BOUNDS C9 1
ENDATA
)",
     10},
    {"a continuous column without an upper bound",
     R"(NAME found
OBJSENSE
    MAX
ROWS
 N  obj
 G  R1
COLUMNS
    MARKER1 'MARKER' 'INTORG'
 C1 obj 6
 C1 R1 2
 C2 obj -9
 C3 obj -8
    MARKER2 'MARKER' 'INTEND'
 C4 obj -7
    MARKER3 'MARKER' 'INTORG'
 C5 obj 9
 C5 R1 3
    MARKER4 'MARKER' 'INTEND'
RHS
 RHS R1 8.5
RANGES
 RANGES R1 3.5
BOUNDS
 UP BOUNDS C1 1
 UP BOUNDS C2 1
 LO BOUNDS C3 1
 UP BOUNDS C3 2
 LO BOUNDS C4 4
 LO BOUNDS C5 3
 UP BOUNDS C5 4
ENDATA
)",
     0},
    {"an infeasible relaxation",
     R"(minimize
 o: x + 2 y
subject to
 a: 3 x + 5 y >= 21.5
bounds
 x <= 2
 y <= 3
general
 x
end
)",
     std::nullopt},
};

/// One whose best node, b = 1, has an optimum that no sum of two doubles is: x1 - x2 is 1e-40. The
/// relaxation has -14.9, the best point without that node -10.9.
inline constexpr char const* unprovedNode = R"(Minimize
 obj: x1 + x2 - 8 b - 5.5 c - 5.4 d
Subject To
 r1: 1e40 x1 - 1e40 x2 - z = 1
 r2: x1 + 2 x2 - b >= -0.75
 r4: z + 1024 b <= 1024
 r5: z - 1024 b >= -1024
 k: 4 b + 2 c + 2 d <= 6
Bounds
 z free
Binaries
 b c d
End
)";

}  // namespace osi_cuda::testing
