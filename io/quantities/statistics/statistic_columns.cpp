// List of the statistics: names, units and meanings.

#include "io/quantities/statistics/contact_statistics.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using W = WindowTotals;
using Wear = const WearRequest*;

double mean(double sum, double count) noexcept { return count > 0.0 ? sum / count : 0.0; }

template <ContactPhase P>
double shareOfWearWork(const W& w, Wear) {
  return mean(w.time[static_cast<std::size_t>(P)], w.covered);
}

std::vector<StatisticColumn> statisticColumnsWithoutSignal() {
  return {StatisticColumn{"impacts", "1", "impacts that begin in the window",
                          [](const W& w, Wear) { return w.impacts.count; }},
          StatisticColumn{"impulse", "N s", "integral of the normal force",
                          [](const W& w, Wear) { return w.impulse; }},
          StatisticColumn{
              "peak_force", "N", "largest normal force",
              [](const W& w, Wear) { return w.covered > 0.0 ? w.momentsOf(Signal::normalForce).high : 0.0; }},
          StatisticColumn{"global_impacts", "1", "impacts after a rest that begin in the window",
                          [](const W& w, Wear) { return w.globals.count; }},
          StatisticColumn{"rebounds_mean", "1", "impacts of a global impact after its first, mean",
                          [](const W& w, Wear) { return mean(w.globals.rebounds, w.globals.count); }},
          StatisticColumn{"rebounds_max", "1", "the same, largest",
                          [](const W& w, Wear) { return w.globals.most; }},
          StatisticColumn{"global_duration_mean", "s", "duration of a global impact, pauses included, mean",
                          [](const W& w, Wear) { return mean(w.globals.duration, w.globals.count); }},
          StatisticColumn{"global_duration_max", "s", "the same, largest",
                          [](const W& w, Wear) { return w.globals.longest; }},
          StatisticColumn{"impact_duration_mean", "s", "duration of an impact, mean",
                          [](const W& w, Wear) { return mean(w.impacts.duration, w.impacts.count); }},
          StatisticColumn{"impact_duration_max", "s", "duration of an impact, largest",
                          [](const W& w, Wear) { return w.impacts.longest; }},
          StatisticColumn{"impact_velocity_mean", "m/s", "velocity of approach at closing, mean",
                          [](const W& w, Wear) { return mean(w.impacts.velocity, w.impacts.count); }},
          StatisticColumn{"impact_velocity_max", "m/s", "velocity of approach at closing, largest",
                          [](const W& w, Wear) { return w.impacts.fastest; }},
          StatisticColumn{"impact_peak_mean", "N", "largest normal force of an impact, mean",
                          [](const W& w, Wear) { return mean(w.impacts.peak, w.impacts.count); }},
          StatisticColumn{"impact_peak_max", "N", "largest normal force of an impact, largest",
                          [](const W& w, Wear) { return w.impacts.hardest; }},
          StatisticColumn{"impact_impulse_mean", "N s", "impulse of an impact, mean",
                          [](const W& w, Wear) { return mean(w.impacts.impulse, w.impacts.count); }},
          StatisticColumn{"share_open", "1", "share of the time that the contact is open",
                          shareOfWearWork<ContactPhase::open>},
          StatisticColumn{"share_stick", "1", "share of the time that the contact sticks",
                          shareOfWearWork<ContactPhase::stick>},
          StatisticColumn{"share_slip", "1",
                          "share of the time that the contact slips; all that it is closed, without friction",
                          shareOfWearWork<ContactPhase::slip>},
          StatisticColumn{"wear_work", "J", "integral of normal force times slip speed over slip",
                          [](const W& w, Wear) { return w.wear; }},
          StatisticColumn{"wear_power", "W", "wear work over the length of the window",
                          [](const W& w, Wear) { return mean(w.wear, w.covered); }},
          StatisticColumn{"wear_volume", "m^3", "worn volume, by the law of `wear`",
                          [](const W& w, Wear wear) { return wear->volume(w.wear, w.covered); }, true},
          StatisticColumn{"wear_depth", "m", "depth of that volume",
                          [](const W& w, Wear wear) { return wear->depth(w.wear, w.covered); }, true, true},
          StatisticColumn{"wear_volume_other", "m^3", "worn volume of the other body",
                          [](const W& w, Wear wear) { return wear->volumeOfOtherBody(w.wear, w.covered); },
                          true, false, true},
          StatisticColumn{"wear_depth_other", "m", "depth of that volume",
                          [](const W& w, Wear wear) { return wear->depthOfOtherBody(w.wear, w.covered); },
                          true, true, true},
          StatisticColumn{
              "normal_force_mean_closed", "N", "normal force while the contact is closed, mean",
              [](const W& w, Wear) { return mean(w.forceWhileCountedClosed.integral, w.closedTime()); }},
          StatisticColumn{"normal_force_rms_closed", "N", "the same, root mean square", [](const W& w, Wear) {
                            return std::sqrt(mean(w.forceWhileCountedClosed.square, w.closedTime()));
                          }}};
}

