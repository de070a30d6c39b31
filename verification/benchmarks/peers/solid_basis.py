#!/usr/bin/env python3
"""The lowest modes of a solid bar of eight-node bricks, one end clamped: ricochet beside scipy's eigsh (ARPACK, shift-invert)
with SuperLU and with CHOLMOD (through a few lines of C, cholmod_shim.c), and beside CalculiX, in one run.

    solid_basis.py build/release/ricochet [--bricks 20 20 80] [--modes 50] [--free] [--peers cholmod superlu ccx]

Each runs in a process of its own, whose largest memory is told. Of ricochet and CalculiX the whole command is timed, files
read and results printed; of eigsh the call alone. Needs python3-scipy; CHOLMOD needs gcc and libsuitesparse-dev, CalculiX
calculix-ccx: without them they are left out. --free leaves out the clamp, and CalculiX with it.
"""
import argparse
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sp

YOUNG, POISSON, DENSITY = 2.1e11, 0.3, 7800.0  # [N/m^2, -, kg/m^3]
EDGE = 0.01  # of a brick [m]


def brick():
    """Stiffness and consistent mass of a trilinear brick, 2 x 2 x 2 points of Gauss: 24 x 24."""
    first = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    shear = YOUNG / (2 * (1 + POISSON))
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += first
    corners = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
    stiffness, mass = np.zeros((24, 24)), np.zeros((24, 24))
    volume = (EDGE / 2) ** 3
    for point in corners / np.sqrt(3):
        factors = 1 + corners * point
        shape = factors.prod(axis=1) / 8
        slope = [corners[:, a] * np.delete(factors, a, 1).prod(axis=1) / 8 * 2 / EDGE for a in range(3)]
        strain = np.zeros((6, 24))
        for a in range(3):
            strain[a, a::3] = slope[a]
        for row, (a, b) in enumerate(((0, 1), (1, 2), (0, 2)), start=3):
            strain[row, a::3], strain[row, b::3] = slope[b], slope[a]
        stiffness += volume * strain.T @ law @ strain
        spread = np.kron(shape, np.eye(3))
        mass += DENSITY * volume * spread.T @ spread
    return (stiffness + stiffness.T) / 2, (mass + mass.T) / 2


def bar(bricks, free):
    """K, M and the (node, component, position) of each row."""
    counts = np.array(bricks) + 1
    index = np.arange(counts.prod()).reshape(counts[::-1])
    corner = [index[k : k + bricks[2], j : j + bricks[1], i : i + bricks[0]].ravel() for k in (0, 1) for j in (0, 1)
              for i in (0, 1)]
    dofs = (3 * np.stack(corner, 1)[:, :, None] + np.arange(3)).reshape(-1, 24)
    rows, columns = np.repeat(dofs, 24, axis=1).ravel(), np.tile(dofs, (1, 24)).ravel()
    size = 3 * index.size
    kept = np.arange(size if free else size - 3 * index[0].size) + (0 if free else 3 * index[0].size)
    matrices = []
    for element in brick():
        full = sp.coo_matrix((np.tile(element.ravel(), len(dofs)), (rows, columns)), (size, size)).tocsc()
        matrices.append(full[kept][:, kept])
    return matrices, kept, counts


