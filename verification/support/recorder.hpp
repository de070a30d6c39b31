#pragma once

#include "engine/study/run_transient.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace ricochet::test {

/// Records all rows and events of a run.
class Recorder : public TransientObserver {
 public:
  struct Row {
    State state;
    std::vector<ContactView> contacts;
    EnergyLedger ledger;
  };

  std::vector<Row> rows;
  std::vector<std::pair<std::size_t, Row>>
      shown;  ///< index into TransientOptions::instants, in order of time
  std::vector<Event> all;
  /// Number of steps after which progress() stops the run.
  long long stopAfter{std::numeric_limits<long long>::max()};

  void archive(const StepView& view) override { rows.push_back(rowOf(view)); }
  void onInstant(std::size_t index, const StepView& view) override { shown.emplace_back(index, rowOf(view)); }
  void onEvents(std::span<const Event> events) override {
    all.insert(all.end(), events.begin(), events.end());
  }
  bool onProgress(double, long long steps) override { return steps < stopAfter; }

  std::vector<double> times(EventKind kind) const {
    std::vector<double> found;
    for (const Event& event : all)
      if (event.kind == kind) found.push_back(event.time);
    return found;
  }

 private:
  static Row rowOf(const StepView& view) {
    return {view.state, {view.contacts.begin(), view.contacts.end()}, view.ledger};
  }
};

/// State with these coordinates and rates.
inline State stateOf(const std::vector<double>& q, const std::vector<double>& v) {
  State s(static_cast<Eigen::Index>(q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) {
    s.q[static_cast<Eigen::Index>(i)] = q[i];
    s.v[static_cast<Eigen::Index>(i)] = v[i];
  }
  return s;
}

/// Outcome of a whole run, by default with the last row only.
struct Outcome {
  Report report;
  Recorder seen;
  State state;  ///< at the end
};
inline Outcome runModel(const ModalModel& model, std::string_view scheme, State initial,
                        TransientOptions options, Recorder recorder = {}) {
  ModalEquation equation(model);
  Outcome result{{}, std::move(recorder), std::move(initial)};
  result.report = run(scheme, equation, result.state, options, result.seen);
  return result;
}

}  // namespace ricochet::test