/// Adds the reductions of a signal; the largest normal force is omitted, as `peak_force` gives its value.
void addReductionsOfSignal(std::vector<StatisticColumn>& columns, Signal signal, ContactProbe::Kind kind,
                           const std::string& place, const std::string& meaning,
                           std::initializer_list<std::string_view> keywords) {
  const ContactProbe probe{kind};
  for (const std::string_view keyword : keywords) {
    StatisticColumn& made = columns.emplace_back();
    made.reduction = findReduction(keyword);
    made.signal = signal;
    made.name = fmt::format("{}{}_{}", probe.name(), place, keyword);
    made.unit = probe.unit();
    made.meaning = fmt::format("{}, {}", meaning, made.reduction->meaning);
  }
}

std::vector<StatisticColumn> allStatisticColumns() {
  using K = ContactProbe::Kind;
  std::vector<StatisticColumn> all = statisticColumnsWithoutSignal();
  addReductionsOfSignal(all, Signal::normalForce, K::normalForce, "", "normal force", {"mean", "rms", "min"});
  addReductionsOfSignal(all, Signal::tangentialForce, K::tangentialForce, "", "size of the tangential force",
                        {"mean", "rms", "max"});
  addReductionsOfSignal(all, Signal::gap, K::gap, "", "gap", {"mean", "rms", "min", "max"});
  for (int axis = 1; axis <= 3; ++axis)
    addReductionsOfSignal(all, static_cast<Signal>(static_cast<int>(Signal::position1) + axis - 1),
                          K::position, fmt::format("_{}", axis),
                          fmt::format("place along axis {} of the obstacle", axis),
                          {"mean", "rms", "min", "max"});
  return all;
}

const std::vector<StatisticColumn>& statisticColumnsOfContacts() {
  static const std::vector<StatisticColumn> columns = allStatisticColumns();
  return columns;
}

constexpr std::array kSectorColumns{
    SectorColumn{"sector_wear_work", "J", "wear work while the first node is in a sector",
                 [](double work, double, int, Wear) { return work; }},
    SectorColumn{"sector_wear_volume", "m^3", "worn volume of a sector",
                 [](double work, double duration, int, Wear wear) { return wear->volume(work, duration); },
                 true},
    SectorColumn{"sector_wear_depth", "m", "depth of that volume, spread over the sector",
                 [](double work, double duration, int sectors, Wear wear) {
                   return wear->sectorDepth(work, duration, sectors);
                 },
                 true, true}};

}  // namespace

std::span<const SectorColumn> sectorColumns() { return kSectorColumns; }

const SectorColumn* sectorColumn(std::string_view name) {
  for (const SectorColumn& each : kSectorColumns)
    if (each.name == name) return &each;
  return nullptr;
}

std::span<const StatisticColumn> statisticColumns() { return statisticColumnsOfContacts(); }

const StatisticColumn* statisticColumn(std::string_view name) {
  for (const StatisticColumn& each : statisticColumnsOfContacts())
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace ricochet
