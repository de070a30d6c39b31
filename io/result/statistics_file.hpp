#pragma once

#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ricochet {

/// Writes the statistics of a run into its result: tables of impacts during the run, all other statistics at
/// its end (io/quantities/QUANTITIES.md).
class StatisticsFile {
 public:
  enum class Datasets { create, open };
  StatisticsFile(const H5File& file, const Deck& study, Mode mode, Datasets datasets);

  /// Appends the impacts that have ended.
  void writeImpacts(ContactStatistics& statistics);

  /// Writes attributes of the whole run, the windows and the histograms.
  void writeTotals(const ContactStatistics& statistics) const;

  /// Number of rows of every table, for a checkpoint; `truncateTo` truncates the tables to these numbers.
  std::vector<std::uint64_t> rows() const;
  void truncateTo(const std::vector<std::uint64_t>& rows);

 private:
  struct Table {
    std::vector<GrowingDataset> columns;
  };
  void writeSectors(const std::string& group, const ContactFollower& follower, const WearRequest* wear) const;
  void writeHistograms(const std::string& group, const ContactFollower& follower) const;

  const H5File& file_;
  const Deck& study_;
  Mode mode_;
  std::vector<Table> tables_;  // one table per requested contact
  std::vector<double> column_;
};

}  // namespace ricochet
