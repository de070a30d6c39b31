#pragma once

#include "engine/transient/probes.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ricochet {

/// What statistics have histograms of: of each impact, then of the time that a contact spends.
enum class Histogrammed : unsigned char { impactPeak, impactVelocity, impactDuration, normalForce, gap };
inline constexpr std::array<std::string_view, 5> kHistogrammed{
    "impact_peak", "impact_velocity", "impact_duration", ContactProbe{ContactProbe::Kind::normalForce}.name(),
    ContactProbe{ContactProbe::Kind::gap}.name()};

struct StatisticsWindow {
  double from{0.0};  ///< [s]
  double to{0.0};    ///< [s]
};

/// `[statistics]` of a deck: what is summed up of contacts while a run goes on.
struct StatisticsRequest {
  std::vector<StatisticsWindow> windows;  ///< none: the whole run
  std::vector<std::size_t> contacts;      ///< of the study, increasing
  double threshold{0.0};                  ///< normal force up to which there is no impact [N]
  double restTime{0.0};                   ///< impacts closer than this are one global impact [s]
  int bins{0};                            ///< of histograms; 0: none
  int sectors{0};                         ///< parts of a turn that have their own wear; 0: none
  bool impactTable{false};                ///< a row for each global impact
  std::array<std::optional<std::array<double, 2>>, kHistogrammed.size()> ranges{};  ///< absent: found
};

}  // namespace ricochet
