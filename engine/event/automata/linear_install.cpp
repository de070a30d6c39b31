// Forces and constraints of linear contacts in an expansion of the motion.

#include "engine/event/automata/event_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

void EventContacts::addForces(TaylorExpansion& expansion) noexcept {
  for (LinearContact& c : contacts_) {
    const bool apart = c.isOpenAndClosesByGap();
    if (apart && c.isUninstalled) continue;
    c.isUninstalled = apart;
    c.normalChannel = c.normalConstraint = -1;
    c.tangentChannel = c.tangentConstraint = {-1, -1};
    c.stickHasDashpot = false;
    c.resetBalancedReaction();
    if (c.state.normal != NormalState::open || !c.pushesFromGeometry)
      std::visit(
          [&]<class Law>(const Law& law) {
            if constexpr (Law::traits.form == ForceForm::linear)
              c.normalGuard =
                  law.template guards<LinearForm>(c.state.normal, normalKinematicsAsLinearForms());
          },
          c.contact->normal);
    for (std::size_t g = 0; g < 2; ++g) c.normalGuardUsed[g] = !c.normalGuard[g].isConstant();
    // N vanishes with the gap: both guards have the same root, and one of them is enough.
    if (c.normalGuardUsed[0] && c.normalGuardUsed[1] && c.normalGuard[0].constant == 0.0 &&
        c.normalGuard[0].rate == 0.0 && c.normalGuard[0].input == 0.0 && c.normalGuard[0].reaction == 0.0)
      c.normalGuardUsed[1] = false;
    if (!c.isClosed()) continue;
    addNormalForce(expansion, c);
    if (c.hasTraction()) addTangentialForces(expansion, c);
  }
  series_.addForces(expansion);
  links_.addForces(expansion);
}

void EventContacts::addNormalForce(TaylorExpansion& expansion, LinearContact& c) noexcept {
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::traits.form == ForceForm::linear)
          c.normalForce = law.template force<LinearForm>(c.state.normal, normalKinematicsAsLinearForms());
      },
      c.contact->normal);
  if (c.normalRow == nullptr) return;
  if (c.setValuedNormal)
    c.normalConstraint = expansion.addConstraint(c.normalRow, !c.unloaded);
  else  // force F = side N along b, with gap = gap(0) + side b.q
    c.normalChannel = expansion.addForce({.row = c.normalRow,
                                          .stiffness = -c.normalForce.position,
                                          .damping = -c.normalForce.rate,
                                          .follows = -1,
                                          .followsConstraint = false,
                                          .factor = 0.0});
}

namespace {

/// Guard of a damped slip along one line, T*.e - mu_d N, as a linear form of the motion. The coefficient
/// `reaction` multiplies the excess of the spring force over the traction.
template <class Law>
LinearForm dampedSlipGuard(const Law& law, const FrictionKinematics<LinearForm>& k,
                           FrictionMemory<LinearForm> memory) noexcept {
  if constexpr (Law::traits.coneStick) {
    LinearForm excess;
    excess.reaction = 1.0;
    memory.anchorForce =
        law.template force<LinearForm>(FrictionState::slip, k, memory) + scaled(excess, memory.direction);
    memory.anchorPosition = k.position;
    return law.template tractionAboveDynamicFriction<LinearForm>(k, memory);
  } else {
    return {};
  }
}

}  // namespace

void EventContacts::addTangentialForces(TaylorExpansion& expansion, LinearContact& c) noexcept {
  const FrictionState state = c.state.friction.slipping ? FrictionState::slip : FrictionState::stick;
  const bool stick = state == FrictionState::stick;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    std::visit(
        [&](const auto& law) {
          const auto k = frictionKinematicsAsLinearForms(c.axis[a], c.origin);
          const auto memory = constantLinearForms(c.state.friction);
          const Tangential<LinearForm> force = law.template force<LinearForm>(state, k, memory);
          c.tangentForce[a] = dot(force, constantLinearForm(c.axis[a]));
          if (stick && c.tangentForce[a].rate != 0.0) c.stickHasDashpot = true;
          if (a > 0) return;
          const Tangential<double> back{-c.axis[0].first, -c.axis[0].second};
          if (stick) {
            c.aheadGuard = law.template frictionConeMargin<LinearForm>(k, memory, c.axis[0]);
            c.backGuard = law.template frictionConeMargin<LinearForm>(k, memory, back);
          } else if (c.relaxation > 0.0) {
            c.slipGuard = dampedSlipGuard(law, k, memory);
          } else {
            c.slipGuard = law.template guard<LinearForm>(state, k, memory);
          }
        },
        c.contact->friction);
    if (c.tangentRow[a] == nullptr) continue;
    if (stick && c.setValuedStick) {
      c.tangentConstraint[a] = expansion.addConstraint(c.tangentRow[a], !c.unloaded);
      continue;
    }
    Channel channel{.row = c.tangentRow[a],
                    .stiffness = -c.tangentForce[a].position,
                    .damping = -c.tangentForce[a].rate,
                    .follows = -1,
                    .followsConstraint = false,
                    .factor = 0.0};
    if (c.normalConstraint >= 0 && !stick && !c.isSlipWithZeroSpeed()) {
      channel.follows = c.normalConstraint;
      channel.followsConstraint = true;
      channel.continuesSpring = !c.setValuedStick;
      channel.factor = c.state.side * c.tangentForce[a].input;
    } else if (c.normalChannel >= 0 && !stick && !c.isTurningSlip()) {
      channel.follows = c.normalChannel;
      channel.factor = c.state.side * c.tangentForce[a].input;
    }
    channel.watched = c.isTurningSlip();
    c.tangentChannel[a] = expansion.addForce(channel);
  }
}

