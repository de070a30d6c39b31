// When the state of a contact ends.

#include "engine/event/guard_walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

/// Contacts that this step cannot reach are silent: |b.(q(tau) - q(0))| <= |b| path.
void EventContacts::listen(const TaylorExpansion& expansion, double step) noexcept {
  double path = -1.0;
  for (EventContact& c : contacts_) {
    c.silent = false;
    if (c.state.normal != NormalState::open || !c.pushesFromGeometry) continue;
    c.silent = c.normalRow == nullptr;
    if (c.silent) continue;
    if (path < 0.0) path = expansion.path(step);
    const double x = kernels::dot(c.normalRow, expansion.column(0), set_->rowSize());
    const double reach = c.rowSize[0] * path;
    c.silent = x - c.low > reach && c.high - x > reach;
    if (!c.silent)
      expansion.along(c.normalRow, c.along.first(static_cast<std::size_t>(expansion.order() + 3)));
  }
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

Outlook EventContacts::examine(const TaylorExpansion& expansion, double time, double step) {
  listen(expansion, step);
  EventGuards guards(*this);
  Powers powers(step);
  Outlook outlook{.step = step};
  const auto look = [&](EventContact& c, GuardSlot slot, std::span<const double> p, const auto& noiseOf) {
    const auto index = static_cast<std::size_t>(slot);
    constexpr double kSuspicious = 1e-7;
    const bool isNormal = slot < GuardSlot::ahead;
    if (outlook.broken && (outlook.brokenNormal || !isNormal)) return;
    int deflation = 0;
    const double reach = powers.excursion(p);
    const bool stopping = slot == GuardSlot::slip && c.known[index] == 0 && stops(c, p, time);
    if (c.known[index] == 0 && p[0] > reach && !stopping) return;
    if (c.known[index] > 0 || stopping || !(p[0] > kSuspicious * reach)) {
      // a slip that starts without a drop of the traction starts without an acceleration, to the tolerance
      const double slack = slot == GuardSlot::slip && c.known[index] > 0 ? slack_ : 1.0;
      const NoiseLevels levels(expansion, c);
      // what came to rest by cancellation has more rounding than is left of it; it is not to turn a slip back
      const bool isBehind = slot == GuardSlot::slip && c.turns() && !c.setValuedStick && p[0] < 0.0;
      const double rest = isBehind ? std::numeric_limits<double>::epsilon() * c.fastestSlip : 0.0;
      const Beginning beginning = beginningOf(p, c.known[index], [&](std::size_t k) {
        return slack * noiseOf(levels, k) + (k == 0 ? rest : 0.0);
      });
      if (stopping || !beginning.holds) {
        outlook.broken = true;
        outlook.brokenNormal = isNormal;
        outlook.guard = GuardRef{c.index, slot};
        return;
      }
      if (beginning.deflation < 0) return;  // nothing but rounding
      deflation = beginning.deflation;
    }
    if (outlook.broken) return;
    const RootSearch search = firstRoot(deflated(p, deflation), outlook.step);
    if (!search.found && search.time >= outlook.step) return;
    if (search.found && slot == GuardSlot::back && c.turns() && opens(c, p, search.time)) return;
    outlook.step = search.time;
    outlook.guard.reset();
    if (search.found) outlook.guard = GuardRef{c.index, slot};
  };
  for (EventContact& c : contacts_)
    if (!c.silent) guards.ofContact(c, look);
  return nonlinear_.empty() ? outlook : nonlinear_.examine(expansion, outlook);
}

}  // namespace ricochet
