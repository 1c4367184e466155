* comment
NAME little one FREE
OBJSENSE
    MAX
ROWS
 N cost
 L r1
 G r2
 E r3
 N other
COLUMNS
 x cost 1 r1 2.5e-1
 M1 'MARKER' 'INTORG'
 y r2 -1D+2 r3 .5
 M2 'MARKER' 'INTEND'
 z r3 1 other 0
RHS
 b r1 10 r2 1
 b cost -7
 c r3 5
RANGES
 a r1 4 r3 -2
BOUNDS
 UP u x -4
 BV u y
 MI u z
 FR u z
ENDATA
