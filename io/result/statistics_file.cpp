#include "io/result/statistics_file.hpp"

#include "engine/accounts/checkpoint.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/quantities/table/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace ricochet {
namespace {

struct ImpactColumn {
  std::string_view name, unit, meaning;
  double Impact::*member;
};
constexpr std::array kImpactColumns{
    ImpactColumn{"start", "s", "instant at which the global impact begins", &Impact::start},
    ImpactColumn{"end", "s", "instant at which its last impact ends; of one that lasts, the end of the run",
                 &Impact::end},
    ImpactColumn{"velocity", "m/s", "velocity of approach at its first closing", &Impact::velocity},
    ImpactColumn{"peak_force", "N", "largest normal force", &Impact::peak},
    ImpactColumn{"impulse", "N s", "impulse of all its impacts", &Impact::impulse},
    ImpactColumn{"rebounds", "1", "impacts after the first", &Impact::rebounds}};

/// Index of the first window that is written: the windows of the deck, or the whole run if the deck has none.
std::size_t indexOfFirstWrittenWindow(const StatisticsRequest& request) {
  return request.windows.empty() ? 0 : 1;
}

Axis windowAxis(const StatisticsRequest& request) {
  return {"window",
          "number of the window; 0: the whole run",
          {},
          static_cast<std::int32_t>(indexOfFirstWrittenWindow(request))};
}

}  // namespace

StatisticsFile::StatisticsFile(const H5File& file, const Deck& study, Mode mode, Datasets datasets)
    : file_(file), study_(study), mode_(mode) {
  if (!study.statistics->impactTable) return;
  for (const std::size_t contact : study.statistics->contacts) {
    Table& table = tables_.emplace_back();
    const std::string group = contactGroupPath(study.contacts[contact].name, mode) + "/impacts";
    for (const ImpactColumn& each : kImpactColumns) {
      const std::string path = fmt::format("{}/{}", group, each.name);
      if (datasets == Datasets::open) {
        table.columns.push_back(GrowingDataset::open(file, path));
        continue;
      }
      table.columns.push_back(GrowingDataset::createNumbers(
          file, path, {std::string(each.unit), std::string(each.meaning)}, {.rowShape = {}}));
      labelAxes(file, path, {{"start"}});
    }
  }
}

void StatisticsFile::writeImpacts(ContactStatistics& statistics) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    std::vector<Impact>& ended = statistics.contactFollowers()[i].endedGlobalImpacts();
    // with an infinite impact the totals are infinite too, and the run has failed
    std::erase_if(ended, [](const Impact& impact) {
      return std::ranges::any_of(
          kImpactColumns, [&](const ImpactColumn& each) { return !std::isfinite(impact.*each.member); });
    });
    for (std::size_t c = 0; c < kImpactColumns.size(); ++c) {
      column_.clear();
      for (const Impact& impact : ended) column_.push_back(impact.*kImpactColumns[c].member);
      tables_[i].columns[c].append(column_.data(), column_.size());
    }
    ended.clear();
  }
}

void StatisticsFile::writeTotals(const ContactStatistics& statistics) const {
  // Numbers of impacts that every result has.
  const std::set<std::string_view> known{"impacts", "impulse", "peak_force"};
  const std::size_t first = indexOfFirstWrittenWindow(*study_.statistics);
  for (std::size_t i = 0; i < statistics.contactFollowers().size(); ++i) {
    const ContactFollower& follower = statistics.contactFollowers()[i];
    const ContactRequest& contact = study_.contacts[study_.statistics->contacts[i]];
    const std::string group = contactGroupPath(contact.name, mode_);
    const auto windows = follower.windowTotals().subspan(first);
    std::vector<double> values(windows.size());
    const auto write = [&](std::string_view name, const Meaning& meaning, auto&& valueOf) {
      std::transform(windows.begin(), windows.end(), values.begin(), valueOf);
      const std::string path = fmt::format("{}/statistics/{}", group, name);
      file_.write(path, {values.size()}, values, meaning);
      labelAxes(file_, path, {windowAxis(*study_.statistics)});
    };
    write("from", {"s", "start of the window"}, [](const WindowTotals& w) { return w.from; });
    write("to", {"s", "end of the window, or of a run that ended before"},
          [](const WindowTotals& w) { return w.to; });
    for (const StatisticColumn& each : statisticColumns()) {
      if (!each.appliesToWear(contact.wear.get())) continue;
      const auto valueOf = [&](const WindowTotals& w) { return each.value(w, contact.wear.get()); };
      write(each.name, {std::string(each.unit), std::string(each.meaning)}, valueOf);
      if (!known.contains(each.name))
        file_.setAttribute(group, each.name, valueOf(follower.windowTotals().front()));
    }
    writeSectors(group, follower, contact.wear.get());
    writeHistograms(group + "/histograms", follower);
  }
}

