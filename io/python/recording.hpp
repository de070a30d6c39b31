#pragma once

#include "engine/study/imposed_field.hpp"
#include "engine/transient/probes.hpp"
#include "io/python/watched_run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

struct RunSummary;
struct Simulation;

/// The histories of a run in memory, under the names of a result file (io/result/LAYOUT.md): group, dataset,
/// axes, unit. NumPy becomes the owner of the memory when the run has ended.
class Recording : public WatchedRun {
 public:
  Recording(const Deck& deck, const Simulation& simulation, pybind11::object callback);

  void archive(const StepView& view) override;
  void onEvents(std::span<const Event> events) override;
  bool onProgress(double time, long long steps) override;

  /// Reports in the summary that an archived value was not finite.
  void reportNonFiniteValue(RunSummary& summary) const;

  /// Dictionary group -> name -> (axes, array, attributes). Empties the recording.
  pybind11::dict takeGroupsAsDict();

 private:
  struct Column {
    std::string group;
    AnyProbe probe;
    std::vector<std::string> axes;         // names of the axes of a row
    std::vector<pybind11::ssize_t> shape;  // extents of a row
    std::vector<double> values{};
    // Motion in addition to the coordinates, at these indices of a row.
    std::vector<std::pair<std::size_t, ImposedMotion>> imposed{};
  };

  /// `axis`: name of the axis of a row of several values.
  void addHistoryColumn(const std::string& group, AnyProbe probe, std::string_view axis = "axis");
  void addHistoriesOfNodes(const Simulation& simulation);
  void addHistoriesOfContacts();
  void addHistoriesOfLinks(const Simulation& simulation);
  bool appendSampledRow(Column& column, const StepView& view);
  pybind11::dict nodeAndComponentAxes() const;
  pybind11::dict eventsAsDict();

  const Deck& deck_;
  std::string root_;  // parent of the groups: "" or "direct/"
  std::vector<double> times_;
  std::vector<Column> columns_;
  std::vector<std::string> contactGroups_;
  std::vector<std::vector<std::int8_t>> phases_;  // phases of each contact, row after row
  std::vector<Event> events_;
  std::size_t components_{3};  // number of components per node
  std::string notFinite_;      // name of a quantity that was not finite
  double notFiniteAt_{0.0};    // instant of this value [s]
};

}  // namespace ricochet
