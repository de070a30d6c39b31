#pragma once

#include "engine/study/parts/study.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/transient/transient.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace ricochet {

struct Simulation;

/// How a study is run.
struct RunChoice {
  bool direct{false};   ///< in physical coordinates, by the scheme of Study::direct
  int archiveEvery{1};  ///< archived rows: the start, every n-th step and the end
  std::vector<double>
      archiveTimes;  ///< archived instead at these instants [s], increasing; when there are some
};

/// What a run left: rows at the archived instants, every change of a contact's state, and the report.
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

  /// Of a dof at the archived instants [m], [rad]; per second. Zero of a dof that does not exist or is fixed.
  std::vector<double> displacement(NodeIndex node, Component component) const;
  std::vector<double> velocity(NodeIndex node, Component component) const;

  /// What a contact does at the archived instants. Throws std::out_of_range: no contact has this name.
  std::vector<ContactView> contact(std::string_view name) const;

  /// All located changes of state, in time; Event::contact counts contacts, then links.
  const std::vector<Event>& events() const noexcept { return events_; }

  /// Instant of the n-th event of a kind of a contact or link [s]; n from 1. Throws std::out_of_range: no
  /// contact has this name, or there are fewer events.
  double event(std::string_view name, EventKind kind, int n = 1) const;

 private:
  class Recorder;
  friend Result run(const Study& study, const RunChoice& choice);

  std::vector<double> history(NodeIndex node, Component component, Kinematic kind) const;
  std::size_t placeOf(std::string_view name) const;

  std::vector<std::string> names_;  // of contacts, then links
  std::size_t contacts_;
  std::unique_ptr<const Simulation> simulation_;
  Report report_;
  std::vector<double> time_;
  std::vector<Vector> q_, v_;
  std::vector<ContactView> views_;  // of all contacts, instant after instant
  std::vector<Event> events_;
};

/// Prepares a study (engine/study/simulation.hpp) and runs it. A run that does not come to its end says so in
/// Result::report. Throws StudyError: the study cannot be run as it is.
Result run(const Study& study, const RunChoice& choice = {});

}  // namespace ricochet
