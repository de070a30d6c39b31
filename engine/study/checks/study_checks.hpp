#pragma once

#include "engine/study/parts/bare_study.hpp"
#include "engine/study/parts/study_error.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// What is asked of a run beside its study.
struct RunRequest {
  bool direct{false};
  int archiveEvery{1};
  std::span<const double> archiveTimes{};
};

/// Throws StudyError, with all problems, for a study that cannot be run: parts that do not exist, numbers
/// outside the ranges of their fields, functions of time that end inside the run.
void checkStudy(const Study& study, const RunRequest& request);

using StudyProblems = std::vector<StudyProblem>;

/// The parts of checkStudy. `addPartProblems`: indices of nodes, elements and beams, which the other parts
/// look up.
void addPartProblems(const Study& study, StudyProblems& problems);
void addLoadProblems(const Study& study, StudyProblems& problems);
void addBodyProblems(const Study& study, StudyProblems& problems);
void addRunProblems(const Study& study, const RunRequest& request, StudyProblems& problems);

/// Problems of a run whose instants or steps double precision does not resolve; `hasStep`: the step is
/// examined too.
StudyProblems problemsOfTimeResolution(const TransientRequest& transient, bool hasStep);

}  // namespace ricochet
