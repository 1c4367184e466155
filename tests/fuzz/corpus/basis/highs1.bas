HiGHS v1
Valid
# Columns 3
1 2 3 
# Rows 4
2 0 1 1 
