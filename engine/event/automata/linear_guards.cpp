// First root of the guards of linear contacts in a step, and screening of open contacts.

#include "engine/event/automata/guard_scan.hpp"
#include "engine/event/automata/guard_walk.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

/// Number of terms of b.q(tau) from which the closing of an open contact is estimated.
constexpr std::size_t kFirstTerms = 4;

/// Time at which v t + a t^2 reaches `distance` [s]; infinite if it never does.
double timeToReachDistance(double distance, double v, double a) noexcept {
  const double root = v * v + 4.0 * a * distance;
  if (root < 0.0 || !(distance > 0.0)) return std::numeric_limits<double>::infinity();
  const double time = 2.0 * distance / (v + std::sqrt(root));
  return time > 0.0 ? time : std::numeric_limits<double>::infinity();
}

}  // namespace

/// Time up to which guards must be examined [s]: 0.1 % beyond the earliest closing of an open contact, which
/// is estimated from the first terms and then located with the full series. Contacts whose lower bound of the
/// gap exceeds their largest motion in the step are skipped; the bound lasts for several steps.
double EventContacts::earliestClosingTime(TaylorExpansion& expansion, double step) noexcept {
  contactsInReach_.clear();
  if (std::ranges::none_of(contacts_, &LinearContact::isOpenAndClosesByGap)) return step;
  const TaylorExpansion::Bands bent =
      expansion.boundsOfMotionOverStep(step, 2);  // bound of the motion beyond q + v t
  computeMotionBounds(expansion.boundsOfMotionOverStep(step, 1));
  double earliest = step;
  LinearContact* candidate = nullptr;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    LinearContact& c = contacts_[i];
    double& margin = gapBounds_[static_cast<Eigen::Index>(i)];
    if (margin > motionBounds_[static_cast<Eigen::Index>(i)] || !c.isOpenAndClosesByGap() ||
        c.normalRow == nullptr)
      continue;
    expansion.motionSeriesAlongRow(c.normalRow, c.along.first(kFirstTerms));
    const double low = c.along[0] - c.low, high = c.high - c.along[0];
    margin = std::min(low, high);
    const double off = (c.rowBands * bent).sum(), straight = c.along[1] * step;
    if (high > std::max(0.0, straight) + off && low > std::max(0.0, -straight) + off) continue;
    contactsInReach_.push_back(&c);
    const double time = std::min(timeToReachDistance(high, c.along[1], c.along[2]),
                                 timeToReachDistance(low, -c.along[1], -c.along[2]));
    if (time < earliest) {
      earliest = time;
      candidate = &c;
    }
  }
  if (candidate == nullptr) return step;
  constexpr double kBeyond = 1.001;
  expansion.motionSeriesAlongRow(candidate->normalRow, candidate->along.first(orders_ + 2));
  double latest = step;
  LinearGuards(*this).visitGuards(
      *candidate, [&](LinearContact& c, GuardSlot, std::span<const double> p, const auto& noise) {
        if (const RootSearch search = firstRoot(p, latest);
            // Otherwise the value may be rounding.
            p[0] > 0.0 && search.found && (!c.setValuedNormal || p[0] > noise(NoiseLevels(expansion, c), 0)))
          latest = std::min(step, kBeyond * search.time);
      });
  return latest;
}

/// Computes the largest motion of each contact along its normal [m] from the bounds of the mode bands.
void EventContacts::computeMotionBounds(const TaylorExpansion::Bands& paths) noexcept {
  kernels::addWeightedRows(bands_.data(), bands_.cols(), paths.data(), motionBounds_.data(), bands_.rows());
}

/// Reduces the lower bounds of gaps by the largest motion in a step.
void EventContacts::updateLowerBoundsOfGaps(TaylorExpansion& expansion, double step) noexcept {
  if (contacts_.empty() || !(gapBounds_.maxCoeff() > 0.0)) return;
  computeMotionBounds(expansion.boundsOfMotionOverStep(std::abs(step), 1));
  gapBounds_ -= motionBounds_;
}

/// Removes contacts that cannot close in this step from `contactsInReach_`: the first terms of b.q(tau) are
/// evaluated, the other terms are bounded by the sum over mode bands of |b| times the bound of |q|.
void EventContacts::skipContactsThatCannotClose(TaylorExpansion& expansion, double step) noexcept {
  if (contactsInReach_.empty()) return;
  const TaylorExpansion::Bands paths = expansion.boundsOfMotionOverStep(step, kFirstTerms);
  std::erase_if(contactsInReach_, [&](LinearContact* c) {
    double ahead = (c->rowBands * paths).sum();
    double back = ahead;
    double power = step;
    for (std::size_t k = 1; k < kFirstTerms; ++k, power *= step) {
      ahead += std::max(0.0, c->along[k] * power);
      back += std::max(0.0, -c->along[k] * power);
    }
    const bool outOfReach = c->along[0] - c->low > back && c->high - c->along[0] > ahead;
    if (!outOfReach) expansion.motionSeriesAlongRow(c->normalRow, c->along.first(orders_ + 2));
    return outOfReach;
  });
}

Outlook EventContacts::findFirstEvent(TaylorExpansion& expansion, double time, double step,
                                      std::vector<GuardRef>* failing) {
  LinearGuards guards(*this);
  GuardScan<LinearContact, NoiseLevels> scan(expansion, time, slack_,
                                             Outlook{.step = step, .failing = failing});
  // Closed contacts are examined first: their series exist already, and an early root saves the examination
  // of most open contacts.
  for (LinearContact& c : contacts_)
    if (!c.isOpenAndClosesByGap()) guards.visitGuards(c, scan);
  scan.shortenStepTo(earliestClosingTime(expansion, scan.outlook.step));
  skipContactsThatCannotClose(expansion, scan.outlook.step);
  for (LinearContact* c : contactsInReach_) guards.visitGuards(*c, scan);
  return series_.empty() ? scan.outlook : series_.findFirstEvent(expansion, time, scan.outlook);
}

}  // namespace ricochet
