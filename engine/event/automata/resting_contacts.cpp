// Contacts at rest that depend on each other: their reactions, and the start of their slips.

#include "engine/contact/impulse/resting_reactions.hpp"
#include "engine/event/automata/event_contacts.hpp"

#include <algorithm>
#include <vector>

namespace ricochet {
namespace {

/// Gathers the reactions of closed contacts that do not slip.
class RestingReactions {
 public:
  explicit RestingReactions(const TaylorExpansion& expansion) : expansion_(expansion) {}

  void addContact(const LinearContact& c) {
    RestingContact resting{.normal = entryOf(c.normalConstraint),
                           .side = c.state.side,
                           .compression = {c.compression[0], c.compression[1]}};
    if (c.hasTraction()) {
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
        resting.tangent[a] = entryOf(c.tangentConstraint[a]);
      const FrictionKinematics<double> pressed{.compression = 1.0};
      resting.coefficient = std::visit(
          [&](const auto& law) {
            return law.template frictionConeMargin<double>(pressed, c.state.friction, c.axis[0]);
          },
          c.contact->friction);
    }
    contacts_.push_back(resting);
  }

  std::optional<ReactionShift> find(double horizon) const {
    const auto count = std::ssize(constraints_);
    if (count < 2) return {};
    Matrix effects(expansion_.rowSize(), count);
    Vector reaction(count), rate(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const int constraint = constraints_[static_cast<std::size_t>(i)];
      effects.col(i) = Eigen::Map<const Vector>(expansion_.reactionEffect(constraint), expansion_.rowSize());
      reaction[i] = expansion_.reaction(constraint)[0];
      rate[i] = expansion_.reaction(constraint)[1];
    }
    return findRestingReactions(effects.transpose() * effects, reaction, rate, contacts_, horizon);
  }

  const RestingContact& contact(std::size_t i) const noexcept { return contacts_[i]; }

 private:
  int entryOf(int constraint) {
    if (constraint < 0) return -1;
    constraints_.push_back(constraint);
    return static_cast<int>(constraints_.size()) - 1;
  }

  const TaylorExpansion& expansion_;
  std::vector<int> constraints_;
  std::vector<RestingContact> contacts_;
};

}  // namespace

bool EventContacts::shareRestingReactions(const TaylorExpansion& expansion, double horizon) {
  std::vector<LinearContact*> resting;
  RestingReactions reactions(expansion);
  for (LinearContact& c : contacts_) {
    if (!c.isClosed() || c.isSlipping() || c.pulls || (c.hasTraction() && !c.setValuedStick)) continue;
    if (c.unloaded) return false;
    reactions.addContact(c);
    resting.push_back(&c);
  }
  const std::optional<ReactionShift> shift = reactions.find(horizon);
  if (!shift) return false;
  for (std::size_t i = 0; i < resting.size(); ++i) {
    const RestingContact& entries = reactions.contact(i);
    const std::array<int, 3> all{entries.normal, entries.tangent[0], entries.tangent[1]};
    for (std::size_t part = 0; part < all.size(); ++part)
      if (all[part] >= 0)
        resting[i]->balancedReaction[part] = {shift->start[all[part]], shift->rate[all[part]]};
  }
  collectContactSeries(expansion);
  return true;
}

int EventContacts::dropTractionsOfMoving(const TaylorExpansion& expansion, double t) {
  int moving = -1;
  const auto dropIfMoving = [&](ContactAutomaton& c, const std::array<std::span<double>, 2>& path,
                                const std::array<double, 2>& size) {
    if (!c.isOnStaticCone()) return;
    Tangential<double> motion{};
    for (int k = 0; k + 2 < static_cast<int>(orders_) && length(motion) == 0.0; ++k) {
      const double push = expansion.elasticForceSize(k) + expansion.forceSizeSum(k);
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
        if (const double term = (k + 1.0) * (k + 2.0) * path[a][static_cast<std::size_t>(k + 2)];
            std::abs(term) > kKeptConstraint * size[a] * push)
          motion = motion + scaled(term, c.axis[a]);
    }
    if (!(dot(motion, c.state.friction.direction) < 0.0)) return;
    transitions_.dropTraction(c, t);
    moving = c.index;
  };
  for (LinearContact& c : contacts_) dropIfMoving(c, c.slide, {c.rowSize[1], c.rowSize[2]});
  series_.forEachContact([&](SeriesContact& c) { dropIfMoving(c, c.path, {c.reach, c.reach}); });
  return moving;
}

}  // namespace ricochet
