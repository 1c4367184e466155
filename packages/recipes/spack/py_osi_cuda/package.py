# SPDX-License-Identifier: EPL-2.0
from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyOsiCuda(PythonPackage):
    """Linear programs by a proving simplex solver, with SciPy's arguments."""

    homepage = "@ADDRESS@"
    url = "@ADDRESS@/releases/download/v@VERSION@/osi-cuda-@VERSION@.tar.gz"

    license("EPL-2.0", checked_by="osi-cuda")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("python@3.10:", type=("build", "run"))
    depends_on("py-scikit-build-core@0.10:", type="build")
    depends_on("py-numpy@1.23:", type=("build", "run"))
    depends_on("osi-cuda@@VERSION@", type=("build", "run"))

    def config_settings(self, spec, prefix):
        return {"wheel.cmake": "false"}

    def setup_run_environment(self, env):
        libraries = find_libraries("libosi_cuda", self.spec["osi-cuda"].prefix, recursive=True)
        env.set("OSI_CUDA_LIBRARY", libraries[0])
