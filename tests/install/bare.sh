#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Builds Debian's packages on a bare system of debootstrap's and reads them with that release's lintian; installs
# them into another one, runs README's examples, and purges them: no file may be left. Prints seconds and megabytes
# from nothing to the first answers. As root. Exit status 77, skipped, where there is no debootstrap or no mirror.
#
#     bare.sh SUITE FOLDER PACKAGES [SOURCE BUILD]
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

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -a "$folder/$suite/." "$root/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
get update
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
echo "$(. "$root/etc/os-release" && echo "$PRETTY_NAME"): $(($(date +%s) - begin)) s, $(($(megabytes) - before)) MB"
get purge -y osi-cuda osi-cuda-glpk libosi-cuda0 libosicuda0.1 libosi-cuda-dev python3-osi-cuda
inside sh -c 'find / -xdev -ipath "*osi*cuda*" -not -path "/tmp/*" -not -path "/proc/*"' | grep . && { echo "left behind"; exit 1; }
get autoremove --purge -y
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || true
