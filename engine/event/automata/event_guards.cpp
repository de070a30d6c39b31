// When the state of a contact ends.

#include "engine/event/automata/guard_walk.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

/// Which way a polynomial goes from 0: the first coefficient that is not rounding decides.
struct Beginning {
  bool holds;
  int deflation;
};
template <class NoiseOf>
Beginning beginningOf(std::span<const double> p, int known, const NoiseOf& noise) {
  // the last coefficients are truncated
  for (auto k = static_cast<std::size_t>(known); k + 3 < std::min(p.size(), kMostOrders); ++k)
    if (std::abs(p[k]) > noise(k)) return {p[k] > 0.0, static_cast<int>(k)};
  return {true, -1};  // all rounding: as good as zero for good
}

/// Powers of a step, which the polynomials of all guards share.
class Powers {
 public:
  explicit Powers(double step) noexcept : powers_{1.0, step} {}

  /// Largest excursion of a polynomial from its value at 0 over the step.
  double excursion(std::span<const double> p) noexcept {
    const double square = powers_[1] * powers_[1];
    for (; known_ < p.size(); ++known_) powers_[known_] = square * powers_[known_ - 2];
    double even = 0.0;
    double odd = 0.0;
    std::size_t k = 1;
    for (; k + 1 < p.size(); k += 2) {
      odd += std::abs(p[k]) * powers_[k];
      even += std::abs(p[k + 1]) * powers_[k + 1];
    }
    return k < p.size() ? even + (odd + std::abs(p[k]) * powers_[k]) : even + odd;
  }

 private:
  std::array<double, 2 * kMostOrders> powers_;
  std::size_t known_{2};
};

}  // namespace

namespace {

/// Terms of b.q(tau) that tell whether an open contact is reached.
constexpr std::size_t kFirstTerms = 4;

/// When x + v t + a t^2 reaches a distance ahead; infinite if it does not.
double arrival(double distance, double v, double a) noexcept {
  const double root = v * v + 4.0 * a * distance;
  if (root < 0.0 || !(distance > 0.0)) return std::numeric_limits<double>::infinity();
  const double time = 2.0 * distance / (v + std::sqrt(root));
  return time > 0.0 ? time : std::numeric_limits<double>::infinity();
}

}  // namespace

/// Until when guards need to be looked at: a little beyond the root of the one of an open contact that, by
/// its first terms, vanishes soonest. All that comes later is of no interest. Contacts that are farther from
/// their obstacles than they come in the step are passed over, for as many steps as that takes.
double EventContacts::earliestClosing(TaylorExpansion& expansion, double step) noexcept {
  near_.clear();
  if (std::ranges::none_of(contacts_, &EventContact::isApart)) return step;
  const TaylorExpansion::Bands bent = expansion.paths(step, 2);  // less the straight line
  findReaches(expansion.paths(step, 1));
  double earliest = step;
  EventContact* candidate = nullptr;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    EventContact& c = contacts_[i];
    double& margin = margins_[static_cast<Eigen::Index>(i)];
    if (margin > reaches_[static_cast<Eigen::Index>(i)] || !c.isApart() || c.normalRow == nullptr) continue;
    expansion.along(c.normalRow, c.along.first(kFirstTerms));
    const double low = c.along[0] - c.low, high = c.high - c.along[0];
    margin = std::min(low, high);
    const double off = (c.rowBands * bent).sum(), straight = c.along[1] * step;
    if (high > std::max(0.0, straight) + off && low > std::max(0.0, -straight) + off) continue;
    near_.push_back(&c);
    const double time =
        std::min(arrival(high, c.along[1], c.along[2]), arrival(low, -c.along[1], -c.along[2]));
    if (time < earliest) {
      earliest = time;
      candidate = &c;
    }
  }
  if (candidate == nullptr) return step;
  constexpr double kBeyond = 1.001;
  expansion.along(candidate->normalRow, candidate->along.first(orders_ + 2));
  double latest = step;
  EventGuards(*this).ofContact(
      *candidate, [&](EventContact&, GuardSlot, std::span<const double> p, const auto& /*noise*/) {
        if (const RootSearch search = firstRoot(p, latest); p[0] > 0.0 && search.found)
          latest = std::min(step, kBeyond * search.time);
      });
  return latest;
}

/// How far each contact may come, from the paths of the bands.
void EventContacts::findReaches(const TaylorExpansion::Bands& paths) noexcept {
  kernels::combine(bands_.data(), bands_.cols(), paths.data(), reaches_.data(), bands_.rows());
}

/// What a step along the series takes from the distances that are known.
void EventContacts::moveAlong(TaylorExpansion& expansion, double step) noexcept {
  if (contacts_.empty() || !(margins_.maxCoeff() > 0.0)) return;
  findReaches(expansion.paths(std::abs(step), 1));
  margins_ -= reaches_;
}

/// Contacts that this step cannot reach are no longer near: b.q(tau) goes as its first terms do, and what the
/// others add is at most |b| times their path, in each band.
void EventContacts::screenOpenContacts(TaylorExpansion& expansion, double step) noexcept {
  if (near_.empty()) return;
  const TaylorExpansion::Bands paths = expansion.paths(step, kFirstTerms);
  std::erase_if(near_, [&](EventContact* c) {
    double ahead = (c->rowBands * paths).sum();
    double back = ahead;
    double power = step;
    for (std::size_t k = 1; k < kFirstTerms; ++k, power *= step) {
      ahead += std::max(0.0, c->along[k] * power);
      back += std::max(0.0, -c->along[k] * power);
    }
    const bool outOfReach = c->along[0] - c->low > back && c->high - c->along[0] > ahead;
    if (!outOfReach) expansion.along(c->normalRow, c->along.first(orders_ + 2));
    return outOfReach;
  });
}

