#!/bin/bash
# SPDX-License-Identifier: EPL-2.0
# What `./dev test` does about the environment of Python's tests, with a build, ctest, venv and pip of straw: made once,
# left out without a package index, and what is a failure then. And what `./dev package` builds.
#
#     dev_environment.sh SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/project/tests/python" "$work/project/build/Testing/Temporary"
cp "$1/dev" "$work/project/"
echo numpy >"$work/project/tests/python/requirements.txt"
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
echo "$*" >>"$HOME/builds"
mkdir -p build && touch build/build.ninja
END
# Tests of Python run where they get an environment, else they are skipped.
cat >"$work/bin/ctest" <<'END'
#!/bin/sh
case "$*" in *-N*) echo "  Test  #7: python.pulp"; exit ;; esac
{
  echo "7/7 Testing: python.pulp"
  [ -x "${OSI_CUDA_PYTHON:-/none}" ] && echo "1 passed" || echo "skipped: no numpy"
} >"$HOME/project/build/Testing/Temporary/LastTest.log"
END
cat >"$work/bin/python3" <<'END'
#!/bin/sh
case "$*" in
  -V) echo Python 3.99 ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *download*) exit "$NO_INDEX" ;;
  *install*) echo made >>"$HOME/made"; exit "$NO_PACKAGE" ;;
esac
END
chmod +x "$work/bin/"*

# expect STATUS TEXT VARIABLE=VALUE...
expect() {
  local status=$1 text=$2 got=0
  shift 2
  env -u OSI_CUDA_PYTHON -u OSI_CUDA_PYTHON_TESTS HOME="$work" XDG_CACHE_HOME="$work/cache" PATH="$work/bin:$PATH" "$@" \
    "$work/project/dev" test >"$work/said" 2>&1 || got=$?
  { [ "$got" -eq "$status" ] && grep -q "$text" <<<"$(tail -n 1 "$work/said")"; } ||
    { echo "$* ended with $got:"; cat "$work/said"; exit 1; }
}
skipped='did not run (no package index can be reached.*): python.pulp$'
expect 0 "$skipped" NO_INDEX=1 NO_PACKAGE=1
expect 0 "$skipped" NO_INDEX=1 NO_PACKAGE=1 OSI_CUDA_PYTHON_TESTS=index
expect 1 "$skipped" NO_INDEX=1 NO_PACKAGE=1 OSI_CUDA_PYTHON_TESTS=always
broken="did not run (pip can't install.*): python.pulp$"
expect 0 "$broken" NO_INDEX=0 NO_PACKAGE=1
expect 1 "$broken" NO_INDEX=0 NO_PACKAGE=1 OSI_CUDA_PYTHON_TESTS=index
rm "$work/made"
expect 0 "Python's packages for the tests go to" NO_INDEX=0 NO_PACKAGE=0 OSI_CUDA_PYTHON_TESTS=always
[ "$(wc -l <"$work/made")" -eq 2 ]
expect 0 "" NO_INDEX=1 NO_PACKAGE=1 OSI_CUDA_PYTHON_TESTS=always  # the one that is there
[ "$(wc -l <"$work/made")" -eq 2 ]

# Of all kinds the archive alone is made of the whole build.
mkdir "$work/project/packages"
printf '#!/bin/sh\n' >"$work/project/packages/make.sh"
printf '#!/bin/sh\nshift 2\nfor package; do echo "$package installed"; done\n' >"$work/bin/dpkg-query"
chmod +x "$work/project/packages/make.sh" "$work/bin/dpkg-query"
for kind in wheels debian recipes archive; do
  : >"$work/builds"
  HOME="$work" XDG_CACHE_HOME="$work/cache" PATH="$work/bin:$PATH" "$work/project/dev" package "$kind" 2>"$work/said"
  whole=$(grep -cx -- "--build $work/project/build" "$work/builds" || true)
  [ "$whole" = "$([ "$kind" = archive ] && echo 1 || echo 0)" ] || { cat "$work/said" "$work/builds"; exit 1; }
done
