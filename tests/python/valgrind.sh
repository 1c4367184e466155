#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Runs tests of the Python package under valgrind: reads and writes outside what was allocated, and
# decisions by numbers that were never set. Exit status 77, skipped, as run.sh says.
#
#     valgrind.sh SOURCE LIBRARY VALGRIND
set -eu
source=$1 library=$2 valgrind=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${OSI_CUDA_PYTHON:-python3}
# Python's own allocator hides its blocks from valgrind; what Python and NumPy keep to the end is no
# fault of theirs. run.sh asks the wrapper which modules there are, too: that needs no valgrind.
cat >"$folder/python" <<EOF
#!/bin/sh
[ "\$1" != -c ] || exec "$python" "\$@"
PYTHONMALLOC=malloc exec "$valgrind" --quiet --error-exitcode=9 --leak-check=no "$python" "\$@"
EOF
chmod +x "$folder/python"
here=$source/tests/python
OSI_CUDA_PYTHON="$folder/python" sh "$here/run.sh" "$source" "$library" \
  "$here/test_problem.py" "$here/test_linprog.py" "$here/test_memory.py" \
  -k "not peak_memory and not other_processes"
