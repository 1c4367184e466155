#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Writes what a package bundles, with licences, as SPDX 2.3 JSON.

usage: sbom.py NAME FOLDER OUT    every shared library under FOLDER that is not of this project
       sbom.py NAME WHEEL OUT     the same of a wheel
       sbom.py NAME WHEEL --inside   written into the wheel, as sboms/NAME.spdx.json of its information

A library that packages/libraries.json does not know is an error: nothing is given out whose licence is
not known. Versions are those of the Debian packages that own the files on this machine.
"""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
OWN = ("libosi_cuda", "libOsiCuda", "OsiCuda")
# What auditwheel calls a library that it bundles: NAME-HASH.so.N.
HASHED = re.compile(r"-[0-9a-f]{8}(?=\.so|\.)")


class Unknown(Exception):
    """A library without an entry in libraries.json."""


def known(name: str) -> tuple[str, str]:
    libraries = json.loads((HERE / "libraries.json").read_text(encoding="utf-8"))["libraries"]
    fitting = [begin for begin in libraries if re.match(re.escape(begin) + r"[-.\d]", name)]
    if not fitting:
        raise Unknown(f"{name} has no licence in packages/libraries.json")
    what, licence = libraries[max(fitting, key=len)]
    return what, licence


def owner(name: str) -> tuple[str, str] | None:
    """Debian's package of a library of this name and its version, where there is one."""
    plain = HASHED.sub("", name)
    begin = plain.split(".so")[0]
    search = subprocess.run(["dpkg", "-S", f"*/{begin}*.so*"], capture_output=True, text=True)
    for line in search.stdout.splitlines():
        package, _, path = line.partition(": ")
        if pathlib.Path(path).name.startswith(plain.split(".so")[0] + ".so") and "-dev" not in package:
            package = package.split(",")[0].split(":")[0]
            version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package],
                                     capture_output=True, text=True).stdout
            return package, version
    return None


def document(name: str, folder: pathlib.Path) -> dict[str, object]:
    root = "SPDXRef-osi-cuda"
    packages: list[dict[str, object]] = [{
        "SPDXID": root, "name": name, "versionInfo": version(), "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "EPL-2.0", "licenseDeclared": "EPL-2.0",
        "copyrightText": "NOASSERTION", "supplier": "NOASSERTION",
    }]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": root}]
    seen = set()
    for path in sorted(folder.rglob("*.so*")):
        if path.is_symlink() or path.name.startswith(OWN) or path.name in seen:
            continue
        seen.add(path.name)
        what, licence = known(path.name)
        package = owner(path.name)
        identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", path.name)
        packages.append({
            "SPDXID": identity, "name": what, "packageFileName": path.name,
            "versionInfo": package[1] if package else "NOASSERTION",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "supplier": "Organization: Debian" if package else "NOASSERTION",
            "checksums": [{"algorithm": "SHA256",
                           "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
            **({"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{package[0]}@{package[1]}"}]}
               if package else {}),
        })
        relations.append({"spdxElementId": root, "relationshipType": "CONTAINS",
                          "relatedSpdxElement": identity})
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": name, "documentNamespace": f"https://spdx.org/spdxdocs/osi-cuda-{digest[:32]}",
        "creationInfo": {"created": "1980-01-01T00:00:00Z", "creators": ["Tool: packages/sbom.py"]},
        "packages": packages, "relationships": relations,
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-public-domain", "name": "public domain",
            "extractedText": "The authors have put this software into the public domain."}],
    }


def version() -> str:
    text = (HERE.parent / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(OsiCuda VERSION ([\d.]+)", text)[1]


def put_inside(wheel: pathlib.Path, name: str, text: str) -> None:
    """Adds the text to the wheel and its record."""
    with zipfile.ZipFile(wheel) as old:
        info = next(n for n in old.namelist() if n.endswith(".dist-info/RECORD")).removesuffix("/RECORD")
        place = f"{info}/sboms/{name}.spdx.json"
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        line = f"{place},sha256={digest},{len(text.encode())}\n"
        fresh = wheel.with_suffix(".new")
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                if entry.filename == place:
                    continue
                data = old.read(entry)
                if entry.filename == f"{info}/RECORD":
                    kept = [ln for ln in data.decode().splitlines(True) if not ln.startswith(place)]
                    data = ("".join(kept) + line).encode()
                new.writestr(entry, data)
            new.writestr(zipfile.ZipInfo(place), text)
    shutil.move(fresh, wheel)


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 64
    name, source, out = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    if not source.exists():
        print(f"sbom.py: there is no {source}", file=sys.stderr)
        return 66
    try:
        if source.is_dir():
            found = document(name, source)
        else:
            with tempfile.TemporaryDirectory() as folder:
                zipfile.ZipFile(source).extractall(folder)
                found = document(name, pathlib.Path(folder))
    except Unknown as error:
        print(f"sbom.py: {error}", file=sys.stderr)
        return 69
    text = json.dumps(found, indent=1) + "\n"
    if out == "--inside":
        put_inside(source, name, text)
    else:
        pathlib.Path(out).write_text(text, encoding="utf-8")
    print(f"{name}: {len(found['packages']) - 1} bundled libraries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
