NAME r
ROWS
 N o
 L r1
 G r2
 E r3
COLUMNS
 x o 1e20 r1 1
 x r2 1 r3 1
RHS
 R o -1e20 r1 1e20
 R r2 -1e25 r3 9e19
RANGES
 G r3 1e20
BOUNDS
 UP B x 1e20
 LO B x -1e25
ENDATA
