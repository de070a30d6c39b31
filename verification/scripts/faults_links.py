"""Faults of links and of their laws."""

from seeded_fault import Fault


FAULTS = [
    Fault("a link pulls where it should push", "engine: links", "engine/links/link_set.cpp",
          "-triedState(i).force[axis]", "triedState(i).force[axis]", "LinkRun.PushesBothNodesApart"),
    Fault("the rows of a link stand in those of another", "engine: links", "engine/links/link_set.cpp",
          "kAxes * i + axis;", "kAxes * i + (@FAULT@ ? 1 - axis : axis);", "LinkRun.*:Links.*:CrackedRotor.*", "text"),
    Fault("a jump of a link's force has no impulse", "engine: links", "engine/links/link_set.cpp",
          "kernels::addScaled(impulse, row, velocity, set_->rowSize());", "",
          "Links.StayOfSecondOrder*:Buckling.*", "statement"),
    Fault("the motion of drives moves an end the other way", "engine: links", "engine/links/link_set.cpp",
          "motion.x[axis] += drive.factors[axis] * displacement;",
          "motion.x[axis] -= drive.factors[axis] * displacement;", "LinkRun.TakesTheMotionOfDrives", "statement"),
    Fault("a dashpot of Zener's forgets the direction", "engine: links", "engine/links/zener.hpp",
          "std::copysign(s, r)", "s", "Zener.*:LinkLawTest*"),
    Fault("a dashpot of Zener's goes on from its last stage but one", "engine: links", "engine/links/zener.hpp",
          "e = reached;", "", "Zener.*", "statement"),
    Fault("plastic flow against the force", "engine: links", "engine/links/elastoplastic.hpp",
          "u = u + side * flow;", "u = u - side * flow;", "Elastoplastic.*", "statement"),
    Fault("work of the falling envelope of a stop", "engine: links", "engine/links/buckling.cpp",
          "0.5 * slope * fall * fall", "slope * fall * fall", "LinkLawTest*.BooksItsWork:Buckling.*:LinksInWhole*"),
    Fault("the residual crush of a stop is taken for the whole one", "engine: links", "engine/links/buckling.cpp",
          "0.5 * branch.stiffness * square(std::max(0.0, p - branch.residual))",
          "0.5 * branch.stiffness * square(std::max(0.0, p))", "LinkLawTest*.BooksItsWork:Buckling.*"),
    Fault("what a crushed stop gives back counts as lost", "engine: links", "engine/links/crushing.cpp",
          "springEnergy(begins, s0) + limit.integral(begins, top) - springEnergy(top, s1)",
          "springEnergy(begins, s0) + limit.integral(begins, top)", "Crushing.*:LinkLawTest*"),
    Fault("sign of the torque of a crack that turns", "engine: links", "engine/links/cracked_rotor.hpp",
          "value * to.x[1] - 0.5 * slope * to.x[0]", "value * to.x[1] + 0.5 * slope * to.x[0]", "CrackedRotor.*"),
    Fault("a softening device without its root", "engine: links", "engine/links/antiseismic.hpp",
          "(stiffnessInitial - stiffnessFinal) * x / sqrt(1.0 + y * y)",
          "(stiffnessInitial - stiffnessFinal) * x / (1.0 + y * y)", "Antiseismic.*"),
]
