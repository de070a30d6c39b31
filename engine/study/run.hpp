#pragma once

#include "engine/study/parts/study.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/transient/transient.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace ricochet {

struct Simulation;

/// Options of `run`.
struct RunChoice {
  bool direct{false};   ///< run in physical coordinates, with the scheme of Study::direct
  int archiveEvery{1};  ///< archived rows: the start, every n-th step and the end
  std::vector<double>
      archiveTimes;  ///< if not empty, rows are archived at these instants instead [s], increasing
};

/// Result of a run: rows at the archived instants, all changes of contact state, and the report.
class Result {
 public:
  explicit Result(const Study& study, std::unique_ptr<const Simulation> simulation);
  Result(Result&&) noexcept;
  Result& operator=(Result&&) noexcept;
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result();

  const Report& report() const noexcept { return report_; }
  const Simulation& simulation() const noexcept { return *simulation_; }

  /// Archived instants [s].
  const std::vector<double>& time() const noexcept { return time_; }

  /// Displacement of a dof at the archived instants [m], [rad], and its velocity [m/s], [rad/s]. Zero for a
  /// dof that does not exist or is fixed.
  std::vector<double> displacement(NodeIndex node, Component component) const;
  std::vector<double> velocity(NodeIndex node, Component component) const;

  /// State of a contact at the archived instants. Throws std::out_of_range if no contact has this name.
  std::vector<ContactView> contact(std::string_view name) const;
  /// State of a link at the archived instants. Throws std::out_of_range if no link has this name.
  std::vector<LinkState> link(std::string_view name) const;

  /// All located changes of state, in order of time; Event::contact counts contacts, then links.
  const std::vector<Event>& events() const noexcept { return events_; }

  /// Instant of the n-th event of a kind, of a contact or link [s]; n counts from 1. Throws std::out_of_range
  /// if no contact has this name, or there are fewer events.
  double event(std::string_view name, EventKind kind, int n = 1) const;

 private:
  class Recorder;
  friend Result run(const Study& study, const RunChoice& choice);

  std::vector<double> history(NodeIndex node, Component component, Kinematic kind) const;
  std::size_t indexOfName(std::string_view name) const;

  std::vector<std::string> names_;  // names of the contacts, then of the links
  std::size_t contacts_;
  std::unique_ptr<const Simulation> simulation_;
  Report report_;
  std::vector<double> time_;
  std::vector<Vector> q_, v_;
  std::vector<ContactView> views_;  // views of all contacts, instant after instant
  std::vector<LinkState> links_;    // states of all links, instant after instant
  std::vector<Event> events_;
};

/// Checks a study (engine/study/checks), prepares it (engine/study/simulation.hpp) and runs it. If the run
/// does not reach its end, Result::report gives the reason. Throws StudyError if the study has errors.
Result run(const Study& study, const RunChoice& choice = {});

}  // namespace ricochet
