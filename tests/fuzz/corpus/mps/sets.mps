NAME s
ROWS
 N c
 L r
COLUMNS
 x c 1 r 1
 y c 2 r 1
BOUNDS
 LO b x 2
 SC b x 5
 SC b y
SOS
 S1 SOS one 3
 SOS x 1
 SOS y 2.5
SOS2
 S2 two
 x
 y 1e9
ENDATA
