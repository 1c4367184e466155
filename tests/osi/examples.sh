#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# The examples on OSI: both solvers of swap_clp have the same bound, knapsack_cbc proves an optimum.
#     examples.sh SWAP_CLP KNAPSACK_CBC
set -eu
bound() { "$@" | sed -n 's/^bound *//p'; }
for seed in 1 2 3; do
  clp=$(bound "$1" clp 20 "$seed")
  cuda=$(bound "$1" cuda 20 "$seed")
  test -n "$clp"
  test "$clp" = "$cuda" || { echo "seed $seed: $cuda instead of $clp"; exit 1; }
done
"$2" 20 3 1 | grep -q 'proved in'
test "$("$2" 20 3 1 host)" = "$("$2" 20 3 1 auto)"
if "$1" nobody 2>/dev/null; then exit 1; fi
if "$2" 20 3 1 nothing 2>/dev/null; then exit 1; fi
