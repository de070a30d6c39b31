#include "io/result/result_verdict.hpp"

#include "engine/transient/kinematic.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/quantities/checks/not_finite.hpp"
#include "io/text/digest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string_view>

namespace ricochet {
namespace {

/// True for a history, which must be finite for every model.
bool isHistoryPath(std::string_view path) {
  for (const std::string_view group : {"/transient/", "/direct/", "/contacts/", "/contact_table/", "/links/",
                                       "/energy/", "/physical/", "/events/", "/beams/"})
    if (path.starts_with(group)) return true;
  return false;
}

class Inspection {
 public:
  Inspection(const H5File& file, const std::string& skipped) : file_(file), skipped_(skipped) {}

  ResultVerdict inspectResult() {
    inspectAndRecordFaults([&] { verdict_.status = file_.stringAttribute("/", "status"); });
    if (verdict_.status != "complete" && verdict_.status != "running" && verdict_.status != "failed")
      reportFault("/: its status is none of complete, running and failed");
    inspectGroup("/", 0);
    inspectAndRecordFaults([&] { inspectDeck(); });
    inspectAndRecordFaults([&] { inspectModel(); });
    return std::move(verdict_);
  }

 private:
  static constexpr std::size_t kBlockValues = std::size_t{1} << 20U;
  static constexpr int kDeepest = 16;

  void reportFault(std::string text) { verdict_.faults.push_back(std::move(text)); }

  /// Executes a check. An exception while reading is recorded as a fault, and the next checks continue.
  void inspectAndRecordFaults(const std::function<void()>& action) {
    try {
      action();
    } catch (const ResultError& error) {
      reportFault(error.what());
    }
  }

  void inspectGroup(const std::string& path, int depth) {
    inspectAndRecordFaults([&] {
      if (path == skipped_) return;
      if (depth > kDeepest) return reportFault(path + ": lies deeper than any group of a result");
      if (!seen_.insert(file_.addressOfObject(path)).second)
        // the same object under another name has already been checked
        return;
      inspectAndRecordFaults([&] { inspectAttributes(path); });
      if (file_.isDataset(path)) return inspectDataset(path);
      const std::vector<std::string> members = file_.namesOfGroupMembers(path);
      for (const std::string& name : members) inspectGroup((path == "/" ? "" : path) + "/" + name, depth + 1);
      // a contact may be named `time`
      if (isHistoryPath(path + "/") && std::ranges::find(members, "time") != members.end() &&
          file_.isDataset(path + "/time"))
        inspectHistories(path, members);
    });
  }

  void inspectAttributes(const std::string& path) {
    for (const std::string& name : file_.attributes(path)) {
      constexpr std::string_view kOfAxes[] = {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME",
                                              "_Netcdf4Dimid"};
      if (std::ranges::find(kOfAxes, name) != std::end(kOfAxes)) continue;
      if (file_.isTextAttribute(path, name))
        file_.stringsAttribute(path, name);
      else
        file_.numbersAttribute(path, name);
    }
  }

  void inspectDataset(const std::string& path) {
    ++verdict_.datasets;
    for (const char* name : {"units", "long_name"})
      if (!file_.hasAttribute(path, name)) reportFault(fmt::format("{}: does not say its {}", path, name));
    const H5Shape shape = file_.shape(path);
    const std::uint64_t size =
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    const H5File::Holds holds = file_.holds(path);
    if (holds == H5File::Holds::other) return reportFault(path + ": holds neither numbers nor strings");
    if (shape.empty()) {
      if (holds == H5File::Holds::strings)
        file_.readText(path);
      else
        file_.readAny(path);
    }
    const H5Shape row(shape.empty() ? shape.end() : shape.begin() + 1, shape.end());
    const std::size_t rows = shape.empty() ? 0 : shape.front();
    const std::size_t rowSize = std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>());
    const std::size_t block =
        std::clamp<std::size_t>(kBlockValues / std::max<std::size_t>(rowSize, 1), 1, rows + 1);
    for (std::size_t first = 0; first < rows; first += block)
      inspectRows(path, holds, first, std::min(block, rows - first), row);
    verdict_.values += size;
  }

