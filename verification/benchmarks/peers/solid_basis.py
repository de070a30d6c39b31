#!/usr/bin/env python3
"""The lowest modes of a solid bar of eight-node bricks, one end clamped: ricochet beside scipy's eigsh (ARPACK, shift-invert
on SuperLU) in one run.

    solid_basis.py build/release/ricochet [--bricks 20 20 80] [--modes 50] [--free] [--alone]

Of ricochet the whole command `modes` is timed, files read and table printed; of eigsh the call alone. Needs numpy and scipy
(python3-scipy). --alone leaves the peer out, --free the clamp.
"""
import argparse
import pathlib
import resource
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ricochet", type=pathlib.Path)
    parser.add_argument("--bricks", type=int, nargs=3, default=[20, 20, 80])
    parser.add_argument("--modes", type=int, default=50)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        matrices, kept, counts = bar(arguments.bricks, arguments.free)
        deck = write(pathlib.Path(name), matrices, kept, counts, arguments.modes)
        print(f"{len(kept)} dofs, {matrices[0].nnz} entries of K")
        if arguments.alone:
            matrices = None
        begin = time.perf_counter()
        run = subprocess.run([arguments.ricochet.resolve(), "modes", deck], check=True, capture_output=True, text=True)
        own = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9
        table = [line.split() for line in run.stdout.splitlines()[1:]]
        frequencies = np.array([float(row[1]) for row in table[: arguments.modes]])
        print(f"ricochet modes: {own:.1f} s, {peak:.2f} GB at most; {frequencies[0]:.7g} to {frequencies[-1]:.7g} Hz")
        print(run.stdout.splitlines()[-1])
    if arguments.alone:
        return
    from scipy.sparse.linalg import eigsh

    stiffness, mass = matrices
    begin = time.perf_counter()
    values = eigsh(stiffness, k=arguments.modes, M=mass, sigma=0.0 if not arguments.free else -1e4, which="LM",
                   return_eigenvectors=True)[0]
    peer = time.perf_counter() - begin
    expected = np.sqrt(np.abs(np.sort(values))) / (2 * np.pi)
    elastic = expected > 1e-3 * expected[-1]
    difference = np.max(np.abs(frequencies - expected)[elastic] / expected[elastic])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(f"scipy eigsh: {peer:.1f} s, {peak:.2f} GB; ricochet is {peer / own:.1f} times faster; frequencies differ by "
          f"{difference:.1e}")
    if difference > 1e-7:  # eight digits are printed
        sys.exit("the frequencies differ")


if __name__ == "__main__":
    main()
