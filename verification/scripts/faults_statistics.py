"""Faults of the statistics of contacts and of the checks of decks."""

from seeded_fault import Fault

FOLLOWER = "io/quantities/statistics/contact_follower.cpp"
IMPACTS = "io/quantities/statistics/contact_impacts.cpp"
HISTOGRAM = "io/quantities/statistics/histogram.cpp"
CHECKS = "io/quantities/checks/checks.cpp"
WATCH = "io/quantities/checks/checks_watch.cpp"
REDUCTIONS = "io/quantities/table/reduction.cpp"
CASES = "*CaseTest.MeetsItsChecks*"

FAULTS = [
    # statistics
    Fault("wear while a contact sticks", "io: statistics", FOLLOWER,
          "state == ContactPhase::slip", "state != ContactPhase::open", "ContactStatistics.*"),
    Fault("the share of time of a contact takes no notice of the threshold", "io: statistics", FOLLOWER,
          "  if (threshold_ == 0.0) return in.length();", "  return in.length();", "ContactStatistics.AThreshold*",
          "statement"),
    Fault("a force that passes the threshold between samples is missed", "io: statistics", IMPACTS,
          "isSeries_ && mayTurnBeyond(i)", "false", "ContactStatistics.AThreshold*"),
    Fault("a window has the whole of its last piece", "io: statistics", FOLLOWER,
          "std::min(windows_[w].to, piece.end)", "piece.end", "ContactStatistics.Windows*:ContactStatistics.*"),
    Fault("an impact is of every window", "io: statistics", IMPACTS,
          "if (!windows_[w].containsInstant(impact.start, end_)) continue;", "", "ContactStatistics.Windows*:ContactStatistics.*",
          "statement"),
    Fault("the square of a force counts with the time squared", "io: statistics", FOLLOWER,
          "h * grid_->weight(i) * x[s] * x[s]", "h * h * grid_->weight(i) * x[s] * x[s]", "ContactStatistics.*"),
    Fault("sectors counted from axis 2 the other way round", "io: statistics", FOLLOWER,
          "std::atan2(place[1], place[0])", "std::atan2(place[0], place[1])", "SectorStatistics.*"),
    Fault("lumps of rigid impacts are lost", "io: statistics", IMPACTS,
          "if (each.containsInstant(time, end_)) each.impulse += impulse;", "", "ContactStatistics.*", "statement"),
    Fault("the impulse of a global impact is that of its last one", "io: statistics",
          "io/quantities/statistics/impact_tracker.hpp", "global_.impulse += single_.impulse;",
          "global_.impulse = single_.impulse;", "ImpactTracker.*", "statement"),
    Fault("a rest between impacts never ends a global one", "io: statistics", "io/quantities/statistics/impact_tracker.hpp",
          "open_ && !(rest_ > 0.0 && time - global_.end <= rest_)", "false", "ImpactTracker.*:ContactStatistics.*"),
    Fault("what lies below a histogram is lost", "io: statistics", HISTOGRAM,
          "below_[window] += density * std::max(0.0, std::min(to, low_) - from);", "", "Histogram.*", "statement"),
    Fault("a histogram that widens forgets every other bin", "io: statistics", HISTOGRAM,
          "from < n ? bin[from] + bin[from + 1] : 0.0", "from < n ? bin[from] : 0.0", "Histogram.*"),
    Fault("rebounds of a window count one too many", "io: statistics", "io/quantities/statistics/window_totals.hpp",
          "rebounds += impact.rebounds;", "rebounds += impact.rebounds + 1.0;", "ContactStatistics.*", "statement"),
    Fault("the wrong root of a crest between steps", "engine: statistics", "engine/transient/step_statistics.hpp",
          "select(towards * b > 0.0, other, direct)", "select(towards * b > 0.0, direct, other)",
          "StepStatistics.*:BatchRun.StepStatistics*"),

    # checks
    Fault("relative limits are absolute ones", "io: checks", CHECKS,
          "check.relative.value_or(0.0) * std::abs(check.reference)", "check.relative.value_or(0.0)",
          CASES),
    Fault("a check passes whatever it finds", "io: checks", CHECKS,
          "result.computed && std::abs(*result.difference()) <= result.limit", "true",
          "FailedChecks.*:CommandLine.VerifyJudges"),
    Fault("the event after the one asked for", "io: checks", CHECKS,
          "event.contact == contact && event.kind == kind && --index == 0",
          "event.contact == contact && event.kind == kind && index-- == 0", "CaseTest.CheckAtAnEvent*:" + CASES),
    Fault("relative displacements are sums", "io: checks", CHECKS,
          "if (check.node2) row -= simulation_.row({*check.node2, *check.dof});",
          "if (check.node2) row += simulation_.row({*check.node2, *check.dof});", CASES, "statement"),
    Fault("the largest size looks at maxima only", "io: checks", REDUCTIONS,
          "larger(std::abs(t.highest), std::abs(t.lowest))", "std::abs(t.highest)", CASES),
    Fault("a root mean square of a check without its root", "io: checks", REDUCTIONS,
          "std::sqrt(t.sum / t.length)", "t.sum / t.length", CASES),
    Fault("a mean is an integral", "io: checks", REDUCTIONS, "return t.sum / t.length;", "return t.sum;", CASES, "statement"),
    Fault("the work of friction has the wrong sign", "io: checks", WATCH,
          "-(values[0] * values[2] + values[1] * values[3])", "values[0] * values[2] + values[1] * values[3]", CASES),
    Fault("impacts end where the next one begins", "io: checks", "io/quantities/checks/checks_watch_plan.cpp",
          "if (event.kind != EventKind::opening || open) continue;",
          "if (event.kind != EventKind::closing || open) continue;", CASES, "statement"),
    Fault("impacts at the start have no approach velocity", "io: checks",
          "io/quantities/statistics/contact_statistics.cpp",
          "followers_[i].setInitialApproach(-rates[contacts_[i]]);", "",
          "*CaseTest.MeetsItsChecks*row_of_balls*:*CaseTest.MeetsItsChecks*moreau_starts_with*", "statement"),
    Fault("checks look at long steps as if they were short", "io: checks",
          "io/quantities/checks/checks.cpp", "resolvedParts(simulation_, end - begin, kPhase)", "1",
          "OutputRecorder.SeesInside*"),
    Fault("outputs look at the ends of long steps alone", "io: batch",
          "io/quantities/batch/output_recorder.cpp", "resolvedParts(simulation, options.step, kResolvedPhase)", "1",
          "OutputRecorder.SeesInside*"),
]
