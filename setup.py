"""Builds the Python package with CMake.

    pip install . --no-build-isolation

RICOCHET_BUILD=FOLDER takes the module from a folder where CMake has built it (RICOCHET_BUILD_PYTHON=ON).
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        given = os.environ.get("RICOCHET_BUILD")
        folder = Path(given) if given else Path(self.build_temp).resolve()
        if not given:
            options = {"CMAKE_BUILD_TYPE": "Release", "RICOCHET_BUILD_PYTHON": "ON", "RICOCHET_BUILD_TESTING": "OFF",
                       "RICOCHET_BUILD_BENCHMARKS": "OFF", "RICOCHET_WERROR": "OFF", "RICOCHET_PRECOMPILE": "all",
                       "RICOCHET_UNITE": "all", "RICOCHET_PYTHON": sys.executable}
            run("cmake", "-S", ROOT, "-B", folder, *(f"-D{key}={value}" for key, value in options.items()))
            run("cmake", "--build", folder, "--parallel", os.cpu_count() or 1, "--target", "ricochet_python")
        modules = list((folder / "python" / "ricochet").glob("_core*.so"))
        if len(modules) != 1:
            raise SystemExit(f"{folder}: holds no Python module of ricochet; build there with RICOCHET_BUILD_PYTHON=ON")
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(modules[0], target)


version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project(")[1])
setup(
    version=version.group(1),
    packages=["ricochet"],
    package_dir={"ricochet": "io/python/ricochet"},
    package_data={"ricochet": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("ricochet._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
