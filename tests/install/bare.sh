#!/bin/sh
# SPDX-License-Identifier: EPL-2.0
# Installs packages of Debian into a bare system of debootstrap's, runs README's examples, and purges
# them: no file may be left. Prints seconds and megabytes from nothing to the first answers. As root.
# Exit status 77, skipped, where there is no debootstrap or no mirror.
#
#     bare.sh SUITE FOLDER PACKAGES     FOLDER keeps the bare system for the next time
set -eu
suite=$1 folder=$2 packages=$3
command -v debootstrap >/dev/null && [ "$(id -u)" -eq 0 ] || { echo "skipped: no debootstrap, or not root"; exit 77; }
[ -f "$folder/$suite/etc/debian_version" ] ||
  debootstrap --variant=minbase "$suite" "$folder/$suite" >"$folder/$suite.log" 2>&1 ||
  { echo "skipped: $suite can't be had"; exit 77; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -a "$folder/$suite/." "$root/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" 2>&1; }
get() { inside apt-get -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >"$root/tmp/log" || { cat "$root/tmp/log"; exit 1; }; }
files() { (cd "$root" && find . -xdev \( -path ./tmp -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./proc -o -path ./dev \) -prune -o -print | sort); }
megabytes() { du -sm --exclude=./var/cache "$root" | cut -f 1; }

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
echo "Debian $(cat "$root/etc/debian_version"): $(($(date +%s) - begin)) s, $(($(megabytes) - before)) MB"
get purge -y osi-cuda osi-cuda-glpk libosi-cuda0 libosicuda0.1 libosi-cuda-dev python3-osi-cuda
inside sh -c 'find / -xdev -ipath "*osi*cuda*" -not -path "/tmp/*" -not -path "/proc/*"' | grep . && { echo "left behind"; exit 1; }
get autoremove --purge -y
files >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || true
