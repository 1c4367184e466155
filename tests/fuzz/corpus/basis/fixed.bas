NAME
 XU x         row d
 LL c
ENDATA
