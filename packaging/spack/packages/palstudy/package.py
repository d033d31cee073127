# SPDX-License-Identifier: MIT
# Tried: that Python reads it, and that its dependencies are those of scripts/packages.txt (tests/packaging). Not tried: spack
# itself, which was not at hand, and so CudaPackage and the versions that a site's concretizer would choose.
from spack.package import *


class Palstudy(CMakePackage, CudaPackage):
    """What variability-aware scheduling (PAL, SC'24) would change on a GPU cluster: measures GPUs, simulates schedulers on clusters
    made of the measurements with MPI, and compares them with intervals."""

    license("MIT")
    version("1.0.0")  # the checkout: spack.yaml beside this repository develops it

    variant("report", default=True, description="palstudy-report: pages and figures, in Python")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    conflicts("%gcc@:11", msg="C++20 is needed")

    # From scripts/packages.txt, section build.
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("git", type="build")
    depends_on("mpi@3.1:")
    depends_on("hdf5+mpi")
    depends_on("boost@1.74:+math")
    depends_on("boost@1.74:+serialization")
    depends_on("openssl@3:")
    depends_on("zlib")
    depends_on("fmt@9:")
    depends_on("spdlog+fmt_external")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus")
    depends_on("cli11")
    depends_on("random123")
    depends_on("xxhash")
    depends_on("coin-or-clp")
    depends_on("cbc")
    # Section install.
    depends_on("help2man", type="build")
    # Section report.
    with when("+report"):
        depends_on("python@3.11:", type="run")
        depends_on("py-numpy", type="run")
        depends_on("py-h5py", type="run")
        depends_on("py-pandas", type="run")
        depends_on("py-matplotlib", type="run")
        depends_on("py-jinja2", type="run")
    depends_on("cuda@12:", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define("PALSTUDY_TESTS", False),
            self.define_from_variant("PALSTUDY_CUDA", "cuda"),
        ]
        if self.spec.satisfies("+cuda"):
            architectures = self.spec.variants["cuda_arch"].value
            if architectures != ("none",):
                arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return arguments
