// Contacts at rest that depend on each other: their reactions, and the start of their slips.

#include "engine/contact/impulse/resting_reactions.hpp"
#include "engine/event/automata/event_contacts.hpp"
#include "engine/numerics/certified_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// Gathers the reactions of closed contacts that do not slip.
class RestingReactions {
 public:
  explicit RestingReactions(const TaylorExpansion& expansion) : expansion_(expansion) {}

  /// Adds a contact without reactions; returns false if it takes no part, as it slips or pulls.
  bool addContact(ContactAutomaton& c, std::span<const double> compression) {
    if (!c.isClosed() || c.isSlipping() || c.pulls || (c.hasTraction() && !c.setValuedStick)) return false;
    RestingContact resting{.side = 1.0, .compression = {compression[0], compression[1]}};
    if (c.hasTraction()) {
      const FrictionKinematics<double> pressed{.compression = 1.0};
      resting.coefficient = std::visit(
          [&](const auto& law) {
            return law.template frictionConeMargin<double>(pressed, c.state.friction, c.axis[0]);
          },
          c.contact->friction);
    }
    entries_.push_back(resting);
    contacts_.push_back(&c);
    return true;
  }

  /// Adds a linear contact with the reactions of its constraints.
  void addLinearContact(LinearContact& c) {
    if (!addContact(c, c.compression)) return;
    entries_.back().side = c.state.side;
    if (c.normalConstraint >= 0) entries_.back().normal = addConstraint(c.normalConstraint);
    for (std::size_t a = 0; c.hasTraction() && a < static_cast<std::size_t>(c.lines); ++a)
      if (c.tangentConstraint[a] >= 0) entries_.back().tangent[a] = addConstraint(c.tangentConstraint[a]);
  }

  /// Adds a held line (2: the normal) of a contact with series; the lines of a contact follow each other.
  void addConstrainedLine(SeriesContact& c, std::size_t line, const Vector& effect) {
    const bool known = !contacts_.empty() && contacts_.back() == &c;
    if (!known && !addContact(c, c.compression)) return;
    const std::span<const double> series = line == 2 ? c.compression : c.traction[line];
    const std::array<double, 2>& shared = c.balancedReaction[line == 2 ? 0 : line + 1];
    int& entry = line == 2 ? entries_.back().normal : entries_.back().tangent[line];
    entry = addReaction(effect, series, shared);
  }

  bool isAnyContactUnloaded() const noexcept {
    return std::ranges::any_of(contacts_, [](const ContactAutomaton* c) { return c->unloaded; });
  }

  /// Shares out the reactions that are not unique, those of contacts that act on each other by themselves;
  /// the outcome is that of `contact`. `anyShared`: becomes true if some reactions are shared; `idle`:
  /// contacts of the group of `contact` that bear nothing.
  Sharing distributeReactions(int contact, double horizon, bool maySelfStress, bool& anyShared,
                              std::vector<int>& idle) const {
    const auto count = std::ssize(effects_);
    Matrix effects(expansion_.rowSize(), count);
    for (Eigen::Index i = 0; i < count; ++i) effects.col(i) = effects_[static_cast<std::size_t>(i)];
    const Matrix compliance = effects.transpose() * effects;
    Sharing outcome = Sharing::none;
    for (const RestingGroup& group : groupsOfRestingContacts(compliance, entries_)) {
      std::vector<int> idleOfGroup;
      const Sharing ofGroup =
          distributeReactionsOfGroup(compliance, group, horizon, maySelfStress, idleOfGroup);
      anyShared = anyShared || ofGroup == Sharing::found;
      const auto isContact = [&](std::size_t i) { return contacts_[i]->index == contact; };
      if (std::ranges::none_of(group.members, isContact)) continue;
      outcome = ofGroup;
      idle = std::move(idleOfGroup);
    }
    return outcome;
  }

