#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Runs under_valgrind.py under valgrind: reads and writes outside what was allocated, and decisions by
# numbers that were never set. Exit status 77, skipped, where Python has no NumPy.
#
#     valgrind.sh SOURCE LIBRARY VALGRIND
set -eu
source=$1 library=$2 valgrind=$3
python=${OSI_CUDA_PYTHON:-python3}
"$python" -c "import numpy" 2>/dev/null || { echo "skipped: $python has no numpy"; exit 77; }
# Python's own allocator hides its blocks from valgrind; what Python and NumPy keep to the end is no
# fault of theirs.
export OSI_CUDA_LIBRARY="$library" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
export PYTHONMALLOC=malloc OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2
exec "$valgrind" --quiet --error-exitcode=9 --leak-check=no \
  --suppressions="$source/tests/python/valgrind.supp" \
  "$python" "$source/tests/python/under_valgrind.py"
