#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Fetches a source package of this release of Debian with apt, into lists of its own, and unpacks it; needs no root.

usage: debian_source.py PACKAGE FOLDER
"""
import pathlib
import platform
import subprocess
import sys
import tarfile


def main():
    package, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    apt = folder / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
    (apt / "sources.list").write_text("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                                      f"http://deb.debian.org/debian {suite} main\n", encoding="utf-8")
    settings = (f"Dir::Etc::sourcelist={apt}/sources.list", "Dir::Etc::sourceparts=-", f"Dir::State::lists={apt}/lists", f"Dir::Cache={apt}/cache",
                "APT::Sandbox::User=")
    options = ["-qq", *(word for setting in settings for word in ("-o", setting))]
    subprocess.run(["apt-get", *options, "update"], check=True)
    subprocess.run(["apt-get", *options, "source", "--download-only", package], check=True, cwd=folder)
    for archive in folder.glob("*.orig.tar.*"):
        with tarfile.open(archive) as file:
            file.extractall(folder)


if __name__ == "__main__":
    main()