def write(folder, matrices, kept, counts, modes):
    for name, matrix in zip("km", matrices):
        lower = sp.tril(matrix).tocoo()
        with open(folder / f"{name}.mtx", "w", encoding="ascii") as file:
            file.write(f"%%MatrixMarket matrix coordinate real symmetric\n{lower.shape[0]} {lower.shape[0]} {lower.nnz}\n")
            np.savetxt(file, np.column_stack((lower.row + 1, lower.col + 1, lower.data)), fmt="%d %d %.17g")
    with open(folder / "dofs.csv", "w", encoding="ascii") as file:
        file.write("row, node, dof, x, y, z\n")
        node = kept // 3
        place = np.column_stack((node % counts[0], node // counts[0] % counts[1], node // (counts[0] * counts[1]))) * EDGE
        table = np.column_stack((np.arange(len(kept)) + 1, node, kept % 3 + 1, place))
        np.savetxt(file, table, fmt="%d, %d, %d, %.9g, %.9g, %.9g")
    deck = folder / "solid.toml"
    deck.write_text(
        f'[[matrices]]\nstiffness = "k.mtx"\nmass = "m.mtx"\ndofs = "dofs.csv"\n[basis]\nmodes = {modes}\n', encoding="ascii")
    return deck


def write_calculix(folder, bricks, counts, modes):
    index = np.arange(counts.prod()).reshape(counts[::-1])
    with open(folder / "solid.inp", "w", encoding="ascii") as file:
        file.write("*NODE, NSET=ALL\n")
        for k in range(counts[2]):
            for j in range(counts[1]):
                for i in range(counts[0]):
                    file.write(f"{index[k, j, i] + 1}, {i * EDGE:.9g}, {j * EDGE:.9g}, {k * EDGE:.9g}\n")
        file.write("*ELEMENT, TYPE=C3D8, ELSET=ALL\n")
        number = 0
        for k in range(bricks[2]):
            for j in range(bricks[1]):
                for i in range(bricks[0]):
                    number += 1
                    ring = ((0, 0), (0, 1), (1, 1), (1, 0))
                    nodes = [index[k + z, j + y, i + x] + 1 for z in (0, 1) for y, x in ring]
                    file.write(", ".join(map(str, [number, *nodes])) + "\n")
        file.write("*NSET, NSET=END\n" + ",\n".join(str(node + 1) for node in index[0].ravel()) + "\n")
        file.write(f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{YOUNG}, {POISSON}\n*DENSITY\n{DENSITY}\n"
                   "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n*BOUNDARY\nEND, 1, 3\n"
                   f"*STEP\n*FREQUENCY\n{modes}\n*END STEP\n")


# A process begins with the memory of who starts it: this one is small.
LAUNCH = """
import os, subprocess, sys, time
begin = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print("LAUNCHED", time.perf_counter() - begin, usage.ru_maxrss * 1024 / 1e9)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def measured(command, **options):
    """Lines of output, seconds and largest memory [GB] of a process."""
    run = subprocess.run([sys.executable, "-c", LAUNCH, *map(str, command)], stdout=subprocess.PIPE, text=True, check=False,
                         **options)
    if run.returncode != 0:
        sys.exit(f"{command[0]} ends with {run.returncode}")
    *lines, last = run.stdout.splitlines()
    _, seconds, memory = last.split()
    return lines, float(seconds), float(memory)


def cholmod(matrix):
    """x -> K^-1 x by CHOLMOD, with its own choice of order and of supernodes."""
    from scipy.sparse.linalg import LinearOperator

    library = ctypes.CDLL(os.environ["CHOLMOD_SHIM"])
    library.shim_factorize.restype = ctypes.c_void_p
    lower = sp.tril(matrix).tocsc()
    lower.sort_indices()
    as_pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    start, rows = lower.indptr.astype(np.int32), lower.indices.astype(np.int32)
    factor = ctypes.c_void_p(library.shim_factorize(ctypes.c_int(lower.shape[0]), as_pointer(start), as_pointer(rows),
                                                    as_pointer(lower.data)))
    if not factor:
        sys.exit("CHOLMOD did not factorize")

    def solve(b):
        x = np.array(b, float).ravel()
        library.shim_solve(factor, as_pointer(x))
        return x

    return LinearOperator(matrix.shape, matvec=solve, dtype=float)


def solve_with_scipy(name, folder, modes, free):
    """In a process of its own: prints the seconds of eigsh, and the frequencies [Hz]."""
    from scipy.sparse.linalg import eigsh

    stiffness, mass = (sp.load_npz(folder / f"{matrix}.npz") for matrix in "km")
    shift = -1e4 if free else 0.0
    begin = time.perf_counter()
    inverse = cholmod(stiffness - shift * mass) if name == "cholmod" else None
    values = eigsh(stiffness, k=modes, M=mass, sigma=shift, which="LM", OPinv=inverse, return_eigenvectors=True)[0]
    print(time.perf_counter() - begin)
    print(*np.sqrt(np.abs(np.sort(values))) / (2 * np.pi))


def run_peer(name, folder, arguments):
    """Seconds, memory [GB] and frequencies [Hz] of a peer; None where it is not installed."""
    if name == "ccx":
        if arguments.free or shutil.which("ccx") is None:
            return None
        _, seconds, memory = measured(["ccx", "-i", "solid"], cwd=folder)
        rows = [line.split() for line in (folder / "solid.dat").read_text(encoding="ascii").splitlines()]
        return seconds, memory, [float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()][: arguments.modes]
    environment = dict(os.environ)
    if name == "cholmod":
        shim = folder / "cholmod_shim.so"
        source = pathlib.Path(__file__).with_name("cholmod_shim.c")
        build = ["gcc", "-O2", "-shared", "-fPIC", "-I/usr/include/suitesparse", source, "-o", shim, "-lcholmod"]
        if subprocess.run(build, capture_output=True, check=False).returncode != 0:
            return None
        environment["CHOLMOD_SHIM"] = str(shim)
    command = [sys.executable, __file__, "--inside", name, str(folder), "--modes", str(arguments.modes)]
    lines, _, memory = measured(command + ["--free"] * arguments.free, env=environment)
    return float(lines[0]), memory, [float(each) for each in lines[1].split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ricochet", type=pathlib.Path, nargs="?")
    parser.add_argument("--bricks", type=int, nargs=3, default=[20, 20, 80])
    parser.add_argument("--modes", type=int, default=50)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--peers", nargs="*", default=["cholmod", "superlu", "ccx"], choices=["cholmod", "superlu", "ccx"])
    parser.add_argument("--inside", nargs=2, metavar=("PEER", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        solve_with_scipy(arguments.inside[0], pathlib.Path(arguments.inside[1]), arguments.modes, arguments.free)
        return
    if arguments.ricochet is None:
        parser.error("the path of ricochet is missing")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        matrices, kept, counts = bar(arguments.bricks, arguments.free)
        deck = write(folder, matrices, kept, counts, arguments.modes)
        for letter, matrix in zip("km", matrices):
            sp.save_npz(folder / f"{letter}.npz", matrix)
        write_calculix(folder, arguments.bricks, counts, arguments.modes)
        print(f"{len(kept)} dofs, {matrices[0].nnz} entries of K, {arguments.modes} modes")
        lines, own, memory = measured([arguments.ricochet.resolve(), "modes", deck])
        frequencies = np.array([float(line.split()[1]) for line in lines[1 : arguments.modes + 1]])
        print(f"ricochet: {own:.2f} s, {memory:.2f} GB; {frequencies[0]:.7g} to {frequencies[-1]:.7g} Hz; {lines[-1]}", flush=True)
        differ = False
        for peer in arguments.peers:
            result = run_peer(peer, folder, arguments)
            if result is None:
                print(f"{peer}: left out")
                continue
            seconds, peak, found = result
            expected = np.array(found)
            elastic = expected > 1e-3 * expected[-1]
            difference = np.max(np.abs(frequencies - expected)[elastic] / expected[elastic])
            print(f"{peer}: {seconds:.2f} s ({seconds / own:.2f} of ricochet's), {peak:.2f} GB ({peak / memory:.2f}); "
                  f"frequencies differ by {difference:.1e}", flush=True)
            differ = differ or (peer != "ccx" and difference > 1e-7)  # eight digits are printed; ccx has bricks of its own
    if differ:
        sys.exit("the frequencies differ")


if __name__ == "__main__":
    main()
