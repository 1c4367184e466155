# SPDX-License-Identifier: EPL-2.0
# Part of bare.sh and build.sh: a bare system of $suite in $folder, and commands in the one in $root.

# Debian's suites and Ubuntu's noble, whose keys Debian does not have: OSI_CUDA_UBUNTU_KEYRING names the file
# (ubuntu-archive-keyring.gpg of Ubuntu's package ubuntu-keyring).
bare_system() {
  command -v debootstrap >/dev/null && [ "$(id -u)" -eq 0 ] || { echo "skipped: no debootstrap, or not root"; exit 77; }
  [ ! -f "$folder/$suite/etc/debian_version" ] || return 0
  mkdir -p "$folder"
  case $suite in
    noble) set -- --components=main,universe --keyring="${OSI_CUDA_UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}" \
      noble "$folder/new-$suite" http://archive.ubuntu.com/ubuntu gutsy ;;
    *) set -- "$suite" "$folder/new-$suite" ;;
  esac
  rm -rf "$folder/new-$suite"
  debootstrap --variant=minbase "$@" >"$folder/$suite.log" 2>&1 || { echo "skipped: $suite can't be had"; exit 77; }
  mv "$folder/new-$suite" "$folder/$suite"
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" 2>&1; }
get() { inside apt-get -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >"$root/tmp/log" || { cat "$root/tmp/log"; exit 1; }; }
