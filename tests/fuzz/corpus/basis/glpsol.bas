c Problem: test
s bas 4 3 f f 0
i 1 u 5 0
i 2 l 1 0
i 3 b 2 0
i 4 b 0 0
j 1 b 0 0
j 2 u 4 0
j 3 f 0 0
e o f
