"""Faults of runs of a batch in lanes."""

from seeded_fault import Fault

SAME = "*LaneRunTest.ShoesOfEveryKind*:*LaneRunTest*"

FAULTS = [
    Fault("a lane forgets the anchor of its stick", "engine: lanes", "engine/lanes/lane_exchange.cpp",
          "readTangentialVectorFromLane(s.friction.anchorPosition, from.anchorPosition, lane);", "", SAME, "statement"),
    Fault("a lane keeps to itself what damping took", "engine: lanes", "engine/lanes/lane_exchange.cpp",
          "carried.lost[j] = lost[j].lane[lane];", "", SAME, "statement"),
    Fault("a lane begins with the load of another instant", "engine: lanes", "engine/lanes/lane_exchange.cpp",
          "load[p].lane[lane] = carried.loads.load[mode];", "", SAME, "statement"),
    Fault("the totals of a contact do not come back", "engine: lanes", "engine/lanes/lane_exchange.cpp",
          "totals.impulse = from.impulse.lane[lane];", "", SAME, "statement"),
    Fault("impulses of lanes are not given back", "engine: lanes", "engine/lanes/lane_exchange.cpp",
          "for (std::size_t p = 0; p < model.modes.size(); ++p) v[p].lane[lane] = velocity.data()[model.modes[p]];",
          "", SAME, "statement"),
    Fault("work of loads in lanes with the last force only", "engine: lanes", "engine/lanes/lane_step.hpp",
          "work = work + (Pack(g.load[p]) + load) * (moved - x);", "work = work + (load + load) * (moved - x);",
          "*LaneRunTest.LoadsOfTheirOwn*:" + SAME, "statement"),
    Fault("a load that lanes share keeps its first value", "engine: lanes", "engine/lanes/lane_step.hpp",
          "load.store(g.sharedLoad[b]);", "", "*LaneRunTest.FormulasThatAreShared*:" + SAME, "statement"),
    Fault("gaps in lanes lack every fourth mode", "engine: lanes", "engine/lanes/lane_step.hpp",
          "if (bundle.sum.odd) odd = added(added(partial(1), partial(5)), added(partial(3), partial(7)));",
          "if (bundle.sum.odd) odd = added(partial(1), partial(5));", "*LaneRunTest.ManyContacts*:" + SAME,
          "statement"),
    Fault("lanes go on over an instant at which a load jumps", "engine: lanes", "engine/lanes/lane_run.cpp",
          "special - 1", "special", "*LaneRunTest.ImposedForces*:" + SAME),
    Fault("the lower side of an obstacle is not looked at", "engine: lanes", "engine/lanes/lane_group.cpp",
          "variant.contacts.contactFreeInterval(i).low", "-1e300", "*LaneRunTest.TubesWithOtherGaps*:" + SAME),
    Fault("other normal laws are taken for the same", "engine: lanes", "engine/lanes/lane_refusal.cpp",
          "if (one.normal.index() != other.normal.index()) return \"the kind of a normal law differs\";", "",
          "LaneRefusal.*", "statement"),
    Fault("loads that move run in lanes", "engine: lanes", "engine/lanes/lane_refusal.cpp",
          "if (!base.loads.movingLoads().empty()) return \"a load moves along the structure\";", "",
          "MovingLoadParts.IsNotForLanes:LaneRefusal.*", "statement"),
    Fault("lanes forget what friction took from each contact", "engine: lanes", "engine/lanes/lane_contact.hpp",
          "add(c.frictionEnergy, wasClosed & slid, gone);", "", SAME, "statement"),
]
