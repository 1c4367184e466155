#!/usr/bin/env bash
# SPDX-License-Identifier: EPL-2.0
# The tests of programs that use OsiClp, with OsiClp and with this project's class in its place.
#
#     clients.sh ROOT LIBRARIES CLIENT [FOLDER]
#
# ROOT: the source tree; LIBRARIES: the folder with libOsiCuda.so; CLIENT: lemon, coinmp, cyclus or symphony; FOLDER:
# where it is built (a temporary folder that is removed, if none is named). Sources are expected where OSI_CUDA_LEMON
# (LEMON 1.3.1), OSI_CUDA_COINMP (CoinMP 1.8), OSI_CUDA_CYCLUS (cyclus 1.6, with GoogleTest) and OSI_CUDA_SYMPHONY (5.7)
# say; nothing is fetched. clients/osi_cuda_for_clp.hpp makes the change. Status 77
# without sources, which a test shows as skipped; 1 where a test fails or does not build.
set -euo pipefail
root=${1:?the source tree is missing} libraries=${2:?the folder with libOsiCuda.so is missing} client=${3:?which client?}
variable=OSI_CUDA_${client^^}
sources=${!variable:-}
[[ -d $sources ]] || { echo "skipped: $variable names no folder with the sources of $client" >&2; exit 77; }
work=${4:-}
[[ -n $work ]] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
mkdir -p "$work"
sources=$(cd "$sources" && pwd) work=$(cd "$work" && pwd)

export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
read -ra coin <<<"$(pkg-config --libs cbc cgl osi-clp clp)"
read -ra include <<<"$(pkg-config --cflags cbc cgl osi-clp clp)"
flags=(-std=c++14 -O1 -w "${include[@]}")
swap=(-include "$root/tests/osi/clients/osi_cuda_for_clp.hpp" -std=c++17 "-I$root/osi")
cuda=("-L$libraries" "-Wl,-rpath,$libraries" -lOsiCuda)

# compile SIDE OBJECT SOURCE FLAG...: with the class of that side
compile() {
  local side=$1 object=$work/$1-$2.o source=$3
  shift 3
  local words=(${CXX:-c++} "${flags[@]}" "$@")
  [[ $side == clp ]] || words+=("${swap[@]}")
  "${words[@]}" -c "$source" -o "$object"
}
link() { ${CXX:-c++} -o "$work/$1-test" "${@:2}" "${cuda[@]}" "${coin[@]}"; }

# LEMON's class for mixed integer programs, by Cbc.
lemon() {
  mkdir -p "$work/lemon"
  printf '#define %s\n' 'LEMON_HAVE_LP 1' 'LEMON_HAVE_MIP 1' 'LEMON_HAVE_CBC 1' 'LEMON_HAVE_CLP 1' \
    '_LEMON_CLP 2' 'LEMON_DEFAULT_LP _LEMON_CLP' '_LEMON_CBC 5' 'LEMON_DEFAULT_MIP _LEMON_CBC' >"$work/lemon/config.h"
  local own=("-I$work" "-I$sources")
  compile "$1" cbc "$sources/lemon/cbc.cc" "${own[@]}"
  local part
  for part in lp_base lp_skeleton base random; do compile clp "$part" "$sources/lemon/$part.cc" "${own[@]}"; done
  compile clp mip_test "$sources/test/mip_test.cc" "${own[@]}"
  link "$1" "$work/$1-cbc.o" "$work"/clp-{mip_test,lp_base,lp_skeleton,base,random}.o
}

# CoinMP's library and its unit test. Cbc's command line as a function accepts OsiClp only: the searches of both
# sides call the model.
coinmp() {
  local from=$sources/CoinMP/src file
  sed '/define NEW_STYLE_CBCMAIN/d' "$from/CoinCbc.cpp" >"$work/CoinCbc.cpp"
  local own=("-I$from")
  compile "$1" CoinCbc "$work/CoinCbc.cpp" "${own[@]}"
  for file in CoinMP.cpp CoinOption.c CoinProblem.c CoinResult.c CoinSolver.c; do
    compile clp "${file%.*}" "$from/$file" -x c++ "${own[@]}"
  done
  compile clp unitTest "$sources/CoinMP/test/unitTest.cpp" "${own[@]}"
  link "$1" "$work/$1-CoinCbc.o" "$work"/clp-{CoinMP,CoinOption,CoinProblem,CoinResult,CoinSolver,unitTest}.o
}

