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
  void addHeldLine(SeriesContact& c, std::size_t line, const Vector& effect) {
    const bool known = !contacts_.empty() && contacts_.back() == &c;
    if (!known && !addContact(c, c.compression)) return;
    const std::span<const double> series = line == 2 ? c.compression : c.traction[line];
    const std::array<double, 2>& shared = c.balancedReaction[line == 2 ? 0 : line + 1];
    int& entry = line == 2 ? entries_.back().normal : entries_.back().tangent[line];
    entry = addReaction(effect, series[0] - shared[0], series[1] - shared[1]);
  }

  bool isAnyUnloaded() const noexcept {
    return std::ranges::any_of(contacts_, [](const ContactAutomaton* c) { return c->unloaded; });
  }

  /// Shares out the reactions that are not unique; false if there are none, or none within the cones.
  bool share(double horizon) const {
    const auto count = std::ssize(effects_);
    if (count < 2) return false;
    Matrix effects(expansion_.rowSize(), count);
    for (Eigen::Index i = 0; i < count; ++i) effects.col(i) = effects_[static_cast<std::size_t>(i)];
    const std::optional<ReactionShift> shift =
        findRestingReactions(effects.transpose() * effects, Eigen::Map<const Vector>(reaction_.data(), count),
                             Eigen::Map<const Vector>(rate_.data(), count), entries_, horizon);
    if (!shift) return false;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const std::array<int, 3> all{entries_[i].normal, entries_[i].tangent[0], entries_[i].tangent[1]};
      for (std::size_t part = 0; part < all.size(); ++part)
        if (all[part] >= 0)
          contacts_[i]->balancedReaction[part] = {shift->start[all[part]], shift->rate[all[part]]};
    }
    return true;
  }

 private:
  int addConstraint(int constraint) {
    const std::span<const double> reaction = expansion_.reaction(constraint);
    return addReaction(Eigen::Map<const Vector>(expansion_.reactionEffect(constraint), expansion_.rowSize()),
                       reaction[0], reaction[1]);
  }
  int addReaction(const Vector& effect, double reaction, double rate) {
    effects_.push_back(effect);
    reaction_.push_back(reaction);
    rate_.push_back(rate);
    return static_cast<int>(effects_.size()) - 1;
  }

  const TaylorExpansion& expansion_;
  std::vector<Vector> effects_;
  std::vector<double> reaction_, rate_;
  std::vector<RestingContact> entries_;
  std::vector<ContactAutomaton*> contacts_;
};

}  // namespace

bool EventContacts::shareRestingReactions(const TaylorExpansion& expansion, double horizon) {
  RestingReactions resting(expansion);
  for (LinearContact& c : contacts_) resting.addLinearContact(c);
  series_.forEachHeldLine(expansion, [&](SeriesContact& c, std::size_t line, const Vector& effect) {
    resting.addHeldLine(c, line, effect);
  });
  if (resting.isAnyUnloaded() || !resting.share(horizon)) return false;
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