namespace {

/// Whether a slip in two dimensions is at its end: what is left of it is rounding of what it was, or ends at
/// this very instant. It comes nearer by steps that are a part of what is left, so that it is never small
/// beside a step.
bool stops(const EventContact& c, std::span<const double> rate, double time) {
  constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
  return c.turns() && c.setValuedStick && rate[1] < 0.0 &&
         rate[0] <= std::max(kNoise * c.fastestSlip, kInstant * -rate[1] * std::abs(time));
}

/// Whether the cone of a stick vanishes because the contact opens: (mu N)^2 and T^2 are both rounding there,
/// a double root that may seem to come before the simple one of N. No slip is worth the while any more.
bool opens(const EventContact& c, std::span<const double> cone, double time) {
  const std::size_t orders = cone.size() / 2;
  const double first = polynomialAt(c.traction[0].first(orders), time);
  const double second = polynomialAt(c.traction[1].first(orders), time);
  return first * first + second * second <= kNoise * (std::abs(cone[0]) + Powers(time).excursion(cone));
}

}  // namespace

namespace {

/// A true stick of an elastic contact that begins without a force.
bool isUnpressedStick(const EventContact& c, const TaylorExpansion& expansion) {
  return c.setValuedStick && !c.setValuedNormal && !c.state.friction.slipping &&
         c.compression[0] <= NoiseLevels(expansion, c).compression(0);
}

}  // namespace

Outlook EventContacts::examine(TaylorExpansion& expansion, double time, double step) {
  EventGuards guards(*this);
  std::optional<Powers> powers(step);
  Outlook outlook{.step = step};
  const auto look = [&](EventContact& c, GuardSlot slot, std::span<const double> p, const auto& noiseOf) {
    const auto index = static_cast<std::size_t>(slot);
    constexpr double kSuspicious = 1e-7;
    const bool isNormal = slot < GuardSlot::ahead;
    const Urgency urgency = isNormal                         ? Urgency::normal
                            : isUnpressedStick(c, expansion) ? Urgency::unpressedStick
                                                             : Urgency::friction;
    if (outlook.urgency >= urgency) return;
    int deflation = 0;
    const double reach = powers->excursion(p);
    const bool stopping = slot == GuardSlot::slip && c.known[index] == 0 && stops(c, p, time);
    if (c.known[index] == 0 && p[0] > reach && !stopping) return;
    if (c.known[index] > 0 || stopping || !(p[0] > kSuspicious * reach)) {
      // a slip that starts without a drop of the traction starts without an acceleration, to the tolerance;
      // a stick that a slip ends in leaves its cone without a rate; what follows in a plane may be slow too
      const bool falls = slot == GuardSlot::slip && c.drops;
      const bool slow = !isNormal && c.known[index] > 0 && c.relaxation == 0.0 && !falls;
      const auto last = c.turns() ? kMostOrders : static_cast<std::size_t>(c.known[index]);
      const NoiseLevels levels(expansion, c);
      // what came to rest by cancellation has more rounding than is left of it; it is not to turn a slip back
      const bool isBehind = slot == GuardSlot::slip && c.turns() && !c.setValuedStick && p[0] < 0.0;
      const double rest = isBehind ? std::numeric_limits<double>::epsilon() * c.fastestSlip : 0.0;
      const Beginning beginning = beginningOf(p, c.known[index], [&](std::size_t k) {
        return (slow && k <= last ? slack_ : 1.0) * noiseOf(levels, k) + (k == 0 ? rest : 0.0);
      });
      if (stopping || !beginning.holds) {
        outlook.urgency = urgency;
        const bool jumped = c.known[index] == 0 && p[0] < -10.0 * slack_ * noiseOf(levels, 0);
        const bool vanishes = std::abs(p[0]) <= noiseOf(levels, 0);
        outlook.guard = GuardRef{c.index, slot, vanishes, jumped};
        return;
      }
      if (beginning.deflation < 0) return;  // nothing but rounding
      deflation = beginning.deflation;
    }
    if (outlook.broken()) return;
    const RootSearch search = firstRoot(deflated(p, deflation), outlook.step);
    if (!search.found && search.time >= outlook.step) return;
    if (search.found && slot == GuardSlot::back && c.turns() && opens(c, p, search.time)) return;
    outlook.step = search.time;
    outlook.guard.reset();
    if (search.found) outlook.guard = GuardRef{c.index, slot};
  };
  // the series of closed contacts are there: what they say first spares most of the open ones
  for (EventContact& c : contacts_)
    if (!c.isApart()) guards.ofContact(c, look);
  if (const double latest = earliestClosing(expansion, outlook.step); latest < outlook.step) {
    outlook.step = latest;
    if (!outlook.broken()) outlook.guard.reset();
  }
  screenOpenContacts(expansion, outlook.step);
  powers.emplace(outlook.step);
  for (EventContact* c : near_) guards.ofContact(*c, look);
  return nonlinear_.empty() ? outlook : nonlinear_.examine(expansion, outlook);
}

}  // namespace ricochet
