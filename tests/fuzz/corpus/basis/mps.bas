* comment
NAME  test
 XU x a
 XL z row d
 UL y
 BS b
ENDATA
