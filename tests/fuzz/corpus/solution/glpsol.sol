c x
s bas 4 3 f n 0
i 1 u 5 0
i 2 l 1 0
j 2 u 4 0
e o f
