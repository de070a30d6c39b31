#include "engine/schemes/integrators.hpp"
#include "engine/study/checks/field_ranges.hpp"
#include "engine/study/checks/study_checks.hpp"
#include "engine/transient/run_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace ricochet {
namespace {

void addStepProblem(const char* path, const std::optional<double>& step, StudyProblems& problems) {
  if (step && !(std::isfinite(*step) && *step > 0.0))
    problems.push_back({path, fmt::format("must be above 0 s, got {:g}", *step)});
}

void addBasisProblems(const BasisRequest& basis, StudyProblems& problems) {
  const auto isNotNegative = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (basis.selection.modes && *basis.selection.modes < 1)
    problems.push_back({"basis.modes", fmt::format("must be at least 1, got {}", *basis.selection.modes)});
  if (const auto& most = basis.selection.frequencyMax; most && !(*most > 0.0))
    problems.push_back({"basis.frequency_max", fmt::format("must be above 0 Hz, got {:g}", *most)});
  for (const double ratio : basis.dampingRatio)
    if (!isNotNegative(ratio))
      problems.push_back({"basis.damping_ratio", fmt::format("must be at least 0, got {:g}", ratio)});
  if (!isNotNegative(basis.rayleigh.mass))
    problems.push_back(
        {"basis.rayleigh.mass", fmt::format("must be at least 0 1/s, got {:g}", basis.rayleigh.mass)});
  if (!isNotNegative(basis.rayleigh.stiffness))
    problems.push_back({"basis.rayleigh.stiffness",
                        fmt::format("must be at least 0 s, got {:g}", basis.rayleigh.stiffness)});
}

void addDirectProblems(const DirectRequest& direct, StudyProblems& problems) {
  std::vector<std::string_view> schemes;
  Integrators::forEach([&]<class I>() {
    if (I::traits.direct) schemes.push_back(I::keyword);
  });
  if (std::ranges::find(schemes, direct.scheme) == schemes.end())
    problems.push_back({"direct.scheme", fmt::format("no scheme of the direct mode is called \"{}\"; take {}",
                                                     direct.scheme, fmt::join(schemes, ", "))});
  addStepProblem("direct.step", direct.step, problems);
  addRangeProblems(direct.options, "direct", problems);
}

void addRowProblems(const RunInterval& run, const RunRequest& request, StudyProblems& problems) {
  const bool listed = !request.archiveTimes.empty();
  if (request.archiveEvery < (listed ? 0 : 1))
    problems.push_back({"archiveEvery", fmt::format("must be at least 1, got {}", request.archiveEvery)});
  for (std::size_t i = 0; i < request.archiveTimes.size(); ++i) {
    const double time = request.archiveTimes[i];
    const std::string path = fmt::format("archiveTimes[{}]", i);
    if (!run.instantIfWithinRun(time))
      problems.push_back({path, fmt::format("{} s is outside the run, {}", time, run.description())});
    else if (i > 0 && time <= request.archiveTimes[i - 1])
      problems.push_back(
          {path, fmt::format("must increase: {} s comes after {} s", time, request.archiveTimes[i - 1])});
  }
}

}  // namespace

StudyProblems problemsOfTimeResolution(const TransientRequest& transient, bool hasStep) {
  constexpr double kPerStep = 16.0;    // smallest number of representable instants per step
  constexpr double kFewest = 64.0;     // smallest number of the shortest possible steps in a run
  constexpr double kMostSteps = 1e15;  // more steps would take years on any machine
  const double latest = std::max(std::abs(transient.start), std::abs(transient.start + transient.duration));
  const double instant = std::numeric_limits<double>::epsilon() * latest;
  if (!(transient.duration >= kFewest * kPerStep * instant))
    return {{"transient.start",
             fmt::format("around {:.6g} s double precision tells instants apart that are {:.2g} s from one "
                         "another, and the run lasts {:.6g} s: count time from a later origin",
                         latest, instant, transient.duration)}};
  const double least = std::max(kPerStep * instant, transient.duration / kMostSteps);
  if (!hasStep || *transient.step >= least) return {};
  return {{"transient.step",
           fmt::format("must be at least {:.2g} s over this run, for double precision to tell its "
                       "instants apart, got {:.3g} s",
                       1.05 * least, *transient.step)}};
}

void addRunProblems(const Study& study, const RunRequest& request, StudyProblems& problems) {
  if (!study.transient) {
    problems.push_back({"transient", "missing: a study without a run has nothing to be run"});
    return;
  }
  const TransientRequest& transient = *study.transient;
  const std::size_t before = problems.size();
  if (!std::isfinite(transient.start))
    problems.push_back(
        {"transient.start", fmt::format("must be a finite number, got {:g} s", transient.start)});
  if (!(std::isfinite(transient.duration) && transient.duration > 0.0))
    problems.push_back(
        {"transient.duration", fmt::format("must be positive and finite, got {:g} s", transient.duration)});
  const bool isIntervalKnown = problems.size() == before;
  addStepProblem("transient.step", transient.step, problems);
  if (isIntervalKnown) {
    for (StudyProblem& each :
         problemsOfTimeResolution(transient, transient.step && problems.size() == before))
      problems.push_back(std::move(each));
    addRowProblems({transient.start, transient.start + transient.duration}, request, problems);
  }
  addRangeProblems(transient.options, "transient", problems);
  if (request.direct) addDirectProblems(study.direct, problems);
  addBasisProblems(study.basis, problems);
}

}  // namespace ricochet