 private:
  Sharing distributeReactionsOfGroup(const Matrix& compliance, const RestingGroup& group, double horizon,
                                     bool maySelfStress, std::vector<int>& idle) const {
    const std::vector<int>& chosen = group.reactions;
    if (chosen.size() < 2) return Sharing::none;
    const Eigen::Map<const Vector> reaction(reaction_.data(), std::ssize(reaction_));
    const Eigen::Map<const Vector> rate(rate_.data(), std::ssize(rate_));
    const std::optional<ReactionShift> shift = findRestingReactions(
        compliance(chosen, chosen), reaction(chosen), rate(chosen), group.contacts, horizon);
    if (!shift) return Sharing::none;
    if (shift->isSelfStress && !maySelfStress) return Sharing::bySelfStress;
    for (const std::size_t left : shift->leftOut) idle.push_back(contacts_[group.members[left]]->index);
    if (!idle.empty()) return Sharing::ifIdleOpen;
    const double duration = std::min(shift->duration, timeAlongPaths(group, *shift, horizon));
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const RestingContact& entries = group.contacts[i];
      ContactAutomaton& shared = *contacts_[group.members[i]];
      for (std::size_t part = 0; part < shared.balancedReaction.size(); ++part)
        if (const int entry = part == 0 ? entries.normal : entries.tangent[part - 1]; entry >= 0)
          shared.balancedReaction[part] = {shift->start[entry], shift->rate[entry]};
      shared.balancedFor = duration;
    }
    return Sharing::found;
  }

  /// Time for which shifts that are linear in time keep the tractions along their paths [s]: up to then, what
  /// the higher orders of the reactions add across is small beside what is left to the cones. Close to a cone
  /// the time is not limited: it ends with the guard of a stick, before those orders tell.
  double timeAlongPaths(const RestingGroup& group, const ReactionShift& shift, double horizon) const {
    constexpr double kPart = 0.1, kClose = 1e-6;
    constexpr int kHalvings = 40;
    constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    if (shift.acrossPaths.size() == 0) return kUnlimited;
    std::vector<double> across;  // largest reaction across the paths, by orders from 2 on
    for (std::size_t k = 2; k <= static_cast<std::size_t>(expansion_.order()); ++k) {
      Vector term(std::ssize(group.reactions));
      for (Eigen::Index i = 0; i < term.size(); ++i)
        term[i] = series_[static_cast<std::size_t>(group.reactions[static_cast<std::size_t>(i)])][k];
      across.push_back((shift.acrossPaths * term).cwiseAbs().maxCoeff());
    }
    double scale = 0.0;
    for (const int each : group.reactions)
      scale = std::max(scale, std::abs(reaction_[static_cast<std::size_t>(each)]));
    const auto addedAt = [&](double t) { return t * t * polynomialAt(across, t); };
    const auto isAlong = [&](double t) {
      return addedAt(t) <= kPart * (smallestMarginOfCones(group, shift, t) - 0.5 * kClose * scale);
    };
    if (smallestMarginOfCones(group, shift, 0.0) <= kClose * scale || addedAt(horizon) <= kNoise * scale)
      return kUnlimited;
    if (isAlong(horizon)) return horizon;
    double low = 0.0, high = horizon;
    for (int i = 0; i < kHalvings; ++i)
      (isAlong(std::midpoint(low, high)) ? low : high) = std::midpoint(low, high);
    return low;
  }

  /// Least margin mu_s N - |T| of the shifted reactions of a group at time t, to first order [N].
  double smallestMarginOfCones(const RestingGroup& group, const ReactionShift& shift, double t) const {
    double least = std::numeric_limits<double>::infinity();
    const auto reactionAt = [&](int entry) {
      if (entry < 0) return 0.0;
      const auto all = static_cast<std::size_t>(group.reactions[static_cast<std::size_t>(entry)]);
      return reaction_[all] + shift.start[entry] + t * (rate_[all] + shift.rate[entry]);
    };
    for (const RestingContact& c : group.contacts) {
      const double compression =
          c.normal >= 0 ? c.side * reactionAt(c.normal) : c.compression[0] + t * c.compression[1];
      const double traction = std::hypot(reactionAt(c.tangent[0]), reactionAt(c.tangent[1]));
      least = std::min(least, c.coefficient * compression - traction);
    }
    return least;
  }

  int addConstraint(int constraint) {
    return addReaction(
        Eigen::Map<const Vector>(expansion_.modalForcePerUnitReaction(constraint), expansion_.rowSize()),
        expansion_.reaction(constraint), {});
  }
  int addReaction(const Vector& effect, std::span<const double> series, const std::array<double, 2>& shared) {
    effects_.push_back(effect);
    reaction_.push_back(series[0] - shared[0]);
    rate_.push_back(series[1] - shared[1]);
    series_.push_back(series);
    return static_cast<int>(effects_.size()) - 1;
  }

  const TaylorExpansion& expansion_;
  std::vector<Vector> effects_;
  std::vector<double> reaction_, rate_;
  std::vector<std::span<const double>> series_;  ///< series of the reactions over the step
  std::vector<RestingContact> entries_;
  std::vector<ContactAutomaton*> contacts_;
};

}  // namespace

Sharing EventContacts::distributeReactionsOfRestingContacts(const TaylorExpansion& expansion, int contact,
                                                            double horizon, bool maySelfStress) {
  RestingReactions resting(expansion);
  for (LinearContact& c : contacts_) resting.addLinearContact(c);
  series_.forEachConstrainedLine(expansion, [&](SeriesContact& c, std::size_t line, const Vector& effect) {
    resting.addConstrainedLine(c, line, effect);
  });
  if (resting.isAnyContactUnloaded()) return Sharing::none;
  bool anyShared = false;
  idle_.clear();
  const Sharing sharing = resting.distributeReactions(contact, horizon, maySelfStress, anyShared, idle_);
  if (anyShared) collectContactSeries(expansion);
  return sharing;
}

double EventContacts::durationOfSharedTractions() const noexcept {
  double longest = std::numeric_limits<double>::infinity();
  for (const ContactAutomaton* c : transitions_.automata())
    if (c->isClosed()) longest = std::min(longest, c->balancedFor);
  return longest;
}

int EventContacts::dropTractionsOfContactsThatSlide(const TaylorExpansion& expansion, double t) {
  int moving = -1;
  const auto dropIfMoving = [&](ContactAutomaton& c, const std::array<std::span<double>, 2>& path,
                                const std::array<double, 2>& size) {
    if (!c.isOnStaticFrictionCone()) return;
    Tangential<double> motion{};
    for (int k = 0; k + 2 < static_cast<int>(orders_) && length(motion) == 0.0; ++k) {
      const double push = expansion.elasticForceNorm(k) + expansion.forceNormSum(k);
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
        if (const double term = (k + 1.0) * (k + 2.0) * path[a][static_cast<std::size_t>(k + 2)];
            std::abs(term) > kKeptConstraint * size[a] * push)
          motion = motion + scaled(term, c.axis[a]);
    }
    if (!(dot(motion, c.state.friction.direction) < 0.0)) return;
    transitions_.dropTractionToDynamicFriction(c, t);
    moving = c.index;
  };
  for (LinearContact& c : contacts_) dropIfMoving(c, c.slide, {c.rowSize[1], c.rowSize[2]});
  series_.forEachContact([&](SeriesContact& c) { dropIfMoving(c, c.path, {c.reach, c.reach}); });
  return moving;
}

}  // namespace ricochet
