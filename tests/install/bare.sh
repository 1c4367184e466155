#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Builds Debian's packages on a bare system of debootstrap's and reads them with that release's lintian; installs
# them into another one, runs README's examples, and purges them: no file may be left. Prints seconds and megabytes
# from nothing to the first answers. As root. Exit status 77, skipped, where there is no debootstrap or no mirror.
#
#     bare.sh SUITE FOLDER PACKAGES [SOURCE BUILD]
#     bare.sh SUITE FOLDER WHEELS
#
# The second one installs the wheel osi_cuda-*.whl of the folder WHEELS (whose name ends so) with PuLP into an
# environment of that system's Python, and solves integers through PuLP and with the program: in less than a minute.
#
# SUITE is one of Debian's, or noble, whose keys Debian does not have: OSI_CUDA_UBUNTU_KEYRING names the file
# (ubuntu-archive-keyring.gpg of Ubuntu's package ubuntu-keyring). FOLDER keeps the bare system, and the one with
# what a build needs. PACKAGES has the packages, or the source package alone, which is built then; with SOURCE and
# BUILD that is made of the last commit.
set -eu
suite=$1 folder=$2 packages=$3 source=${4:-} build=${5:-}
command -v debootstrap >/dev/null && [ "$(id -u)" -eq 0 ] || { echo "skipped: no debootstrap, or not root"; exit 77; }
if [ ! -f "$folder/$suite/etc/debian_version" ]; then
  mkdir -p "$folder"
  new=$folder/$suite.new
  rm -rf "$new"
  case $suite in
    noble) set -- --components=main,universe --keyring="${OSI_CUDA_UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}" \
      noble "$new" http://archive.ubuntu.com/ubuntu gutsy ;;
    *) set -- "$suite" "$new" ;;
  esac
  debootstrap --variant=minbase "$@" >"$folder/$suite.log" 2>&1 || { echo "skipped: $suite can't be had"; exit 77; }
  mv "$new" "$folder/$suite"
fi
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" 2>&1; }
get() { inside apt-get -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >"$root/tmp/log" || { cat "$root/tmp/log"; exit 1; }; }
files() { (cd "$root" && find . -xdev \( -path ./tmp -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./proc -o -path ./dev \) -prune -o -print | sort); }
megabytes() { du -sm --exclude=./var/cache "$root" | cut -f 1; }

fresh() {  # a system to install into
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  cp -a "$folder/$suite/." "$root/"
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  get update
}
said() { echo "$(. "$root/etc/os-release" && echo "$PRETTY_NAME"): $(($(date +%s) - begin)) s, $1"; }

case $packages in *wheels)
  wheel=$(ls "$packages"/osi_cuda-*.whl 2>/dev/null) || { echo "skipped: the test python.wheel makes the wheel"; exit 77; }
  fresh
  get install -y python3-venv ca-certificates
  cp /etc/pip.conf /etc/ssl/certs/ca-certificates.crt "$wheel" "$root/tmp/" 2>/dev/null || true
  [ ! -f "$root/tmp/pip.conf" ] || cp "$root/tmp/pip.conf" "$root/etc/"
  cp "$root/tmp/ca-certificates.crt" "$root/etc/ssl/certs/"
  cat >"$root/tmp/whole.py" <<'END'
import pulp, osi_cuda.pulp

problem = pulp.LpProblem("whole", pulp.LpMinimize)
x = [problem.add_variable(f"x{k}", 0, 10, cat="Integer") for k in range(4)]
problem += pulp.lpSum(cost * v for cost, v in zip((3, 2, 7, 4), x))
problem += pulp.lpSum(food * v for food, v in zip((2, 1, 5, 3), x)) >= 17.5
problem += x[0] + x[2] <= 4
problem.solve(osi_cuda.pulp.OsiCuda(msg=False))
assert problem.osi_cuda_solution.objective == 24, problem.osi_cuda_solution
END
  printf 'max x + y\nst\n c: 2 x + 2 y <= 3\ngeneral\n x y\nend\n' >"$root/tmp/whole.lp"
  begin=$(date +%s)
  inside sh -c "cd /tmp && python3 -m venv env && env/bin/pip install -q ${wheel##*/} pulp && env/bin/python whole.py"
  inside /tmp/env/bin/osi-cuda solve /tmp/whole.lp --integers | grep -F 'objective   1.0'
  said "$(du -sm "$root/tmp/env" | cut -f 1) MB, $(inside /tmp/env/bin/pip list | grep -iE '^(numpy|pulp) ' | tr -s ' \n' ' ')"
  [ $(($(date +%s) - begin)) -lt 60 ]
  exit ;;
esac

if [ -n "$source" ]; then
  rm -rf "$packages"
  "$source/packages/make.sh" "$build" "$packages" debian_source
  packages=$packages/debian
fi
if ! ls "$packages"/*.deb >/dev/null 2>&1; then
  root=$folder/$suite-build
  [ -d "$root" ] || { cp -a "$folder/$suite" "$root.new" && mv "$root.new" "$root"; }
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  rm -rf "$root/build"
  mkdir "$root/build"
  cp "$packages"/osi-cuda_* "$root/build/"
  name=$(cd "$packages" && ls ./*.dsc)
  get update
  get install -y dpkg-dev lintian
  get build-dep -y "/build/$name"
  inside env DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" \
    sh -c "cd /build && dpkg-source -x $name tree && cd tree && dpkg-buildpackage -b -us -uc" >"$root/build/log" ||
    { tail -n 40 "$root/build/log"; exit 1; }
  # There is no bug to close, and the changelog names Debian's suite on Ubuntu, too.
  inside sh -c 'lintian --allow-root --fail-on error,warning \
    --suppress-tags initial-upload-closes-no-bugs,bad-distribution-in-changes-file /build/*.changes'
  cp "$root"/build/*.deb "$packages/"
fi

fresh
mkdir "$root/tmp/packages"
for package in libosi-cuda0 libosicuda0.1 libosi-cuda-dev osi-cuda osi-cuda-glpk python3-osi-cuda; do
  cp "$packages/${package}"_*.deb "$root/tmp/packages/"
done
cp /usr/share/coin/Data/Sample/afiro.mps "$root/tmp/"
files >"$root/tmp/before"
before=$(megabytes)
begin=$(date +%s)
get install -y $(cd "$root" && ls tmp/packages/*.deb | sed "s,^,/,")
inside osi-cuda solve /tmp/afiro.mps | grep -F 'objective   -464.7531428571'
inside python3 -c 'from osi_cuda import linprog
print(linprog([-20, -9], A_ub=[[4, 2], [15, 5]], b_ub=[40, 120]).fun)' | grep -Fx -e -188.0
said "$(($(megabytes) - before)) MB"
get purge -y osi-cuda osi-cuda-glpk libosi-cuda0 libosicuda0.1 libosi-cuda-dev python3-osi-cuda
inside sh -c 'find / -xdev -ipath "*osi*cuda*" -not -path "/tmp/*" -not -path "/proc/*"' | grep . && { echo "left behind"; exit 1; }
get autoremove --purge -y
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || true
