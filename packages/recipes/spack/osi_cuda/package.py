# SPDX-License-Identifier: EPL-2.0
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class OsiCuda(CMakePackage, CudaPackage):
    """Solves linear programs to a proved vertex, on processors or CUDA devices."""

    homepage = "@ADDRESS@"
    url = "@ADDRESS@/releases/download/v@VERSION@/osi-cuda-@VERSION@.tar.gz"

    license("EPL-2.0", checked_by="osi-cuda")

    version("@VERSION@", sha256="@SHA256@")

    variant("osi", default=True, description="OsiCudaSolverInterface for COIN-OR")
    variant("programs", default=True, description="The program osi-cuda", when="+osi")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("openblas threads=pthreads")
    depends_on("flint")
    depends_on("gmp")
    depends_on("zlib-api")
    depends_on("bzip2")
    depends_on("xz")
    depends_on("zstd")
    depends_on("coinutils@2.11.6:")
    depends_on("nlohmann-json")
    depends_on("osi@0.108.6:", when="+osi")
    with when("+programs"):
        depends_on("clp")
        depends_on("cbc")
        depends_on("cli11@2:")
        depends_on("fmt")
        depends_on("sqlite")
    depends_on("cuda@12.4:", when="+cuda")
    conflicts("cuda_arch=none", when="+cuda", msg="name the devices: cuda_arch=90")

    generator("ninja")

    def cmake_args(self):
        blas = self.spec["openblas"]
        args = [
            self.define("OSI_CUDA_TESTS", False),
            self.define("OSI_CUDA_EXAMPLES", False),
            self.define_from_variant("OSI_CUDA_OSI", "osi"),
            self.define("OSI_CUDA_PROGRAMS", self.spec.satisfies("+programs")),
            self.define_from_variant("OSI_CUDA_CUDA", "cuda"),
            # OpenBLAS has LAPACKE inside.
            self.define("OSI_CUDA_LAPACKE_LIBRARY", blas.libs[0]),
            self.define("OSI_CUDA_LAPACKE_INCLUDE", blas.prefix.include),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
