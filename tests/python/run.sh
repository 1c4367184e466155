#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Runs the tests of the Python package on a built library with the first Python that has NumPy and
# pytest: OSI_CUDA_PYTHON, or python3. Exit status 77, skipped, where that has them not.
#
#     run.sh SOURCE LIBRARY [FILE...]     FILE: test files; all test_*.py unless given
set -eu
source=$1 library=$2
shift 2
python=${OSI_CUDA_PYTHON:-python3}
for module in numpy pytest; do
  if ! "$python" -c "import $module" 2>/dev/null; then
    echo "skipped: $python has no $module (OSI_CUDA_PYTHON names another Python)"
    exit 77
  fi
done
[ $# -gt 0 ] || set -- "$source/tests/python"
export OSI_CUDA_LIBRARY="$library" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
run() {
  # pytest's 5: every test of the file was left out, as there is no such package.
  "$python" -m pytest -q -p no:cacheprovider "$@" || {
    status=$?
    [ "$status" -eq 5 ] && echo "skipped: $python lacks what this file tests" && exit 77
    exit "$status"
  }
}
run "$@"
# The other release of PuLP, where ./dev test keeps one.
case "$*" in
  *layer_pulp.py) [ ! -d "${OSI_CUDA_PULP_3:-}" ] || PYTHONPATH="$OSI_CUDA_PULP_3:$PYTHONPATH" run "$@" ;;
esac
