#!/usr/bin/env python3
"""Writes the deck of a taut chain of 400 masses between rough stops: verification/cases/chain-400.toml.

The chain moves across (z) and along (x). Three supports with clearance stop it across and rub it along; a force that
grows and stays pushes it across, another shakes it along. To be replaced by beams when decks have them.
"""
import math
import sys

COUNT = 400
SPACING = 0.01  # [m]
MASS = 0.1  # of each [kg]
ACROSS = 6.4e6  # stiffness between neighbours [N/m]: 10 Hz
ALONG = 2.56e7  # 20 Hz
STOPS = {"left": 99, "middle": 199, "right": 319}

HEAD = """# A chain of 400 masses between fixed ends, 10 Hz across and 20 Hz along, that a force presses on three rough stops: 20 modes
# and the static responses of the contacts against direct integration.
# `ricochet compare` sets the two beside each other (comparison_test.cpp requires 1 % at the stops). The checks are closed
# forms and conservation. Written by verification/scripts/make_chain.py.
title = "Chain of 400 masses on rough stops, modal against direct"
"""


def main(out):
    out.write(HEAD)
    out.write("\nnodes = [\n")
    for i in range(COUNT):
        out.write(f'  {{ name = "n{i}", position = [{(i + 1) * SPACING:.2f}, 0, 0] }},\n')
    out.write("]\n\nmasses = [\n")
    out.write(f'  {{ nodes = "all", mass = {MASS} }},\n]\n\nsprings = [\n')
    stiffness = f"stiffness = [{ALONG:g}, 0, {ACROSS:g}]"
    out.write(f'  {{ nodes = ["n0"], {stiffness} }},\n')
    for i in range(COUNT - 1):
        out.write(f'  {{ nodes = ["n{i}", "n{i + 1}"], {stiffness} }},\n')
    out.write(f'  {{ nodes = ["n{COUNT - 1}"], {stiffness} }},\n]\n')
    out.write('\n[[supports]]\nnodes = "all"\nfixed = ["uy"]\n')
    out.write('\n[basis]\nmodes = 20\ndamping_ratio = 0.02\nresidual = "contacts"\n')
    out.write('\n[functions.press]\nformula = "0.5*(1 - cos(pi*min(t/0.2, 1)))"\n')
    out.write('\n[functions.shake]\nformula = "min(t/0.2, 1)*sin(2*pi*8*t)"\n')
    out.write('\n[[loads]]\nnodes = ["n150"]\nforce = [0, 0, -120.0]\nscale = "press"\n')
    out.write('\n[[loads]]\nnodes = ["n260"]\nforce = [400.0, 0, 0]\nscale = "shake"\n')
    for name, node in STOPS.items():
        out.write(
            f"""
[[contacts]]
name = "{name}"
node = "n{node}"
obstacle = {{ type = "plane", normal = [0, 0, 1], gap = 2e-4 }}
normal = {{ stiffness = 1e6, damping = 100.0 }}
friction = {{ coefficient = 0.3, stiffness = 1e6, damping = 100.0 }}
"""
        )
    out.write("\n[transient]\nduration = 0.5\n")
    out.write('\n[direct]\nscheme = "newmark"\nstep = 5e-5\n')
    nodes = ", ".join(f'"n{node}"' for node in STOPS.values())
    out.write(f"\n[output]\ninterval = 1e-3\nnodes = [{nodes}]\n")
    # 2 sqrt(k/m) sin(n pi / (2 (N + 1))); the basis has 10, 20 Hz across, 20 Hz along, 30 Hz across ...
    for mode, number in ((1, 1), (4, 3)):
        omega = 2 * math.sqrt(ACROSS / MASS) * math.sin(number * math.pi / (2 * (COUNT + 1)))
        out.write(
            f"""
[[checks]]
quantity = "frequency"
mode = {mode}
reference = {omega / (2 * math.pi)!r}
relative = 1.0e-9
source = "closed form"
"""
        )
    for mode in ("modal", "direct"):
        out.write(
            f"""
[[checks]]
quantity = "energy_error"
reference = 0.0
absolute = 1.0e-5
mode = "{mode}"
source = "conservation"
"""
        )


if __name__ == "__main__":
    main(sys.stdout if len(sys.argv) < 2 else open(sys.argv[1], "w", encoding="utf-8"))
