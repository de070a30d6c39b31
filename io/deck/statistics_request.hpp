#pragma once

#include "engine/transient/probes.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ricochet {

/// Quantities with histograms: values of each impact, then the time spent by a contact at each value.
enum class Histogrammed : unsigned char { impactPeak, impactVelocity, impactDuration, normalForce, gap };
inline constexpr std::array<std::string_view, 5> kHistogrammed{
    "impact_peak", "impact_velocity", "impact_duration", ContactProbe{ContactProbe::Kind::normalForce}.name(),
    ContactProbe{ContactProbe::Kind::gap}.name()};

struct StatisticsWindow {
  double from{0.0};  ///< start of the window [s]
  double to{0.0};    ///< end of the window [s]
};

/// Request of the table `[statistics]` of a deck: statistics of contacts, accumulated during a run.
struct StatisticsRequest {
  std::vector<StatisticsWindow> windows;  ///< windows; none: the whole run
  std::vector<std::size_t> contacts;      ///< indices of the contacts in the study, increasing
  double threshold{0.0};                  ///< largest normal force at which a contact counts as open [N]
  double restTime{0.0};                   ///< impacts closer than this are one global impact [s]
  int bins{0};                            ///< number of bins of histograms; 0: none
  int sectors{0};                         ///< number of angular sectors with separate wear; 0: none
  bool impactTable{false};                ///< true: writes a row for each global impact
  /// range of each histogram; absent: found from the data
  std::array<std::optional<std::array<double, 2>>, kHistogrammed.size()> ranges{};
};

}  // namespace ricochet
