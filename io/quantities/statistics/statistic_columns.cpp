// The numbers that statistics give: names, units and what they mean.

#include "io/quantities/statistics/contact_statistics.hpp"

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using W = WindowTotals;
using Wear = const WearRequest*;

double over(double sum, double count) noexcept { return count > 0.0 ? sum / count : 0.0; }

template <Signal S>
double mean(const W& w, Wear) {
  return over(w.of(S).integral, w.covered);
}
template <Signal S>
double rms(const W& w, Wear) {
  return std::sqrt(over(w.of(S).square, w.covered));
}
template <Signal S>
double low(const W& w, Wear) {
  return w.covered > 0.0 ? w.of(S).low : 0.0;
}
template <Signal S>
double high(const W& w, Wear) {
  return w.covered > 0.0 ? w.of(S).high : 0.0;
}
template <ContactPhase P>
double share(const W& w, Wear) {
  return over(w.time[static_cast<std::size_t>(P)], w.covered);
}

constexpr std::array kColumns{
    StatisticColumn{"impacts", "1", "impacts that begin in the window",
                    [](const W& w, Wear) { return w.impacts.count; }},
    StatisticColumn{"impulse", "N s", "integral of the normal force",
                    [](const W& w, Wear) { return w.impulse; }},
    StatisticColumn{"peak_force", "N", "largest normal force", high<Signal::normalForce>},
    StatisticColumn{"global_impacts", "1", "impacts after a rest that begin in the window",
                    [](const W& w, Wear) { return w.globals.count; }},
    StatisticColumn{"rebounds_mean", "1", "impacts of a global impact after its first, mean",
                    [](const W& w, Wear) { return over(w.globals.rebounds, w.globals.count); }},
    StatisticColumn{"rebounds_max", "1", "the same, largest",
                    [](const W& w, Wear) { return w.globals.most; }},
    StatisticColumn{"global_duration_mean", "s", "duration of a global impact, pauses included, mean",
                    [](const W& w, Wear) { return over(w.globals.duration, w.globals.count); }},
    StatisticColumn{"global_duration_max", "s", "the same, largest",
                    [](const W& w, Wear) { return w.globals.longest; }},
    StatisticColumn{"impact_duration_mean", "s", "duration of an impact, mean",
                    [](const W& w, Wear) { return over(w.impacts.duration, w.impacts.count); }},
    StatisticColumn{"impact_duration_max", "s", "duration of an impact, largest",
                    [](const W& w, Wear) { return w.impacts.longest; }},
    StatisticColumn{"impact_velocity_mean", "m/s", "velocity of approach at closing, mean",
                    [](const W& w, Wear) { return over(w.impacts.velocity, w.impacts.count); }},
    StatisticColumn{"impact_velocity_max", "m/s", "velocity of approach at closing, largest",
                    [](const W& w, Wear) { return w.impacts.fastest; }},
    StatisticColumn{"impact_peak_mean", "N", "largest normal force of an impact, mean",
                    [](const W& w, Wear) { return over(w.impacts.peak, w.impacts.count); }},
    StatisticColumn{"impact_peak_max", "N", "largest normal force of an impact, largest",
                    [](const W& w, Wear) { return w.impacts.hardest; }},
    StatisticColumn{"impact_impulse_mean", "N s", "impulse of an impact, mean",
                    [](const W& w, Wear) { return over(w.impacts.impulse, w.impacts.count); }},
    StatisticColumn{"share_open", "1", "share of the time that the contact is open",
                    share<ContactPhase::open>},
    StatisticColumn{"share_stick", "1", "share of the time that the contact sticks",
                    share<ContactPhase::stick>},
    StatisticColumn{"share_slip", "1",
                    "share of the time that the contact slips; all that it is closed, without friction",
                    share<ContactPhase::slip>},
    StatisticColumn{"wear_work", "J", "integral of normal force times slip speed over slip",
                    [](const W& w, Wear) { return w.wear; }},
    StatisticColumn{"wear_power", "W", "wear work over the length of the window",
                    [](const W& w, Wear) { return over(w.wear, w.covered); }},
    StatisticColumn{"wear_volume", "m^3", "worn volume, by the law of `wear`",
                    [](const W& w, Wear wear) { return wear->volume(w.wear, w.covered); }, true},
    StatisticColumn{"wear_depth", "m", "depth of that volume",
                    [](const W& w, Wear wear) { return wear->depth(w.wear, w.covered); }, true, true},
    StatisticColumn{"wear_volume_other", "m^3", "worn volume of the other body",
                    [](const W& w, Wear wear) { return wear->otherVolume(w.wear, w.covered); }, true, false,
                    true},
    StatisticColumn{"wear_depth_other", "m", "depth of that volume",
                    [](const W& w, Wear wear) { return wear->otherDepth(w.wear, w.covered); }, true, true,
                    true},
    StatisticColumn{"normal_force_mean", "N", "normal force, mean", mean<Signal::normalForce>},
    StatisticColumn{"normal_force_rms", "N", "normal force, root mean square", rms<Signal::normalForce>},
    StatisticColumn{"normal_force_min", "N", "normal force, smallest", low<Signal::normalForce>},
    StatisticColumn{"normal_force_mean_closed", "N", "normal force while the contact is closed, mean",
                    [](const W& w, Wear) { return over(w.of(Signal::normalForce).integral, w.closed()); }},
    StatisticColumn{
        "normal_force_rms_closed", "N", "the same, root mean square",
        [](const W& w, Wear) { return std::sqrt(over(w.of(Signal::normalForce).square, w.closed())); }},
    StatisticColumn{"tangential_force_mean", "N", "size of the tangential force, mean",
                    mean<Signal::tangentialForce>},
    StatisticColumn{"tangential_force_rms", "N", "the same, root mean square", rms<Signal::tangentialForce>},
    StatisticColumn{"tangential_force_max", "N", "the same, largest", high<Signal::tangentialForce>},
    StatisticColumn{"gap_mean", "m", "gap, mean", mean<Signal::gap>},
    StatisticColumn{"gap_rms", "m", "gap, root mean square", rms<Signal::gap>},
    StatisticColumn{"gap_min", "m", "gap, smallest", low<Signal::gap>},
    StatisticColumn{"gap_max", "m", "gap, largest", high<Signal::gap>},
    StatisticColumn{"position_1_mean", "m", "place along axis 1 of the obstacle, mean",
                    mean<Signal::position1>},
    StatisticColumn{"position_1_rms", "m", "the same, root mean square", rms<Signal::position1>},
    StatisticColumn{"position_1_min", "m", "the same, smallest", low<Signal::position1>},
    StatisticColumn{"position_1_max", "m", "the same, largest", high<Signal::position1>},
    StatisticColumn{"position_2_mean", "m", "place along axis 2 of the obstacle, mean",
                    mean<Signal::position2>},
    StatisticColumn{"position_2_rms", "m", "the same, root mean square", rms<Signal::position2>},
    StatisticColumn{"position_2_min", "m", "the same, smallest", low<Signal::position2>},
    StatisticColumn{"position_2_max", "m", "the same, largest", high<Signal::position2>},
    StatisticColumn{"position_3_mean", "m", "place along axis 3 of the obstacle, mean",
                    mean<Signal::position3>},
    StatisticColumn{"position_3_rms", "m", "the same, root mean square", rms<Signal::position3>},
    StatisticColumn{"position_3_min", "m", "the same, smallest", low<Signal::position3>},
    StatisticColumn{"position_3_max", "m", "the same, largest", high<Signal::position3>}};

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

std::span<const StatisticColumn> statisticColumns() { return kColumns; }

const StatisticColumn* statisticColumn(std::string_view name) {
  for (const StatisticColumn& each : kColumns)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace ricochet
