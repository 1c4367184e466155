#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the recipes of conda-forge, Spack and vcpkg and looks at them as far as that goes without their registries.

usage: recipes.py SOURCE BUILD FOLDER

Checksums are those of the archive, which has the same bytes when it is made again; conda's recipe is rendered by
rattler-build (Python's package py-rattler-build) for the processor and for CUDA; Spack's are compiled, and their
dependencies are packages of Spack's where SPACK_PACKAGES names a checkout; vcpkg's portfile is run with functions
that only write down their arguments, and dependencies are ports where VCPKG_ROOT names a checkout; the options
that a recipe hands to CMake are the build's. Exit status 77 where rattler-build is not there, after all else.
"""
import ast
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE, BUILD, FOLDER = (pathlib.Path(argument) for argument in sys.argv[1:4])
STUBS = """
cmake_minimum_required(VERSION 3.22)
foreach(name IN ITEMS download_distfile extract_source_archive check_features cmake_configure cmake_install
    cmake_config_fixup fixup_pkgconfig install_copyright)
  function(vcpkg_${name})
    string(REPLACE ";" " " words "${ARGN}")
    message(STATUS "${CMAKE_CURRENT_FUNCTION} ${words}")
  endfunction()
endforeach()
set(OSI_CUDA_LAPACKE_LIBRARY /lapacke.so)
set(OSI_CUDA_LAPACKE_INCLUDE /)
set(CURRENT_PACKAGES_DIR "${CMAKE_CURRENT_LIST_DIR}/none")
include("${PORTFILE}")
"""


def made():
    subprocess.run([SOURCE / "packages/make.sh", BUILD, FOLDER, "recipes"], check=True, capture_output=True)
    archive, = FOLDER.glob("osi-cuda-*.tar.gz")
    return archive.read_bytes()


def spack(recipes):
    checkout = os.environ.get("SPACK_PACKAGES")
    for path in recipes.glob("spack/*/package.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), path)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "depends_on":
                name = re.match(r"[a-z0-9-]+", call.args[0].value)[0]
                if checkout and name not in ("c", "cxx", "pkgconfig", "zlib-api", "osi-cuda"):
                    known = pathlib.Path(checkout, "repos/spack_repo/builtin/packages", name.replace("-", "_"))
                    assert known.is_dir(), f"Spack has no {name}"


def vcpkg(recipes):
    manifest = json.loads((recipes / "vcpkg/vcpkg.json").read_text(encoding="utf-8"))
    asked = manifest["dependencies"] + [d for f in manifest["features"].values() for d in f["dependencies"]]
    names = [d if isinstance(d, str) else d["name"] for d in asked]
    own = names[:len(manifest["dependencies"])]
    assert own == sorted(own), "dependencies in the order of the alphabet"
    checkout = os.environ.get("VCPKG_ROOT")
    for name in names if checkout else ():
        assert pathlib.Path(checkout, "ports", name, "vcpkg.json").exists(), f"vcpkg has no {name}"
    stubs = FOLDER / "stubs.cmake"
    stubs.write_text(STUBS, encoding="utf-8")
    subprocess.run(["cmake", f"-DPORTFILE={recipes}/vcpkg/portfile.cmake", "-DVERSION=" + manifest["version"],
                    "-DPORT=osi-cuda", "-P", stubs], check=True, capture_output=True)


def options(recipes):
    known = set(re.findall(r"OSI_CUDA_[A-Z_]+", "".join(
        (SOURCE / "cmake" / name).read_text(encoding="utf-8")
        for name in ("OsiCudaOptions.cmake", "OsiCudaDependencies.cmake"))))
    known |= {"OSI_CUDA_LAPACKE_LIBRARY", "OSI_CUDA_LAPACKE_INCLUDE", "OSI_CUDA_LIBRARY"}
    for path in recipes.rglob("*.*"):
        for option in re.findall(r"OSI_CUDA_[A-Z_]+", path.read_text(encoding="utf-8")):
            assert option in known, f"{path}: there is no {option}"


def conda(recipes):
    try:
        from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig
    except ImportError:
        return False
    recipe = Stage0Recipe.from_file(str(recipes / "conda/recipe.yaml"))
    variants = VariantConfig({
        "cuda_compiler_version": ["None", "13.0"], "cuda_compiler": ["cuda-nvcc"], "python_min": ["3.10"],
        "cxx_compiler": ["gxx"], "cxx_compiler_version": ["14"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]})
    rendered = recipe.render(variants, RenderConfig(PlatformConfig(target_platform="linux-64")))
    found = sorted((str(v.recipe.package.name), str(v.recipe.to_dict()["build"].get("string")), v.recipe.to_dict()["build"].get("skip"))
                   for v in rendered)
    print(*found, sep="\n")
    return True


archive = made()
assert made() == archive, "the archive has other bytes when it is made again"
recipes = FOLDER / "recipes"
for path in recipes.rglob("*.*"):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"@[A-Z0-9]+@", text), f"{path}: something was not filled in"
assert hashlib.sha256(archive).hexdigest() in (recipes / "conda/recipe.yaml").read_text(encoding="utf-8")
assert hashlib.sha512(archive).hexdigest() in (recipes / "vcpkg/portfile.cmake").read_text(encoding="utf-8")
spack(recipes)
vcpkg(recipes)
options(recipes)
sys.exit(0 if conda(recipes) else "rattler-build is not there" and 77)
