OBJNAME
 c
ROWS
 N d
 N c
 E r
COLUMNS
 a c 1
 b c 1 r 1
RHS
 r 1e30
RANGES
 r 1e30
BOUNDS
 LI a 1
 UI a 7
 SC b 9
 LO b inf
 PL b
ENDATA
QUADOBJ
