NAME          BLANKS
ROWS
 N  THE COST
 L  ROW ONE
COLUMNS
    COL ONE   THE COST           1.0   ROW ONE            2.0
    COL TWO   ROW ONE            3.0
RHS
              ROW ONE            4.0
BOUNDS
 UP           COL TWO            5.0
 FX           COL ONE          -1e30
ENDATA