# What cyclus solves its exchanges with, and the tests of that, without its simulations. The time limit is set by
# Clp's own method there. env.h says what the tests ask for; numbers are cyclus's defaults.
cyclus() {
  local from=$sources/src file objects=()
  sed 's/@[a-z_]*@/1/' "$from/platform.h.in" >"$work/platform.h"
  sed 's/@CY_NEAR_ZERO@/1e-8/; s/@CY_LARGE_INT@/2147483647/; s/@CY_LARGE_DOUBLE@/1e299/' "$from/cyc_limits.h.in" >"$work/cyc_limits.h"
  echo 'namespace cyclus { struct Env { static bool allow_milps() { return true; } }; }' >"$work/env.h"
  echo 'namespace cyclus { double cy_eps = 1e-6, cy_eps_rsrc = 1e-6; }' >"$work/numbers.cc"
  local own=(-std=c++17 "-I$work" "-I$from" "-I$sources/tests")
  if [[ $1 == clp ]]; then cat "$from/solver_factory.cc"; else
    sed 's/getModelPtr()->setMaximumSeconds(tmax_)/setSolverOption("time-limit", std::to_string(tmax_))/' "$from/solver_factory.cc"
  fi >"$work/solver_factory.cc"
  sed '/include "context.h"/d' "$from/exchange_solver.cc" >"$work/exchange_solver.cc"
  compile "$1" solver_factory "$work/solver_factory.cc" "${own[@]}"
  for file in "$from"/{prog_translator,exchange_graph,logger,coin_helpers,error}.cc \
    "$sources"/tests/{prog_translator,solver_factory}_tests.cc "$work"/{exchange_solver,numbers}.cc; do
    compile clp "$(basename "$file" .cc)" "$file" "${own[@]}"
    objects+=("$work/clp-$(basename "$file" .cc).o")
  done
  link "$1" "$work/$1-solver_factory.o" "${objects[@]}" -lgtest -lgtest_main -lCbcSolver -lOsiCbc -lpthread
}

# SYMPHONY names its solver's class in one header. One of the classes that it knows stands for ours.
symphony() {
  local to=$work/$1-symphony libraries_of_ours="${cuda[*]}"
  mkdir -p "$to/stand-in"
  printf '#include <OsiCudaSolverInterface.hpp>\ntypedef OsiCudaSolverInterface OsiGlpkSolverInterface;\n' \
    >"$to/stand-in/OsiGlpkSolverInterface.hpp"
  (cd "$to" && "$sources/configure" --disable-static --without-glpk --without-gmpl CFLAGS="-O1 -w" CXXFLAGS="-O1 -w -std=c++17"
    [[ $1 == clp ]] || sed -i "s#-D__OSI_CLP__#-D__OSI_GLPK__ -I$to/stand-in -I$root/osi#
      s#^SYMPHONYLIB_LFLAGS = #&$libraries_of_ours #" src/Makefile
    make -C src) >"$work/$1.build" 2>&1
  printf '#!/bin/sh -e\nfor mip in p0033 p0201; do %s/src/symphony -F /usr/share/coin/Data/Sample/$mip.mps; done\n' "$to" \
    >"$work/$1-test"
  chmod +x "$work/$1-test"
}

for side in clp cuda; do
  "$client" $side
  (cd "$work" && timeout 300 "./$side-test") >"$work/$side.out" 2>&1 || { tail "$work/$side.out"; echo "$client fails with $side" >&2; exit 1; }
done
# Iterations, nodes and the point among several optima may differ; statuses and objectives may not.
said() { grep -E "^(Solve Problem|Solution Result|Optimal Value|Solution Cost|\[  PASSED  \])" "$work/$1.out" |
  awk '/Solution Cost/ { $3 = sprintf("%.6f", $3) } 1' || true; }
diff <(said clp) <(said cuda)
echo "$client: the test passes with both, and says the same ($(said cuda | wc -l) lines)"
