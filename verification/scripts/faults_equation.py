"""Faults of the equation of motion, of its kernels, and of the limit of the step."""

from seeded_fault import Fault

EQUATION = "engine/model/modal_equation.cpp"
INLINE = "engine/model/modal_equation.hpp"
KERNELS = "engine/numerics/kernels.cpp"
STEPS = "engine/numerics/step_kernels.cpp"
STABILITY = "engine/schemes/stability.cpp"

FAULTS = [
    Fault("sign of modal damping in a completed acceleration", "engine: equation", EQUATION,
          "a.array() -= linear.dampingDiagonal.array() * v.array();",
          "a.array() += linear.dampingDiagonal.array() * v.array();",
          "IntegratorTest*.CompletesTheAcceleration*:Energy.ModalDamping*", "statement"),
    Fault("sign of coupled damping", "engine: equation", EQUATION,
          "a.head(linear.modes) -= coupled_;", "a.head(linear.modes) += coupled_;",
          "IntegratorTest*.ConvergesAtItsOrderWhenDampingCouples*", "statement"),
    Fault("a factorisation is taken for another step", "engine: equation", EQUATION,
          "each.dq == dq && each.dv == dv && spins_.empty()", "each.dq == dq && spins_.empty()",
          "IntegratorTest*.ConvergesAtItsOrderWhenDampingCouples*:Checkpoint.*Coupled*"),
    Fault("the inverse of central differences is made for the whole step", "engine: equation", INLINE,
          "invertImplicitDiagonal(0.0, dv);", "invertImplicitDiagonal(0.0, 2.0 * dv);",
          "IntegratorTest*.ConvergesAtItsOrder:Energy.ModalDamping*", "statement"),
    Fault("contact dashpots of kick-drift see the velocity before the kick", "engine: equation", INLINE,
          "const kernels::LoadStep& loads = evaluateForcesAt(s, dv, f, squared);\n"
          "  const kernels::RowForces along = rowForces(s.time, s.q, s.v, dv, f);",
          "const kernels::LoadStep& loads = evaluateForcesAt(s, @FAULT@ ? 0.0 : dv, f, squared);\n"
          "  const kernels::RowForces along = rowForces(s.time, s.q, s.v, dv, f);",
          "IntegratorTest*.ConvergesAtItsOrderOnAClosedDampedContact:StabilityTest*", "text"),
    Fault("damping power without the impulse of a contact that jumps", "engine: equation", INLINE,
          "if (contacts_.acceptStep(s.time, h, ledger_, s.v.data())) kicked_ = 0.0;",
          "contacts_.acceptStep(s.time, h, ledger_, s.v.data());",
          "Energy.*:SchemeEnergy.*:Shoe.*:LaneRunTest*", "statement"),
    Fault("the energy of the springs counts twice", "engine: equation", INLINE,
          "0.5 * (model_->linear.omegaSquared.array() * q.array().square()).sum()",
          "(model_->linear.omegaSquared.array() * q.array().square()).sum()", "Energy.*"),

    # kernels
    Fault("sign of modal damping", "engine: kernels", STEPS,
          "load(y, v + i);\n  multiply(x, y);\n  subtract(force, x);",
          "load(y, v + i); multiply(x, y); add(force, x);", "Energy.ModalDamping*:IntegratorTest*", "statement"),
    Fault("the last contact of a block of gaps is forgotten", "engine: kernels", KERNELS,
          "for (; count > 0; --count, rows += size, ++products) multiplyContiguousRows<P, 1>(rows, x, size, products);",
          "for (; count > 1; --count, rows += size, ++products) multiplyContiguousRows<P, 1>(rows, x, size, products);",
          "ContactRun.*:GapWatch.*", "statement"),
    Fault("work of the loads with the last force only", "engine: kernels", STEPS,
          "add(both, f[b]);", "both = f[b]; add(both, f[b]);", "*LaneRunTest*:Energy.*", "statement"),
    Fault("the velocity of the closing kick is not kept", "engine: kernels", STEPS,
          "addProduct(speed, dv, force);", "", "IntegratorTest*.ConvergesAtItsOrder", "statement"),
    Fault("a contact that is looked at alone is at the place of the first", "engine: kernels",
          "engine/numerics/kernel_look.hpp", "look.rows + static_cast<Index>(*listed) * size", "look.rows",
          "ContactRun.*:GapWatch.*:Energy.*"),

    # limit of the step
    Fault("contact dashpots do not limit the step", "engine: stability", STABILITY,
          "damping += c * b * b.transpose();", "", "StabilityTest*.DampedContact*:StiffnessBounds.*", "statement"),
    Fault("springs of contacts limit the step half as much", "engine: stability", STABILITY,
          "stiffness += k * b * b.transpose();", "stiffness += 0.5 * k * b * b.transpose();",
          "StiffnessBounds.*:StabilityTest*", "statement"),
    Fault("links do not limit the step", "engine: stability", STABILITY,
          "stiffness += link.bounds.stiffness * link.rows.transpose() * link.rows;", "",
          "Links.CountInTheLimitOfTheStep", "statement"),
    Fault("kick-drift forgets its resonance", "engine: stability", STABILITY,
          "limit = std::min(limit, stepLimitByResonance(omega, bounds.contact));", "",
          "LargestSafeStep.OfKickDrift*", "statement"),
    Fault("columns of an unsymmetric direct system are solved in place", "engine: model",
          "engine/model/direct_system.cpp", "const Matrix solved = lu_->solve(Matrix(x));\n    x = solved;",
          "x = lu_->solve(Matrix(x));", "DirectMode.SolvesColumns*"),
    Fault("a dashpot that only contacts move is left out", "engine: study",
          "engine/study/massless_directions.cpp", "exceedsRounding(moved.col(i), forces)", "false",
          "*CaseTest.MeetsItsChecks*/pad_of_spring*"),
    Fault("a dashpot that only the initial displacement moves is left out", "engine: study",
          "engine/study/massless_directions.cpp", "exceedsRounding(turned.col(i), start)", "false",
          "*CaseTest.MeetsItsChecks*/pad_of_spring*"),
    Fault("a dashpot without force does not relax", "engine: model", "engine/model/coupled_views.cpp",
          "of.share[at] = unloadedRelaxation(link, from, axis, points.smallMove());", "of.share[at] = 0.0;",
          "*CaseTest.MeetsItsChecks*/massless_node_sets_off*"),
    Fault("fast dashpots have the rates of their law", "engine: model", "engine/model/coupled_views.cpp",
          "std::abs(relaxation[at]) * rates_.step > kFast", "false",
          "*CaseTest.MeetsItsChecks*/massless_foot_on_a_stiff_stop*"),
    Fault("a foot without mass keeps the phase of its view", "engine: model", "engine/model/contact_force_rate.cpp",
          "now_.slips = isSlipping(now_, tangentsOfLawsAt(now_), rate);", "now_.slips = false;",
          "*CaseTest.MeetsItsChecks*/massless_rates_in_closed_form*"),
    Fault("a belt does not move a foot without mass", "engine: model", "engine/model/contact_force_rate.cpp",
          "laws.slipStill = -(laws.slip * toVector(surface));", "laws.slipStill.setZero();",
          "*CaseTest.MeetsItsChecks*/massless_rates_in_closed_form*"),
    Fault("slopes of forces solved together stay as they are", "engine: model", "engine/model/coupled_views.cpp",
          "  addForceCurvature(points, of);\n", "", "*CaseTest.MeetsItsChecks*/massless_rates_in_closed_form*"),
]
