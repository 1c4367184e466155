HiGHS_basis_file v2
Valid
# Columns 3
x 1
y 2
z 3
# Rows 4
a 2
b 0
c 1
row d 1