  void inspectRows(const std::string& path, H5File::Holds holds, std::size_t first, std::size_t count,
                   const H5Shape& row) {
    if (holds == H5File::Holds::strings) {
      file_.readStrings(path, first, count);
      return;
    }
    if (holds == H5File::Holds::integers) {
      file_.readRows<std::int64_t>(path, first, count, row);
      return;
    }
    const std::vector<double> values = file_.readRows(path, first, count, row).values;
    if (const auto place = indexOfFirstNonFinite(values); place && isHistoryPath(path))
      reportFault(fmt::format("{}: value {} of row {} is no finite number", path,
                              *place % std::max<std::size_t>(values.size() / count, 1),
                              first + *place / std::max<std::size_t>(values.size() / count, 1)));
  }

  /// Checks that each dataset of a group has one row per instant of the dataset `time`.
  void inspectHistories(const std::string& group, const std::vector<std::string>& members) {
    const std::string prefix = group == "/" ? "" : group;
    const std::vector<double> times = file_.read(prefix + "/time", {kAny}).values;
    if (!std::ranges::is_sorted(times)) reportFault(prefix + "/time: decreases");
    const std::set<std::uint64_t> along = addressesOfDatasetsAlongScale(file_, prefix + "/time");
    for (const std::string& name : members) {
      const std::string path = prefix + "/" + name;
      if (!file_.isDataset(path)) continue;
      if (!file_.isGrowingDataset(path) && !along.contains(file_.addressOfObject(path))) continue;
      const H5Shape shape = file_.shape(path);
      if (const std::size_t rows = shape.empty() ? 0 : shape.front(); rows != times.size())
        reportFault(fmt::format("{}: has {} rows for {} instants", path, rows, times.size()));
    }
  }

  void inspectDeck() {
    if (!file_.exists("/deck")) {
      if (!file_.hasAttribute("/", "restored_from")) reportFault("/deck: is missing");
      return;
    }
    if (sha256(file_.readText("/deck")) != file_.stringAttribute("/", "deck_sha256"))
      reportFault("/deck: is not the text that the digest deck_sha256 is of");
  }

  void inspectIndices(const std::string& path, const H5Shape& shape, std::size_t column, std::size_t count) {
    if (!file_.exists(path)) return;
    const std::vector<std::int32_t> found = file_.read<std::int32_t>(path, shape).values;
    const std::size_t step = shape.size() > 1 ? shape[1] : 1;
    for (std::size_t i = column; i < found.size(); i += step)
      if (found[i] < 0 || static_cast<std::size_t>(found[i]) >= count)
        return reportFault(fmt::format("{}: holds the index {} of {}", path, found[i], count));
  }

  void inspectModel() {
    if (!file_.exists("/model/nodes/name")) return;
    const std::size_t nodes = file_.rows("/model/nodes/name");
    if (file_.rows("/model/nodes/position", {3}) != nodes)
      reportFault("/model/nodes/position: not one of each node");
    for (const std::size_t end : {0U, 1U}) inspectIndices("/model/lines", {kAny, 2}, end, nodes);
    inspectIndices("/model/dofs/node", {kAny}, 0, nodes);
    if (file_.exists("/model/groups/name"))
      inspectIndices("/model/groups/member", {kAny, 2}, 0, file_.rows("/model/groups/name"));
    inspectIndices("/model/groups/member", {kAny, 2}, 1, nodes);
    if (!file_.exists("/modal/shapes")) return;
    const std::size_t modes = file_.rows("/modal/eigenvalue");
    if (file_.rows("/modal/shapes", {modes}) != file_.rows("/model/dofs/node"))
      reportFault("/modal/shapes: has not one row for each dof");
    for (const std::string_view each : kKinematicNames)
      if (const std::string path = fmt::format("/transient/{}", each); file_.exists(path))
        file_.rows(path, {modes});
  }

  const H5File& file_;
  const std::string& skipped_;
  ResultVerdict verdict_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

ResultVerdict inspectResultFile(const H5File& result, const std::string& skipped) {
  return Inspection(result, skipped).inspectResult();
}

}  // namespace ricochet
