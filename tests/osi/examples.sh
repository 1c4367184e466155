#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# The example on OSI: both solvers of swap_clp have the same bound.
#     examples.sh SWAP_CLP
set -eu
bound() { "$@" | sed -n 's/^bound *//p'; }
for seed in 1 2 3; do
  clp=$(bound "$1" clp 20 "$seed")
  cuda=$(bound "$1" cuda 20 "$seed")
  test -n "$clp"
  test "$clp" = "$cuda" || { echo "seed $seed: $cuda instead of $clp"; exit 1; }
done
if "$1" nobody 2>/dev/null; then exit 1; fi
