Model status
Optimal

# Primal solution values
Feasible
Objective 2
# Columns 3
x 2
y 0
z 1
# Rows 4
a 1
b 1
c 1
row d 2

# Dual solution values
Feasible
# Columns 3
x 0
y 0.1
z 0
# Rows 4
a 1
b 2
c 1
row d 1

# Basis
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
