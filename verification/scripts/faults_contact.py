"""Faults of contacts: their laws, obstacles, areas, events and accounts, and which of them are looked at."""

from seeded_fault import Fault

CONTACTS = "engine/contact/contact_set.cpp"
EVENTS = "engine/contact/contact_events.cpp"
EVALUATION = "engine/contact/try_contact.hpp"
COULOMB = "engine/contact/laws/regularised_coulomb.hpp"
PENALTY = "engine/contact/laws/linear_penalty.hpp"
WATCH = "engine/contact/gap_watch.cpp"
SLOT = "engine/contact/obstacles/slot.hpp"

FAULTS = [
    # normal laws
    Fault("a contact may pull", "engine: laws", PENALTY, "either(tension, Real(1.0), trialForce(k))", "Real(1.0)",
          "NormalLawTest*.NeverPulls:ContactRun.DampedContact*"),
    Fault("a contact pushes at a distance", "engine: laws", PENALTY,
          "return {either(tension, Real(1.0), trialForce(k)), -k.gap};",
          "return {either(tension, Real(1.0), trialForce(k)), Real(1.0)};",
          "NormalLawTest*.DoesNotPush*:ContactRun.*", "statement"),
    Fault("gap test inverted", "engine: laws", PENALTY, "return {k.gap, Real(1.0)};", "return {-k.gap, Real(1.0)};",
          "NormalLawTest*:ContactRun.*", "statement"),
    Fault("energy of Hertz by the wrong power", "engine: laws", "engine/contact/laws/power_force.hpp",
          "(1.0 / (n + 1.0)) * (powerForce(k, n, d) * d)", "(1.0 / n) * (powerForce(k, n, d) * d)",
          "NormalLawTest*.Stores*"),
    Fault("sign of the damping of Hunt and Crossley", "engine: laws", "engine/contact/laws/hunt_crossley.hpp",
          "1.0 - (1.5 * damping) * k.gapRate", "1.0 + (1.5 * damping) * k.gapRate",
          "NormalLawTest*:ManualCurves.DampedLaws*"),
    Fault("wear by the rate at the start for ever", "engine: laws", "engine/contact/wear.hpp",
          "last * time + (first - last) * fading", "first * time + (first - last) * fading", "Wear.*"),

    # friction laws
    Fault("mu_s and mu_d swapped", "engine: laws", COULOMB,
          "select(memory.slipping, select(hasStopped, resting, moving), resting)",
          "select(memory.slipping, resting, moving)", "FrictionLawTest*"),
    Fault("a slip that has stopped is held by mu_d", "engine: laws", COULOMB,
          "select(hasStopped, resting, moving)", "moving", "ZeroFriction.OfSlipAlone*"),
    Fault("coefficients of zero are friction", "engine: laws", "engine/contact/contact.cpp",
          "law.bearsTraction()", "law.kTraction", "ZeroFriction.IsNone*"),
    Fault("friction along the motion", "engine: laws", COULOMB,
          "scaled(muDynamic * k.compression, direction)", "scaled(-muDynamic * k.compression, direction)",
          "FrictionLawTest*"),
    Fault("sign of the stick's dashpot", "engine: laws", COULOMB,
          "elasticForce(k, memory) - scaled(damping, k.slipRate)",
          "elasticForce(k, memory) + scaled(damping, k.slipRate)", "FrictionLawTest*"),
    Fault("anchor left behind while slipping", "engine: laws", COULOMB,
          "select<Real>(slips, k.position, memory.anchorPosition)",
          "select<Real>(slips, memory.anchorPosition, memory.anchorPosition)", "FrictionLawTest*"),
    Fault("a true stick slips at once", "engine: laws", "engine/contact/laws/coulomb.hpp",
          "limit * limit - dot(k.reaction, k.reaction)", "-dot(k.reaction, k.reaction)",
          "EventSlip.*:EventStress.*"),

    # trials
    Fault("rates of forces without mass are of first order", "engine: contact", "engine/contact/coupled_shifts.hpp",
          "1.0 + h / (h + step_)", "1.0", "MasslessRate.IsOfSecondOrder"),
    Fault("a force without mass grows from the start of its step", "engine: model",
          "engine/model/implicit_coupled.cpp",
          "active.grows = std::min(elapsed_, touch.gap / gapRate);", "", "*MasslessRates.AStopWithADashpot*", "statement"),
    Fault("rates of shifts do not enter the balance", "engine: model", "engine/model/implicit_coupled.cpp",
          "delays(i, j) -= byForce;", "", "*MasslessRates.AStopWithADashpot*", "statement"),
    Fault("normal force without the side of the slot", "engine: contact", CONTACTS,
          "state.side * state.compression", "state.compression", "ContactRun.SlotPushes*"),
    Fault("gap rate without the side of the slot", "engine: contact", EVALUATION,
          "side_ * coordinates_.rate(0)", "1.0 * coordinates_.rate(0)", "ContactRun.SlotDamps*"),
    Fault("trial writes the accepted memory", "engine: contact", CONTACTS,
          "  tryContact<double>(contact, at, imposed, t - time_, accepted(i), trial(i));\n  if (set_->isArea",
          "  tryContact<double>(contact, at, imposed, t - time_, accepted(i), trial(i));\n"
          "  accepted(i).friction = trial(i).friction;\n  if (set_->isArea",
          "ContactRun.TrialLeavesNoTrace*", "statement"),
    Fault("a contact that closes again keeps its old anchor", "engine: contact", EVALUATION,
          "FrictionMemory<Real> memory{.anchorPosition = k.position};",
          "@OLD@ if (@FAULT@) memory.anchorPosition = {};", "ContactRun.HooksIts*", "text"),
    Fault("an opened contact keeps the energy of its tangential spring", "engine: contact", EVALUATION,
          "trial.friction = {};\n            if constexpr (requires { trial.storedTangential; }) trial.storedTangential = 0.0;\n"
          "            return;",
          "trial.friction = {}; return;", "Energy.NothingStays*:Energy.StickSpring*", "statement"),
    Fault("an imposed force that jumps acts beside the one before", "engine: contact", CONTACTS,
          "collectForces(i, accepted(i), -1.0);", "", "ContactRun.ImposedForceThatJumps*:Energy.*Jumps", "statement"),

    # events
    Fault("sign of the impulse at breakaway", "engine: contact", EVENTS,
          "-drop * h * (1.0 - theta - shareOfJump_(theta))", "drop * h * (1.0 - theta - shareOfJump_(theta))",
          "Shoe.ConvergesAtSecondOrder*:ReleasedShoe.*"),
    Fault("no impulse at breakaway", "engine: contact", EVENTS,
          "-drop * h * (1.0 - theta - shareOfJump_(theta))", "0.0", "Shoe.ConvergesAtSecondOrder*:ReleasedShoe.*"),
    Fault("closings are told at the end of their step", "engine: contact", EVENTS,
          "appendEvent(i, to.closed() ? EventKind::closing : EventKind::opening, t - h * (1.0 - theta));",
          "appendEvent(i, to.closed() ? EventKind::closing : EventKind::opening, t);", "ContactRun.LocatesTheClosing*",
          "statement"),
    Fault("reversals of slip are not seen", "engine: contact", EVENTS,
          "dot(from.friction.direction, to.friction.direction) < 0.0",
          "dot(from.friction.direction, to.friction.direction) < -1.5", "ContactRun.LocatesAReversal*"),
    Fault("a stop of a slip is told as a start", "engine: contact", EVENTS,
          "slipReverses(from, to) ? EventKind::slipReversal : EventKind::slipToStick",
          "slipReverses(from, to) ? EventKind::slipReversal : EventKind::stickToSlip", "ContactRun.LocatesTheEnd*"),

    # accounts
    Fault("friction work with the last force only", "engine: contact", EVENTS,
          "-0.5 * dot(from.traction + to.traction, way)",
          "-1.0 * dot(to.traction, way)", "Energy.*"),
    Fault("work of the contact dashpot lost", "engine: contact", EVENTS,
          "meanForce * crush - (to.storedNormal - from.storedNormal)", "0.0 * crush", "Energy.DampedImpact*:Energy.*"),
    Fault("the peak force of the last step only", "engine: contact", EVENTS,
          "std::max(totals.peakForce, to.compression)", "to.compression", "ContactRun.TotalsOf*"),
    Fault("what springs of contacts hold is that of one contact", "engine: contact", CONTACTS,
          "total += state(i).stored();", "total = state(i).stored();", "Energy.*:LaneRunTest*:SchemeEnergy.*",
          "statement"),

    # which contacts are looked at
    Fault("a closed contact that leaves is not looked at", "engine: contact", CONTACTS,
          "open && set_->hasFreeInterval(i) ? set_->freeInterval(i) : FreeInterval{}",
          "set_->hasFreeInterval(i) ? set_->freeInterval(i) : FreeInterval{}", "ContactRun.*:GapWatch.*"),
    Fault("a contact that closes is not followed", "engine: contact", EVENTS,
          "if (wasOpen != (accepted(i).normal == NormalState::open)) updateFreeInterval(i);", "",
          "ContactRun.*:GapWatch.*", "statement"),
    Fault("contacts sleep in too large a ball", "engine: contact", WATCH, "reach * reach", "4.0 * reach * reach",
          "GapWatch.*"),
    Fault("a contact that wakes has forgotten where it is", "engine: contact", WATCH,
          "acceptedAlong_[i] = kernels::dot(rows_ + static_cast<Eigen::Index>(i) * size_, accepted_, size_);", "",
          "GapWatch.*", "statement"),

    # obstacles
    Fault("free interval of the slot twice too wide", "engine: obstacles", SLOT,
          "return {-clearance, clearance};", "return {-2.0 * clearance, 2.0 * clearance};",
          "ObstacleTest*.FreeInterval*", "statement"),
    Fault("normal of the slot", "engine: obstacles", SLOT,
          "select(x > 0.0, Real(-1.0), Real(1.0))", "select(x > 0.0, Real(1.0), Real(-1.0))", "ObstacleTest*"),
    Fault("matter on a node is forgotten", "engine: obstacles", "engine/contact/obstacles/plane.hpp",
          "x - thickness", "x + thickness", "ObstacleTest*:DeckContacts.*"),
    Fault("the gap of a hole to its far side", "engine: obstacles", "engine/contact/obstacles/circle.hpp",
          "clearance - r", "clearance + r", "CurvedObstacleTest*"),
    Fault("inside and outside of a corner swapped", "engine: obstacles", "engine/contact/obstacles/profile.cpp",
          "corner ? turn < 0.0 : height > 0.0", "corner ? turn > 0.0 : height > 0.0", "CurvedObstacleTest*"),
    Fault("a line that is not closed is a profile", "engine: obstacles", "engine/contact/obstacles/profile.cpp",
          "!(angles[i] > before) || !(next - angles[i] < std::numbers::pi) || !(radii[i] > 0.0)", "false",
          "ProfileLine.*"),

    # areas
    Fault("sign of the plastic slip of an area", "engine: patch", "engine/contact/areas/fields/wrench_return.hpp",
          "-root.lambda * limit / bed_.stiffness", "root.lambda * limit / bed_.stiffness", "WrenchReturn.*"),
    Fault("the chord of a patch is taken twice as far", "engine: patch", "engine/contact/areas/fields/wrench_return.hpp",
          "t.T + t.m / (kernel_.spinMoment() / gyration_) <= 1.0",
          "t.T + t.m / (kernel_.spinMoment() / gyration_) <= 2.0", "WrenchReturn.*"),
    Fault("points of an area have no limit", "engine: patch", "engine/contact/areas/bristle_area.cpp",
          "scaled(point.most / size, f)", "f", "Bristles.*:BristlePatch.*"),
    Fault("the moment of an area turns the other way", "engine: patch", "engine/contact/areas/bristle_area.cpp",
          "a.first * b.second - a.second * b.first", "a.second * b.first - a.first * b.second",
          "Bristles.*:BristlePatch.*:PatchSpring.*"),
    Fault("bristles hold what nothing presses", "engine: laws", "engine/contact/laws/lugre.hpp",
          "limitBristles(bristles, k.compression);", "", "LuGreLaw.HoldsNoMore*", "statement"),
    Fault("friction turns a slip round within a step", "engine: laws", "engine/contact/laws/automaton.hpp",
          "memory.keepsBranch && memory.slipping", "false", "AutomatonLaw.KeepsItsBranch*"),
    Fault("a piece of a speed table ends at rest", "engine: laws", "engine/contact/laws/speed_table.hpp",
          "end < 0.0 || (end == 0.0 && way < 0)", "end < 0.0", "SpeedTable.*"),
    Fault("a chord does no work", "engine: contact", "engine/contact/contact_events.cpp",
          "kind.chord ? scaled(0.5 * h, from.slipRate + to.slipRate) : to.position - from.position",
          "to.position - from.position", "AutomatonOnACircle*"),
]
