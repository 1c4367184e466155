#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Writes what a package bundles, as SPDX 2.3 JSON, and the texts of its licences.

usage: sbom.py NAME FOLDER OUT    every shared library under FOLDER that is not of this project; the
                                  texts go into the folder licences beside OUT
       sbom.py NAME WHEEL --inside   written into the wheel's information: sboms/NAME.spdx.json, and
                                  each text as a License-File

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


def licences(found: dict[str, object]) -> dict[str, bytes]:
    """The copyright files of the packages that an SBOM names, and the texts that they refer to."""
    texts = {}
    for package in found["packages"]:
        for reference in package.get("externalRefs", ()):
            name = reference["referenceLocator"].split("/")[-1].split("@")[0]
            texts[name] = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_bytes()
    for text in [*texts.values()]:
        for common in re.findall(r"/usr/share/common-licenses/([A-Z][\w.-]*\w)", text.decode()):
            texts[common] = pathlib.Path(f"/usr/share/common-licenses/{common}").read_bytes()
    return texts


def put_inside(wheel: pathlib.Path, files: dict[str, bytes]) -> None:
    """Adds files to the wheel's information: its record has them, its metadata the licences."""
    with zipfile.ZipFile(wheel) as old:
        info = next(n for n in old.namelist() if n.endswith(".dist-info/RECORD")).removesuffix("/RECORD")
        content = {entry: old.read(entry) for entry in old.infolist()}
    added = {f"{info}/{name}": data for name, data in files.items()}
    record = [line for line in content[next(e for e in content if e.filename == f"{info}/RECORD")]
              .decode().splitlines() if line.split(",")[0] not in {*added, f"{info}/METADATA"}]
    fresh = wheel.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
        for entry, data in content.items():
            if entry.filename == f"{info}/METADATA":
                head, _, rest = data.decode().partition("\n\n")
                lines = [f"License-File: {name.removeprefix('licenses/')}" for name in files
                         if name.startswith("licenses/")]
                kept = [line for line in head.splitlines() if line not in lines]
                added[entry.filename] = "\n".join([*kept, *lines, "", rest]).encode()
            elif entry.filename not in {*added, f"{info}/RECORD"}:
                new.writestr(entry, data)
        for name, data in added.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        new.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join(record) + "\n")
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
    text = (json.dumps(found, indent=1) + "\n").encode()
    if out == "--inside":
        put_inside(source, {f"sboms/{name}.spdx.json": text,
                            **{f"licenses/libraries/{k}.txt": v for k, v in licences(found).items()}})
    else:
        folder = pathlib.Path(out).parent / "licences"
        folder.mkdir(exist_ok=True)
        pathlib.Path(out).write_bytes(text)
        for package, licence in licences(found).items():
            (folder / package).write_bytes(licence)
    print(f"{name}: {len(found['packages']) - 1} bundled libraries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
