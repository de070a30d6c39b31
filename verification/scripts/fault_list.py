"""The faults of seeded_faults.py: a name, a file, a text that occurs once in it, and the faulty text."""

from typing import NamedTuple


class Fault(NamedTuple):
    name: str
    file: str
    old: str
    new: str


EQUATION = "engine/modal_equation.cpp"
KERNELS = "engine/kernels.cpp"
CONTACTS = "engine/contact/contact_set.cpp"
COULOMB = "engine/contact/regularised_coulomb.hpp"
PENALTY = "engine/contact/linear_penalty.hpp"
SLOT = "engine/obstacles/slot.hpp"
DRIFT = "engine/integrators/modal_drift.cpp"
KICK = "engine/integrators/kick_drift.hpp"
CENTRAL = "engine/integrators/central_difference.hpp"
LOOP = "engine/transient_loop.hpp"
FLUSH = "engine/flush_to_zero.hpp"

FAULTS = [
    # linear system
    Fault("sign of modal damping", KERNELS,
          "load(y, v + i);\n    multiply(x, y);\n    subtract(force, x);",
          "load(y, v + i);\n    multiply(x, y);\n    add(force, x);"),
    Fault("sign of modal damping in a completed acceleration", EQUATION,
          "a.array() -= linear.dampingDiagonal", "a.array() += linear.dampingDiagonal"),
    Fault("sign of coupled damping", EQUATION,
          "a.head(linear.modes) -= coupled_;", "a.head(linear.modes) += coupled_;"),
    Fault("sign of damping in the drift", DRIFT,
          "vv_[i] = wave.cosine - d * wave.sineOverW;", "vv_[i] = wave.cosine + d * wave.sineOverW;"),
    # schemes
    Fault("whole last half step of central differences", CENTRAL,
          "s.q, s.v, s.a);\n    kernels::addScaled(0.5 * h,", "s.q, s.v, s.a);\n    kernels::addScaled(h,"),
    Fault("no last half step of central differences", CENTRAL,
          "s.q, s.v, s.a);\n    kernels::addScaled(0.5 * h,", "s.q, s.v, s.a);\n    kernels::addScaled(0.0,"),
    Fault("gamma 1 in the implicit damping of central differences", CENTRAL,
          "eq.implicitAcceleration(s.time, 0.0, 0.5 * h,", "eq.implicitAcceleration(s.time, 0.0, h,"),
    Fault("contact dashpot of kick-drift sees the velocity before the kick", KICK,
          "eq.kick(s.time, 0.5 * h, s.q, s.v, force_);",
          "eq.force(s.time, s.q, s.v, 0.0, force_, force_);\n    s.v += 0.5 * h * force_;"),
    Fault("heap in a step of kick-drift", KICK,
          "drift(h).apply(0.5 * h, force_, s.q, s.v);", "drift(h).apply(0.5 * h, Vector(force_), s.q, s.v);"),
    Fault("heap in the contacts of a step", CONTACTS,
          "  active_ = 0;\n  touchedCount_ = 0;",
          "  active_ = 0;\n  touchedCount_ = 0;\n  touched_ = std::vector<std::size_t>(current_.size());"),
    # normal contact
    Fault("a contact may pull", PENALTY,
          "{tension ? Real(1.0) : trialForce(k), -k.gap}", "{Real(1.0), -k.gap}"),
    Fault("a contact pushes at a distance", PENALTY,
          "{tension ? Real(1.0) : trialForce(k), -k.gap}", "{tension ? Real(1.0) : trialForce(k), Real(1.0)}"),
    Fault("gap test inverted", PENALTY,
          "return {k.gap, Real(1.0)};", "return {-k.gap, Real(1.0)};"),
    Fault("free interval of the slot twice too wide", SLOT,
          "return {-clearance, clearance};", "return {-2.0 * clearance, 2.0 * clearance};"),
    Fault("a closed contact that leaves is not looked at", CONTACTS,
          "if (passedOver_[i].contains(along_[i])) continue;",
          "if (set_->freeInterval(i).contains(along_[i])) continue;"),
    Fault("a contact that closes is not followed", CONTACTS,
          "    current_[i] ^= 1U;\n    watch(i);", "    current_[i] ^= 1U;"),
    Fault("normal of the slot", SLOT,
          "select(x > 0.0, Real(-1.0), Real(1.0))", "select(x > 0.0, Real(1.0), Real(-1.0))"),
    Fault("normal force without the side of the slot", CONTACTS,
          "add(0, state.side * state.compression);", "add(0, state.compression);"),
    Fault("gap rate without the side of the slot", "engine/contact/contact_evaluation.hpp",
          "k.gapRate = s.side * coordinates.rate(0);", "k.gapRate = coordinates.rate(0);"),
    # friction
    Fault("trial writes the accepted memory", CONTACTS,
          "imposed,\n                  accepted(i), trial(i));",
          "imposed,\n                  accepted(i), trial(i));\n"
          "  accepted(i).friction = trial(i).friction;"),
    Fault("mu_s and mu_d swapped", COULOMB,
          "select(memory.slipping, muDynamic * k.compression, muStatic * k.compression)",
          "select(memory.slipping, muStatic * k.compression, muDynamic * k.compression)"),
    Fault("friction along the motion", COULOMB,
          "const Tangential<Real> sliding = scaled(muDynamic * k.compression, direction);",
          "const Tangential<Real> sliding = scaled(-muDynamic * k.compression, direction);"),
    Fault("sign of the stick's dashpot", COULOMB,
          "return elasticForce(k, memory) - scaled(damping, k.slipRate);",
          "return elasticForce(k, memory) + scaled(damping, k.slipRate);"),
    Fault("anchor left behind while slipping", COULOMB,
          "select<Real>(slips, k.position, memory.anchorPosition)",
          "select<Real>(slips, memory.anchorPosition, memory.anchorPosition)"),
    Fault("a contact that closes again keeps its old anchor", "engine/contact/contact_evaluation.hpp",
          "accepted.closed() ? accepted.friction : hooked", "true ? accepted.friction : hooked"),
    Fault("sign of the impulse at breakaway", CONTACTS,
          "const double impulse = -drop * h * (0.5 - theta);", "const double impulse = drop * h * (0.5 - theta);"),
    Fault("no impulse at breakaway", CONTACTS,
          "const double impulse = -drop * h * (0.5 - theta);", "const double impulse = 0.0 * drop * h * theta;"),
    # loop
    Fault("whole last step beyond the end", LOOP,
          "stepTo(n == count ? options_.end : gridEnd);", "stepTo(gridEnd);"),
    Fault("last instant not archived", LOOP,
          "if (n != nextRow && n != count) continue;", "if (n != nextRow) continue;"),
    Fault("short last step moves by a whole one", LOOP,
          "subStep(end, std::abs(h - options_.step) <= tolerance_ ? options_.step : h);",
          "subStep(end, end == options_.end ? options_.step : h);"),
    Fault("instants accumulate rounding", LOOP,
          "const double gridEnd = options_.start + static_cast<double>(n) * options_.step;",
          "const double gridEnd = state_.time + options_.step;"),
    Fault("no split at a jump of a load", LOOP,
          "end = breakpoints_[breakpoint_];", "end = gridEnd;"),
    Fault("a load keeps its value before a jump for a step", "engine/excitation.hpp",
          "    force -= load;\n    combine(t);\n    force += load;", "    combine(t);"),
    Fault("subnormal numbers not flushed", FLUSH,
          ": before_(read()) { write(before_ | kFlush); }", ": before_(read()) { write(before_); }"),
    Fault("control word not restored", FLUSH, "~FlushToZero() { write(before_); }", "~FlushToZero() {}"),
    # accounts
    Fault("friction work with the last force only", CONTACTS,
          "-0.5 * dot(from.traction + to.traction,", "-1.0 * dot(to.traction,"),
    Fault("work of the contact dashpot lost", CONTACTS,
          "ledger.damping += meanForce * crush -", "ledger.damping += 0.0 * meanForce * crush -"),
    Fault("last contact of a block of gaps forgotten", KERNELS,
          "for (; count > 0; --count, rows += size, ++products)",
          "for (; count > 1; --count, rows += size, ++products)"),
    Fault("damping power without the impulse at breakaway", EQUATION,
          "if (contacts_.accept(s.time, h, ledger_, s.v.data())) kickedPower_.reset();",
          "contacts_.accept(s.time, h, ledger_, s.v.data());"),
    Fault("work of the loads with the last force only", KERNELS,
          "add(both, f[b]);", "both = f[b];\n    add(both, f[b]);"),
    Fault("contact dashpots do not limit the step", "engine/stability.cpp",
          "add(0, closed.normalStiffness, closed.normalDamping);", "add(0, closed.normalStiffness, 0.0);"),
    # functions of time
    Fault("an exponent ends before its own power", "engine/formula.cpp",
          "const std::size_t right = builder_.here();\n  signedFactor();\n  builder_.apply(FormulaOp::power",
          "const std::size_t right = builder_.here();\n  primary();\n  builder_.apply(FormulaOp::power"),
    Fault("constant minus x is x minus constant", "engine/formula_program.hpp",
          "return instruction.constant - x;", "return x - instruction.constant;"),
    Fault("a formula acts by its straight piece", "engine/time_function.hpp",
          "return (*formula_)(t);\n    return piece_.at(t);", "return piece_.at(t);\n    return piece_.at(t);"),
    Fault("a run goes on with an acceleration that is no number", LOOP,
          "state_.v.sum() + state_.a.sum()", "state_.v.sum()"),
    Fault("columns of a file exchanged", "io/read_functions.cpp",
          "return tabulated(times, read.values[1], before, after);",
          "return tabulated(read.values[1], times, before, after);"),
    # statistics of contacts
    Fault("wear while a contact sticks", "io/statistics/contact_follower.cpp",
          ": state == ContactPhase::slip;", ": state != ContactPhase::open;"),
    Fault("a window has the whole of its last piece", "io/statistics/contact_follower.cpp",
          "std::min(windows_[w].to, piece.end)};", "piece.end};"),
    Fault("an impact is of every window", "io/statistics/contact_impacts.cpp",
          "if (!windows_[w].holds(impact.start, end_)) continue;", ""),
]