void EventContacts::setForcesKnownInAdvance(TaylorExpansion& expansion, FunctionSeries& functions,
                                            const State& s) {
  for (LinearContact& c : contacts_) {
    if (!c.isClosed() && !c.imposedNormal) continue;
    setImposedNormalForceSeries(expansion, functions, c, s.time);
    if (c.isClosed() && c.hasTraction()) setTangentialMotionSeries(expansion, functions, c, s.time);
  }
  series_.expandTimeFunctionsInSeries(functions, s.time);
  links_.expandTimeFunctionsInSeries(functions, s.time);
}

void EventContacts::setImposedNormalForceSeries(TaylorExpansion& expansion, FunctionSeries& functions,
                                                LinearContact& c, double t) {
  if (c.imposedNormal) {
    const int count = std::max(1, functions.expandFunction(c.imposed, t, c.imposedSeries));
    setSeriesCoefficientCount(c.imposedSeries, c.imposedCount, static_cast<std::size_t>(count));
  }
  if (c.normalChannel < 0) return;
  const std::span<double> given = expansion.givenForce(c.normalChannel, static_cast<int>(c.imposedCount));
  for (std::size_t k = 0; k < given.size(); ++k)
    given[k] = c.state.side * c.normalForce.input * c.imposedSeries[k];
  given[0] += c.state.side * c.normalForceAtZeroDisplacement();
}

/// Computes the travel of the surface along each axis and the tangential forces that result from the travel.
void EventContacts::setTangentialMotionSeries(TaylorExpansion& expansion, FunctionSeries& functions,
                                              LinearContact& c, double t) {
  std::size_t moving = 0;  // number of coefficients of the travel, the displacement of the surface
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    if (c.surface.empty()) break;
    std::fill(c.moved[a].begin(), c.moved[a].end(), 0.0);
    c.moved[a][0] = dot(c.travel, c.axis[a]);
    for (std::size_t i = 0; i < c.surface.size(); ++i) {
      const auto count = static_cast<std::size_t>(functions.expandFunction(c.surface[i], t, scratch_));
      const double part = dot(c.surfaceDirection[i], c.axis[a]);
      for (std::size_t k = 0; k < std::min(count, c.moved[a].size() - 1); ++k)
        c.moved[a][k + 1] += part * scratch_[k] / static_cast<double>(k + 1);
      moving = std::max(moving, std::min(count + 1, c.moved[a].size()));
    }
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    if (const int constraint = c.tangentConstraint[a]; constraint >= 0) {
      const std::span<double> target =
          expansion.targetAcceleration(constraint, moving < 3 ? 0 : static_cast<int>(moving) - 2);
      for (std::size_t k = 0; k < target.size(); ++k)
        target[k] = static_cast<double>((k + 1) * (k + 2)) * c.moved[a][k + 2];
    }
    const int channel = c.tangentChannel[a];
    if (channel < 0 || c.isTurningSlip()) continue;
    const LinearForm& force = c.tangentForce[a];
    std::size_t count = std::min(std::max<std::size_t>(1, moving), static_cast<std::size_t>(order_ + 1));
    const bool ownCompression = c.normalChannel < 0 && c.normalConstraint < 0 && force.input != 0.0;
    if (ownCompression) count = std::max(count, c.imposedCount);
    const std::span<double> given = expansion.givenForce(channel, static_cast<int>(count));
    std::fill(given.begin(), given.end(), 0.0);
    given[0] = force.constant;
    for (std::size_t k = 0; k < moving && k < count; ++k) {
      given[k] -= force.position * c.moved[a][k];
      if (k + 1 < moving) given[k] -= force.rate * static_cast<double>(k + 1) * c.moved[a][k + 1];
    }
    if (!ownCompression) continue;
    given[0] += force.input * c.normalForceAtZeroDisplacement();  // without a row the gap does not change
    for (std::size_t k = 0; k < count; ++k)
      given[k] += force.input * c.normalForce.input * c.imposedSeries[k];
  }
}

}  // namespace ricochet
