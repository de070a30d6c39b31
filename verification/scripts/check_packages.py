#!/usr/bin/env python3
"""Makes the Debian packages of a build, unpacks them into a folder, and uses what is there.

The program runs a deck, man finds the pages, and a project that knows only pkg-config or only CMake builds against the
library. By hand: exit status 77 unless RICOCHET_FULL is set, or where dpkg-deb is missing.

Usage: check_packages.py --build FOLDER --compiler PROGRAM
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import default_root

PACKAGES = {"ricochet": "libhdf5", "libricochet-dev": "libeigen3-dev", "ricochet-manual": ""}


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def expected(build):
    """Packages and what each depends on; that of Python only where it is built for Debian's own Python."""
    config = (build / "CPackConfig.cmake").read_text(encoding="utf-8")
    has_python = re.search(r'CPACK_COMPONENTS_ALL "[^"]*python', config)
    return PACKAGES | ({"python3-ricochet": "python3-xarray"} if has_python else {})


def unpacked(build, place):
    """Makes the packages, checks what they say of themselves, and unpacks them into a root folder."""
    run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", place, cwd=build)
    root, found = place / "root", {}
    for package in sorted(place.glob("*.deb")):
        name = run("dpkg-deb", "--field", package, "Package").strip()
        found[name] = run("dpkg-deb", "--field", package, "Depends").strip()
        run("dpkg-deb", "--extract", package, root)
    wanted = expected(build)
    if set(found) != set(wanted):
        raise SystemExit(f"packages {sorted(found)} instead of {sorted(wanted)}")
    for name, needed in wanted.items():
        if needed not in found[name]:
            raise SystemExit(f"{name} depends on {found[name]!r}, without {needed}")
    return root


def use_program(root, place):
    program = root / "usr/bin/ricochet"
    print(run(program, "--version"))
    run(program, "new", "shoe", cwd=place)
    run(program, "run", "--quiet", "shoe.toml", cwd=place)
    if not (place / "shoe.h5").exists():
        raise SystemExit("the installed program wrote no result")
    pages = sorted((root / "usr/share/man/man1").glob("ricochet*.1*"))
    if len(pages) < 16 or "slides on a rough table" not in (
            root / "usr/share/doc/ricochet/examples/shoe.toml").read_text(encoding="utf-8"):
        raise SystemExit("the manual is not complete")
    run("man", "-l", pages[0], env={**os.environ, "MANPAGER": "cat"})


def use_python(root, place):
    """Debian's Python finds the module where its package puts it."""
    packages = root / "usr/lib/python3/dist-packages"
    if not packages.is_dir():
        return
    told = run("/usr/bin/python3", "-B", "-c", "import ricochet; print(ricochet.__file__, ricochet.run('shoe.toml', 'py.h5').summary['status'])",
               cwd=place, env={**os.environ, "PYTHONPATH": str(packages)})
    if str(packages) not in told or "complete" not in told:
        raise SystemExit(f"the installed Python package says {told!r}")


def use_library(root, place, compiler):
    """The consumer of check_install.py, by pkg-config and by CMake."""
    source = default_root() / "verification/install_consumer"
    configs = list((root / "usr").rglob("ricochet.pc"))
    environment = {**os.environ, "PKG_CONFIG_PATH": str(configs[0].parent)}
    flags = run("pkg-config", "--cflags", "--libs", "ricochet", env=environment).split()
    run(compiler, source / "main.cpp", "-o", place / "by_pkg_config", *flags)
    run(place / "by_pkg_config")
    run("cmake", "-S", source, "-B", place / "consumer", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_PREFIX_PATH={root / 'usr'}")
    run("cmake", "--build", place / "consumer")
    run(place / "consumer/consumer")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    if "RICOCHET_FULL" not in os.environ or not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        print("skipped: RICOCHET_FULL is not set, or there are no tools of Debian")
        return 77
    place = options.build.resolve() / "verification" / "packages"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    root = unpacked(options.build.resolve(), place)
    use_program(root, place)
    use_python(root, place)
    use_library(root, place, options.compiler)
    return 0


if __name__ == "__main__":
    sys.exit(main())
