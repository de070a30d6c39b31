// Where a check looks, and what it takes from an instant.

#include "io/quantities/checks/checks_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace ricochet {
namespace {

bool isImpact(std::string_view quantity) {
  constexpr std::array<std::string_view, 5> kImpact{"impulse", "impact_duration", "impact_peak",
                                                    "impact_velocity", "rebound_velocity"};
  return std::find(kImpact.begin(), kImpact.end(), quantity) != kImpact.end();
}

/// The begin of the step that an instant lies inside of; at an end of a step the instant itself.
double beginOfStep(const std::vector<double>& steps, double time) {
  constexpr double kEnd = 1e-9;  // of a step
  const auto end = std::lower_bound(steps.begin(), steps.end(), time);
  if (end == steps.begin() || end == steps.end()) return time;
  const double begin = *std::prev(end);
  const bool isInside = std::min(*end - time, time - begin) > kEnd * (*end - begin);
  return isInside ? begin : time;
}

}  // namespace

bool CheckWatch::isFor(const CheckRequest& check) {
  if (!check.statistic.empty() || isImpact(check.quantity)) return true;
  const std::string& q = check.quantity;
  if (q == "period" || q == "time_share" || q == "wear_power" || check.wear) return true;
  return q == "friction_energy" && (check.from || check.to);
}

CheckWatch::CheckWatch(const CheckRequest& check, const Simulation& simulation)
    : check_(&check), simulation_(&simulation) {
  choose();
  if (check.beamForce) force_.emplace(*check.beamForce, simulation);
  if (source_ != Source::kinematic) return;
  row_ = simulation.row({*check.node, *check.dof});
  if (check.node2) row_ -= simulation.row({*check.node2, *check.dof});
  if (check.quantity == "velocity" || check.quantity == "period") kind_ = Kinematic::velocity;
  if (check.quantity == "acceleration") kind_ = Kinematic::acceleration;
  imposed_ = imposedMotionOf(check, kind_, simulation);
}

ImposedMotion imposedMotionOf(const CheckRequest& check, Kinematic kind, const Simulation& simulation) {
  ImposedMotion motion = simulation.imposedMotion({*check.node, *check.dof}, kind, check.absoluteMotion);
  if (check.node2) motion -= simulation.imposedMotion({*check.node2, *check.dof}, kind, check.absoluteMotion);
  return motion;
}

bool isLinkQuantity(std::string_view quantity) {
  return quantity.starts_with("link_") || quantity == "residual_crush";
}

double linkValue(const CheckRequest& check, const LinkState& state) {
  if (check.quantity == "link_variable" || check.quantity == "residual_crush")
    return state.memory[check.memory];
  if (check.quantity == "link_energy") return check.part == "stored" ? state.stored : state.dissipated;
  const auto& values = check.quantity == "link_force" ? state.force : state.motion.x;
  if (check.component) return values[static_cast<std::size_t>(*check.component - 1)];
  return values[1] == 0.0 ? values[0] : std::hypot(values[0], values[1]);
}

void CheckWatch::choose() {
  struct StatisticCheck {
    std::string_view name;
    Reduction reduction;
  };
  constexpr std::array kStatistics{StatisticCheck{"max", Reduction::maximum},
                                   StatisticCheck{"min", Reduction::minimum},
                                   StatisticCheck{"max_abs", Reduction::largest},
                                   StatisticCheck{"mean", Reduction::mean},
                                   StatisticCheck{"rms", Reduction::rms},
                                   StatisticCheck{"peak_to_peak", Reduction::peakToPeak},
                                   StatisticCheck{"period", Reduction::period},
                                   StatisticCheck{"impulse", Reduction::integral},
                                   StatisticCheck{"impact_peak", Reduction::maximum},
                                   StatisticCheck{"impact_duration", Reduction::duration},
                                   StatisticCheck{"impact_velocity", Reduction::before},
                                   StatisticCheck{"rebound_velocity", Reduction::after},
                                   StatisticCheck{"time_share", Reduction::timeShare},
                                   StatisticCheck{"wear_power", Reduction::mean},
                                   StatisticCheck{"wear_volume", Reduction::worn},
                                   StatisticCheck{"wear_depth", Reduction::worn},
                                   StatisticCheck{"wear_volume_other", Reduction::worn},
                                   StatisticCheck{"wear_depth_other", Reduction::worn},
                                   StatisticCheck{"friction_energy", Reduction::friction}};
  const std::string& wanted = check_->statistic.empty() ? check_->quantity : check_->statistic;
  for (const StatisticCheck& each : kStatistics)
    if (each.name == wanted) reduction_ = each.reduction;

  const std::string& q = check_->quantity;
  if (q == "beam_force") source_ = Source::beamForce;
  if (isLinkQuantity(q)) source_ = Source::link;
  if (q == "gap") source_ = Source::gap;
  if (q == "radius") source_ = Source::radius;
  if (q == "normal_force" || q == "impulse" || q == "impact_peak" || q == "impact_duration")
    source_ = Source::normalForce;
  if (q == "tangential_force") source_ = Source::tangentialForce;
  if (q == "spin_moment") source_ = Source::spinMoment;
  if (q == "slip_velocity") source_ = Source::slipVelocity;
  if (q == "impact_velocity" || q == "rebound_velocity") source_ = Source::gapRate;
  if (q == "time_share") source_ = Source::phase;
  if (q == "friction_energy") source_ = Source::friction;
  if (q == "wear_power" || check_->wear) source_ = Source::wear;
  if (q == "friction_energy" && contact().patch) {  // its ledger knows more than one point shows
    source_ = Source::frictionEnergy;
    reduction_ = Reduction::change;
  }
  // the impulse of a rigid impact is no integral of its force
  if (q == "impulse" && traitsOf(contact().normal).setValued) reduction_ = Reduction::impulses;
}

