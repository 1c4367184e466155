#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Makes sdist and wheels, installs the wheels into bare environments, runs README's example and removes
# them: nothing may be left. Exit status 77, skipped, where pip can't get what builds a wheel.
#
#     wheel.sh SOURCE BUILD FOLDER
set -eu
source=$1 build=$2 folder=$3
python=${OSI_CUDA_PYTHON:-python3}
rm -rf "$folder"
mkdir -p "$folder"
"$python" -m venv "$folder/fresh" 2>"$folder/log" || { echo "skipped: $python has no venv"; exit 77; }
"$folder/fresh/bin/pip" download -q --no-deps -d "$folder/asked" scikit-build-core >>"$folder/log" 2>&1 ||
  { echo "skipped: pip can't get scikit-build-core"; exit 77; }
"$source/packages/make.sh" "$build" "$folder/wheels" wheels
wheel=$(ls "$folder"/wheels/osi_cuda-*.whl)
size=$(du -k "$wheel" | cut -f 1)
test "$size" -le 30720 || { echo "$size KB"; exit 1; }
for text in licenses/libraries/libflint licenses/libraries/LGPL-2.1.txt licenses/libraries/coinor-libcbc \
  licenses/libraries/coinor-libcgl sboms/osi-cuda.spdx.json; do
  "$python" -m zipfile -l "$wheel" | grep -q "dist-info/$text" || { echo "the wheel has no $text"; exit 1; }
done

# On PyPI links lead somewhere, and there is who made it and where.
"$python" -m venv "$folder/reader"
"$folder/reader/bin/pip" install -q 'readme_renderer[md]' >>"$folder/log" 2>&1
"$folder/reader/bin/python" - "$folder"/wheels/osi_cuda*.whl <<'END'
import email
import re
import sys
import zipfile

from readme_renderer import markdown

for wheel in sys.argv[1:]:
    with zipfile.ZipFile(wheel) as archive:
        name, = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(archive.read(name))
    page = markdown.render(told.get_payload(decode=True).decode())
    assert page and "<table>" in page or "cu13" in wheel, wheel
    wrong = [link for link in re.findall(r'(?:href|src)="([^"]*)"', page) if not link.startswith(("https://", "#"))]
    assert not wrong, wrong
    assert "Homepage" in told["Project-URL"] and told["Author"], told
    assert "cu13" in wheel or "simplex method" in told["Keywords"], told
END

cd "$folder" # not where the sources lie
unset OSI_CUDA_LIBRARY OSI_CUDA_ENGINE_PATH PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1
files() { find fresh -type f ! -name '*.pyc' | sort; }
"$folder/fresh/bin/pip" install -q numpy
files >before
begin=$(date +%s%N)
"$folder/fresh/bin/pip" install -q --no-index --no-compile "$wheel"
"$folder/fresh/bin/python" - <<'END'
import importlib.metadata
from osi_cuda import linprog, milp

result = linprog([-20, -9], A_ub=[[4, 2], [15, 5]], b_ub=[40, 120])
assert abs(result.fun + 188) < 1e-9, result
result = milp([-1, -1], constraints=([[2, 2]], None, 3), integrality=1)  # by Cbc, which is inside
assert result.success and result.fun == -1, result
needed = [line for line in importlib.metadata.requires("osi-cuda") if "extra" not in line]
assert len(needed) == 1 and needed[0].startswith("numpy"), needed
END
echo "README's answer after $((($(date +%s%N) - begin) / 1000000)) ms (NumPy was there), $size KB"

# The program is on PATH, and finds what lies in the wheel.
printf 'max x + y\nst\n c: 2 x + 2 y <= 3\ngeneral\n x y\nend\n' >whole.lp
(PATH=$folder/fresh/bin:/usr/bin:/bin && osi-cuda solve whole.lp --integers) | grep -q '^objective *1.0*$'

cuda=$(ls "$folder"/wheels/osi_cuda_cu13-*.whl 2>/dev/null || true)
if [ -n "$cuda" ]; then
  size=$(du -k "$cuda" | cut -f 1)
  test "$size" -le 10240 || { echo "$cuda has $size KB"; exit 1; }
  "$folder/fresh/bin/pip" install -q --no-deps --no-index --no-compile "$cuda"
  site=$(dirname "$(find "$folder/fresh" -path '*/osi_cuda_cu13/OsiCudaEngine.so')")
  # Nothing bundled: NVIDIA's libraries are those of NVIDIA's wheels, all others osi-cuda's.
  ! "$python" -m zipfile -l "$cuda" | grep -F '.libs/' || { echo "libraries are inside"; exit 1; }
  readelf -d "$site/OsiCudaEngine.so" | grep -qF '[$ORIGIN/../nvidia/cu13/lib:$ORIGIN/../osi_cuda.libs]'
  ! ldd "$site/OsiCudaEngine.so" | grep 'not found' | grep -vE 'lib(cu|nv)' || exit 1
  for library in nvidia-cublas nvidia-cusolver nvidia-cusparse 'osi-cuda=='; do
    grep -q "^Requires-Dist: $library" "$site"/../osi_cuda_cu13-*.dist-info/METADATA ||
      { echo "does not ask for $library"; exit 1; }
  done
  "$folder/fresh/bin/python" - "$site" <<'END'
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
  "$python" "$source/python/cuda_wheel.py" "$folder/none.so" "$folder/none" "$wheel" 2>errors || status=$?
  [ "$status" -eq 66 ] && grep -q "there is no module" errors
  echo "the CUDA module's wheel: $size KB"
fi
"$folder/fresh/bin/pip" uninstall -q -y osi-cuda osi-cuda-cu13 2>>log
files >after
cmp before after || { diff before after; exit 1; }
