Optimal - objective value 2
      0 x     2     0
**    1 y     0     0.1
      0 b     1  0