void StatisticsFile::writeSectors(const std::string& group, const ContactFollower& follower,
                                  const WearRequest* wear) const {
  const std::size_t first = indexOfFirstWrittenWindow(*study_.statistics),
                    windows = follower.windowTotals().size();
  const std::size_t sectors = follower.wearWorkOfSectors(0).size();
  if (sectors == 0) return;
  std::vector<double> edges(sectors + 1), values;
  for (std::size_t i = 0; i <= sectors; ++i)
    edges[i] = 360.0 * static_cast<double>(i) / static_cast<double>(sectors) - 180.0;
  file_.write(group + "/statistics/sector_edges", {edges.size()}, edges,
              {"degrees", "edges of the sectors, from axis 1 of the obstacle towards axis 2"});
  labelAxes(file_, group + "/statistics/sector_edges", {{"sector_edges"}});
  for (const SectorColumn& each : sectorColumns()) {
    if (!each.appliesToWear(wear)) continue;
    const auto add = [&](std::size_t window) {
      for (const double work : follower.wearWorkOfSectors(window))
        values.push_back(
            each.value(work, follower.windowTotals()[window].covered, static_cast<int>(sectors), wear));
    };
    values.clear();
    add(0);
    file_.setAttribute(group, each.name, std::span<const double>(values));
    values.clear();
    for (std::size_t w = first; w < windows; ++w) add(w);
    const std::string path = fmt::format("{}/statistics/{}", group, each.name);
    file_.write(path, {windows - first, sectors}, values,
                {std::string(each.unit), std::string(each.meaning)});
    labelAxes(file_, path, {windowAxis(*study_.statistics), {"sector", "number of the sector"}});
  }
}

void StatisticsFile::writeHistograms(const std::string& group, const ContactFollower& follower) const {
  if (study_.statistics->bins == 0) return;
  const std::size_t first = indexOfFirstWrittenWindow(*study_.statistics);
  const std::size_t windows = follower.windowTotals().size();
  for (std::size_t q = 0; q < kHistogrammed.size(); ++q) {
    const auto which = static_cast<Histogrammed>(q);
    const bool ofTime = which == Histogrammed::normalForce || which == Histogrammed::gap;
    const Histogram& histogram = *follower.histogram(which);
    const std::size_t bins = histogram.binCount();
    const std::string path = fmt::format("{}/{}", group, kHistogrammed[q]);
    std::vector<double> edges(bins + 1), counts, below, above;
    for (std::size_t i = 0; i <= bins; ++i)
      edges[i] = histogram.lowestValueOfRange() +
                 (histogram.highestValueOfRange() - histogram.lowestValueOfRange()) * static_cast<double>(i) /
                     static_cast<double>(bins);
    for (std::size_t w = first; w < windows; ++w) {
      const auto weights = histogram.weightsOfBins(w);
      counts.insert(counts.end(), weights.begin(), weights.end());
      below.push_back(histogram.timeBelowRange(w));
      above.push_back(histogram.timeAboveRange(w));
    }
    const Quantity& quantity = *findCheckQuantity(kHistogrammed[q]);
    const std::string what(quantity.meaning);
    file_.write(path + "/edges", {edges.size()}, edges,
                {std::string(quantity.unit), "edges of the bins of: " + what});
    file_.write(path + "/weight", {windows - first, bins}, counts,
                {ofTime ? "s" : "1", (ofTime ? "time spent in each bin, window by window: "
                                             : "impacts in each bin, window by window: ") +
                                         what});
    labelAxes(file_, path + "/edges", {{"edges"}});
    labelAxes(file_, path + "/weight",
              {windowAxis(*study_.statistics), {"bin", "number of the bin, between two edges"}});
    file_.setAttribute(path + "/weight", "below", std::span<const double>(below));
    file_.setAttribute(path + "/weight", "above", std::span<const double>(above));
  }
}

std::vector<std::uint64_t> StatisticsFile::rows() const {
  std::vector<std::uint64_t> rows;
  for (const Table& table : tables_) rows.push_back(table.columns.front().rows());
  return rows;
}

void StatisticsFile::truncateTo(const std::vector<std::uint64_t>& rows) {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    for (GrowingDataset& column : tables_[i].columns) {
      if (i >= rows.size() || column.rows() < rows[i])
        throw CheckpointError("the table of impacts is shorter than the checkpoint says");
      column.truncate(rows[i]);
    }
}

}  // namespace ricochet
