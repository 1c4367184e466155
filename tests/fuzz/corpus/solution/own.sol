osi-cuda solution 1
status optimal
message none
objective 0.5
columns 3
basic 2 0 x
lower 0 0.1 y
free - - z
rows 4
lower 2 1 a
basic 1 0 b
basic 1 0 c
basic 1 0 row d
farkas 4
1 a
2 b
0 c
0 row d
ray 3
1 x
0 y
-inf z
