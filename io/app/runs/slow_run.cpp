#include "io/app/runs/slow_run.hpp"

#include "engine/study/simulation.hpp"
#include "engine/study/study_links.hpp"
#include "engine/study/supports.hpp"
#include "engine/transient/transient_grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kSlowSteps = 1e8;
constexpr double kLeastPerSecond = 1e-6;  // least part of the run per second of work with event

double highestModeFrequency(const Simulation& simulation) {
  const Vector& squares = simulation.model.linear.omegaSquared;
  return simulation.mode == Mode::modal && squares.size() > 0
             ? std::sqrt(squares.maxCoeff()) / (2.0 * std::numbers::pi)
             : 0.0;
}

/// Number of instants between two times at which a load or another function of time begins a new piece.
std::size_t countBreakpointsOfFunctions(const Simulation& simulation, double from, double to) {
  std::size_t breaks = 0;
  if (simulation.mode != Mode::modal) return breaks;
  forEachExcitationFunction(simulation.model, [&](const TimeFunction& f) {
    for (const double instant : f.breakpoints()) breaks += instant > from && instant <= to ? 1 : 0;
  });
  return breaks;
}

}  // namespace

SlowRunNotice::SlowRunNotice(std::string deck, const Simulation& simulation, const TransientOptions& options,
                             std::FILE* out)
    : deck_(std::move(deck)),
      simulation_(simulation),
      start_(options.start),
      duration_(options.end - options.start),
      step_(options.step),
      out_(out),
      isFixed_(simulation.step > 0.0 && simulation.scheme != kEventScheme &&
               !schemeTraits(simulation.scheme)->adaptive && options.scheme.stepMax == 0.0),
      time_(options.start) {
  const double steps = duration_ / step_;
  if (!isFixed_ || !(steps > kSlowSteps)) return;
  printSlowRunNotice(
      fmt::format("needs {:.2g} steps", steps),
      fmt::format(
          "its step is {:.3g} s and its duration {:.6g} s; a larger `step`, fewer modes, softer contacts "
          "or a shorter `duration` would help, or scheme = \"event\", which takes no such steps",
          step_, duration_));
}

void SlowRunNotice::updateNotice(double time, long long steps, std::size_t events) {
  if (said_ || isFixed_) return;
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = std::chrono::duration<double>(now - since_).count();
  if (elapsed < 1.0) return;
  assessPaceOfRun(elapsed, (time - time_) / duration_, steps - steps_, events - events_);
  since_ = now;
  time_ = time;
  steps_ = steps;
  events_ = events;
}

/// Judges a second of work in which a part of the run was computed, from its numbers of steps and events.
void SlowRunNotice::assessPaceOfRun(double elapsed, double part, long long steps, std::size_t events) {
  const bool byEvents = simulation_.scheme == kEventScheme;
  const double needed = static_cast<double>(steps) / part;
  const bool crawls = byEvents && part < kLeastPerSecond * elapsed;
  if (!crawls && !(needed > kSlowSteps)) return;
  const double made = part * duration_;
  const std::string what =
      crawls ? fmt::format("makes {:.2g} s of {:.6g} s per second of work", made / elapsed, duration_)
             : fmt::format("needs {:.2g} steps at its present pace", needed);
  if (!byEvents)
    return printSlowRunNotice(
        what, fmt::format("{} chooses steps of {:.2g} s there; a larger tolerance, softer contacts or a "
                          "scheme with a fixed `step` would help",
                          simulation_.scheme, made / static_cast<double>(steps)));
  // least number of steps per event or breakpoint, if these end the steps
  constexpr std::size_t kFewSteps = 4;
  const std::size_t breaks = countBreakpointsOfFunctions(simulation_, time_, time_ + made);
  const auto taken = static_cast<std::size_t>(steps);
  if (kFewSteps * events >= taken)
    return printSlowRunNotice(
        what, fmt::format("contacts changed their state {} times in {:.2g} s of the run; contacts with a "
                          "stiffness or a damping, or a scheme that steps (moreau, kick_drift), would help",
                          events, made));
  if (kFewSteps * breaks >= taken)
    return printSlowRunNotice(
        what, fmt::format("its functions of time have {} pieces in {:.2g} s of the run, and each ends a "
                          "step; fewer samples or a scheme that steps (kick_drift) would help",
                          breaks, made));
  if (std::ranges::any_of(simulation_.links().links(),
                          [](const auto& link) { return isFormulaWithDecisions(link.law); }))
    return printSlowRunNotice(
        what,
        fmt::format("a formula with decisions gives the force of a link, and steps of {:.2g} s end near "
                    "its bends; where a power below 1 has an infinite slope, oscillations of vanishing "
                    "size are infinitely fast: a straight piece through the bend, or a scheme that "
                    "steps (kick_drift), would help",
                    made / static_cast<double>(steps)));
  printSlowRunNotice(
      what,
      fmt::format("its steps resolve motions of {:.3g} Hz, the highest mode, and contacts that are stiffer; "
                  "fewer modes or a scheme that steps (moreau, kick_drift) would help",
                  highestModeFrequency(simulation_)));
}

void SlowRunNotice::printSlowRunNotice(const std::string& what, const std::string& why) {
  said_ = true;
  fmt::print(out_, "ricochet: {}: the run {}: {}\n", deck_, what, why);
  std::fflush(out_);
}

}  // namespace ricochet