std::size_t CheckWatch::channels() const noexcept {
  if (source_ == Source::friction) return 4;
  if (source_ == Source::gap || source_ == Source::radius) return 3;
  return source_ == Source::tangentialForce || source_ == Source::slipVelocity ? 2 : 1;
}

void CheckWatch::plan(const Rehearsal& rehearsal) {
  if (rehearsal.steps.empty()) return;
  runStart_ = rehearsal.steps.front();
  from_ = check_->from.value_or(runStart_);
  to_ = check_->to.value_or(rehearsal.steps.back());
  placed_ = true;
  if (isImpact(check_->quantity)) planImpact(rehearsal);
}

/// From its closing, or from the start, to its opening, or to the end.
void CheckWatch::planImpact(const Rehearsal& rehearsal) {
  int left = check_->index;
  bool open = true;
  placed_ = ended_ = false;
  const auto begin = [&](double time) {
    open = false;
    if (--left != 0) return;
    placed_ = true;
    from_ = time;
  };
  if (rehearsal.closedAtStart[contactIndex()]) begin(runStart_);
  for (const Event& event : rehearsal.events) {
    if (event.contact != *check_->contact) continue;
    if (event.kind == EventKind::closing) begin(event.time);
    if (event.kind != EventKind::opening || open) continue;
    open = true;
    if (!placed_) continue;
    to_ = event.time;
    ended_ = true;
    break;
  }
  if (reduction_ == Reduction::before) ended_ = placed_;
  if (reduction_ == Reduction::after) from_ = to_;
  if (placed_) planJump(beginOfStep(rehearsal.steps, from_));
}

/// A dashpot's force jumps as its contact closes. What a step in which it does shows inside is bent by it:
/// the totals know the impulse, and the step before the velocity.
void CheckWatch::planJump(double begin) {
  if (!accountOf(contact()).normalDashpot || begin == from_) return;
  if (check_->quantity == "impulse") reduction_ = Reduction::impulses;
  if (reduction_ != Reduction::impulses && reduction_ != Reduction::before) return;
  ahead_ = from_ - begin;
  from_ = begin;
}

/// Whether an instant is the end of this piece, or inside: what holds just before it.
bool CheckWatch::endsIn(double begin, double end, double time) const noexcept {
  return time > begin && time <= end;
}
bool CheckWatch::beginsIn(double begin, double end, double time) const noexcept {
  return time >= begin && time < end;
}

bool CheckWatch::wants(double begin, double end) const noexcept {
  if (!placed_) return false;
  switch (reduction_) {
    case Reduction::duration:
      return false;
    case Reduction::before:
      return from_ > runStart_ ? endsIn(begin, end, from_) : begin == from_;
    case Reduction::after:
      return ended_ && beginsIn(begin, end, from_);
    case Reduction::impulses:
      return endsIn(begin, end, from_) || (ended_ && beginsIn(begin, end, to_));
    default:
      return begin < to_ && end > from_;
  }
}

void CheckWatch::sample(const StepView& view, const ContactRun& contacts, std::span<double> values) const {
  if (source_ == Source::kinematic) {
    values[0] = row_.dot(pick(view.state, kind_).head(row_.size())) + imposed_.at(view.state.time);
    return;
  }
  if (source_ == Source::beamForce) {
    values[0] = force_->at(view.state);
    return;
  }
  if (source_ == Source::link) {
    values[0] = linkValue(*check_, view.links[static_cast<std::size_t>(*check_->link)]);
    return;
  }
  const ContactView& seen = view.contacts[contactIndex()];
  if (reduction_ == Reduction::impulses) {
    values[0] = contacts.totals()[contactIndex()].impulse;
    return;
  }
  switch (source_) {
    case Source::gap:
    case Source::radius:
      for (std::size_t axis = 0; axis < 3; ++axis)
        values[axis] = seen.position[static_cast<Eigen::Index>(axis)];
      break;
    case Source::gapRate:
      values[0] = seen.gapRate;
      break;
    case Source::phase:
      values[0] = static_cast<double>(seen.phase);
      break;
    case Source::tangentialForce:
      values[0] = seen.tangentialForce.first;
      values[1] = seen.tangentialForce.second;
      break;
    case Source::slipVelocity:
      values[0] = seen.slipVelocity.first;
      values[1] = seen.slipVelocity.second;
      break;
    case Source::spinMoment:
      values[0] = seen.spinMoment;
      break;
    case Source::friction:
      sampleFriction(seen, values);
      break;
    case Source::frictionEnergy:
      values[0] = seen.frictionEnergy;
      break;
    case Source::wear:
      values[0] = seen.normalForce * slipSpeed(seen);
      break;
    default:
      values[0] = seen.normalForce;
  }
}

/// v_eq of an area; of a point how fast it slips.
double CheckWatch::slipSpeed(const ContactView& seen) const {
  if (contact().patch) return seen.slipSpeed;
  return seen.phase == ContactPhase::slip ? length(seen.slipVelocity) : 0.0;
}

/// Traction without the part of a stick's dashpot, and the slip velocity.
void CheckWatch::sampleFriction(const ContactView& seen, std::span<double> values) const {
  const bool sticks = traitsOf(contact().friction).coneStick && seen.phase == ContactPhase::stick;
  const double damping = sticks ? closedContact(contact()).stickDamping : 0.0;
  const Tangential<double> elastic = seen.tangentialForce + scaled(damping, seen.slipVelocity);
  values[0] = elastic.first;
  values[1] = elastic.second;
  values[2] = seen.slipVelocity.first;
  values[3] = seen.slipVelocity.second;
}

}  // namespace ricochet
