#pragma once

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/automata/noise_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// Evaluates the guards of linear contacts as series in the local time.
class LinearGuards {
 public:
  explicit LinearGuards(EventContacts& all) : all_(all) {}

  /// Calls visit(contact, slot, series, noise function) for every guard of a contact.
  template <class Visit>
  void visitGuards(LinearContact& c, Visit&& visit) {
    const std::size_t orders = all_.orders_;
    if (c.isOpenAndClosesByGap()) {
      visitClosingGuards(c, visit);
      return;
    }
    for (std::size_t g = 0; g < 2; ++g) {
      if (!c.normalGuardUsed[g]) continue;
      const std::span<double> p(all_.scratch_.data(), orders);
      const FormTerms terms{c.gapSeries(orders),
                            std::span<const double>(c.imposedSeries).first(c.imposedCount),
                            c.compressionSeries(orders)};
      const LinearForm form = c.normalGuard[g];
      ricochet::linearCombination(form, terms, p);
      visit(c, g == 0 ? GuardSlot::normalFirst : GuardSlot::normalSecond, p,
            [&](const NoiseLevels& n, std::size_t k) {
              return n.linearFormRoundingError(form, 0, k, kNoise * std::abs(c.imposedSeries[k]));
            });
    }
    if (c.hasTensionGuard()) visitTensionGuard(c, visit);
    if (c.isClosed() && c.hasTraction()) visitFrictionGuards(c, visit);
  }

 private:
  template <class Visit>
  void visitTensionGuard(LinearContact& c, Visit& visit) {
    const std::span<const double> force = c.compressionSeries(all_.orders_);
    const std::span<double> p(all_.scratch_.data(), all_.orders_);
    std::ranges::fill(
        std::ranges::transform(force, p.begin(), [&](double n) { return c.pulls ? -n : n; }).out, p.end(),
        0.0);
    visit(c, GuardSlot::pull, p,
          [](const NoiseLevels& n, std::size_t k) { return n.compressionRoundingError(k); });
  }

  template <class Visit>
  void visitClosingGuards(LinearContact& c, Visit& visit) {
    const std::size_t orders = all_.orders_ + 2;
    const std::span<double> p(all_.scratch_.data(), orders);
    const auto noiseOf = [](const NoiseLevels& n, std::size_t k) { return n.positionRoundingError(0, k); };
    if (std::isfinite(c.low)) {
      std::copy_n(c.along.begin(), orders, p.begin());
      p[0] -= c.low;
      visit(c, GuardSlot::low, p, noiseOf);
    }
    if (std::isfinite(c.high)) {
      for (std::size_t k = 0; k < orders; ++k) p[k] = -c.along[k];
      p[0] += c.high;
      visit(c, GuardSlot::high, p, noiseOf);
    }
  }

  template <class Visit>
  void visitFrictionGuards(LinearContact& c, Visit& visit) {
    const bool slip = c.state.friction.slipping;
    if (c.canSlipInPlane()) {
      slip&& c.isHeldOnCone() ? visitHeldContactGuard(c, visit) : visitGuardInPlane(c, visit);
      return;
    }
    const std::size_t orders = all_.orders_;
    const FormTerms terms{c.slide[0], c.compressionSeries(orders), c.tractionSeries(0, orders)};
    if (c.hasRelaxingSlipSpring()) {
      const std::span<double> p(all_.scratch_.data(), orders);
      ricochet::linearCombination(c.slipGuard, {c.slide[0], {}, c.spring[0]}, p);
      visit(c, GuardSlot::slip, p, [&](const NoiseLevels& n, std::size_t k) {
        return n.linearFormRoundingError(c.slipGuard, 1, k, 0.0) + n.springExcessRoundingError(k);
      });
      return;
    }
    if (slip) {
      visitGuardAlongLine(c, c.slipGuard, GuardSlot::slip, terms, visit);
      return;
    }
    visitGuardAlongLine(c, c.aheadGuard, GuardSlot::ahead, terms, visit);
    visitGuardAlongLine(c, c.backGuard, GuardSlot::back, terms, visit);
  }

  template <class Visit>
  void visitGuardAlongLine(LinearContact& c, const LinearForm& form, GuardSlot slot, const FormTerms& terms,
                           Visit& visit) {
    // The series of a rate has one coefficient less than that of the position.
    const std::size_t orders = all_.orders_ - (form.inputRate != 0.0 ? 1 : 0);
    const std::span<double> p(all_.scratch_.data(), orders);
    ricochet::linearCombination(form, terms, p);
    visit(c, slot, p, [&](const NoiseLevels& n, std::size_t k) {
      return n.linearFormRoundingError(form, 1, k, n.compressionRoundingError(k),
                                       n.compressionRoundingError(k + 1));
    });
  }

  /// Visits the guard of a contact that is held on its cone, (mu N)^2 - (T.v)^2, with the direction v of the
  /// traction that would move the contact.
  template <class Visit>
  void visitHeldContactGuard(LinearContact& c, Visit& visit) {
    const double mu = std::hypot(c.tangentForce[0].input, c.tangentForce[1].input);
    const double v[2] = {dot(c.movingTraction, c.axis[0]), dot(c.movingTraction, c.axis[1])};
    const std::span<double> p(all_.scratch_.data(), all_.orders_ - 1);
    const std::span<double> pull(all_.scratch2_.data(), p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      pull[k] = v[0] * c.traction[0][k] + v[1] * c.traction[1][k];
      p[k] = 0.0;
      for (std::size_t j = 0; j <= k; ++j)
        p[k] += mu * mu * c.compression[j] * c.compression[k - j] - pull[j] * pull[k - j];
    }
    visit(c, GuardSlot::slip, p,
          [&](const NoiseLevels& n, std::size_t k) { return coneGuardRoundingError(c, n, k); });
  }

  /// Visits the guard of a stick or a turning slip in two dimensions: the law evaluates it in `Series`.
  template <class Visit>
  void visitGuardInPlane(LinearContact& c, Visit& visit) {
    // The series of a rate has one coefficient less than that of the position; a product of two polynomials
    // has twice their degree.
    const std::size_t orders = all_.orders_ - 1;
    const bool slip = c.state.friction.slipping;
    const bool springRelaxes = c.hasRelaxingSlipSpring();
    const std::size_t length = slip && !springRelaxes ? orders : 2 * orders - 1;
    const FrictionState state = slip ? FrictionState::slip : FrictionState::stick;
    SeriesTape& tape = all_.tape_;
    tape.clear();
    const auto rateOf = [&](std::size_t a) {
      std::vector<double>& s = all_.scratch2_;
      for (std::size_t k = 0; k < orders; ++k) s[k] = static_cast<double>(k + 1) * c.slide[a][k + 1];
      return tape.recordInput({s.data(), orders});
    };
    const Series x[2] = {tape.recordInput(c.slide[0].first(orders)),
                         tape.recordInput(c.slide[1].first(orders))};
    const Series rate[2] = {rateOf(0), rateOf(1)};
    const Series pull[2] = {tape.recordInput(c.traction[0].first(orders)),
                            tape.recordInput(c.traction[1].first(orders))};
    const auto vector = [&](const Series* parts) {
      return Tangential<Series>{c.axis[0].first * parts[0] + c.axis[1].first * parts[1],
                                c.axis[0].second * parts[0] + c.axis[1].second * parts[1]};
    };
    FrictionKinematics<Series> k;
    k.position = vector(x) + Tangential<Series>{c.origin.first, c.origin.second};
    k.slipRate = vector(rate);
    k.compression = tape.recordInput(c.compression.first(orders));
    for (std::size_t i = 0; i < orders; ++i)
      all_.scratch2_[i] = static_cast<double>(i + 1) * c.compression[i + 1];
    k.compressionRate = tape.recordInput({all_.scratch2_.data(), orders});
    k.reaction = vector(pull);
    const FrictionMemory<double>& m = c.state.friction;
    FrictionMemory<Series> memory{{m.anchorForce.first, m.anchorForce.second},
                                  {m.anchorPosition.first, m.anchorPosition.second},
                                  {m.direction.first, m.direction.second},
                                  m.slipping};
    if (springRelaxes) {
      const Series spring[2] = {tape.recordInput(c.spring[0].first(orders)),
                                tape.recordInput(c.spring[1].first(orders))};
      memory.anchorForce = vector(spring);
      memory.anchorPosition = k.position;
    } else if (c.isTurningSlip())
      memory.direction = {tape.recordInput(c.tractionDirection[0].first(orders)),
                          tape.recordInput(c.tractionDirection[1].first(orders))};
    const Series margin = std::visit(
        [&](const auto& law) { return law.template guard<Series>(state, k, memory); }, c.contact->friction);
    tape.computeSeriesOrders(1, static_cast<int>(length) - 1);
    const std::span<double> p(all_.scratch_.data(), length);
    for (std::size_t i = 0; i < length; ++i) p[i] = margin.coefficient(static_cast<int>(i));
    visit(c, slip ? GuardSlot::slip : GuardSlot::back, p, [&](const NoiseLevels& n, std::size_t i) {
      return springRelaxes ? dampedSlipGuardRoundingError(c, n, i)
             : slip        ? turningSlipGuardRoundingError(c, n, i)
                           : coneGuardRoundingError(c, n, i);
    });
  }

  static double turningSlipGuardRoundingError(const LinearContact& c, const NoiseLevels& n, std::size_t k) {
    LinearForm form = c.slipGuard;
    form.rate = -1.0;
    return n.linearFormRoundingError(form, 1, k, n.compressionRoundingError(k),
                                     n.compressionRoundingError(k + 1)) +
           n.linearFormRoundingError(form, 2, k, 0.0);
  }

  /// Rounding error of (mu N)^2 - T^2: for each factor twice its size times the rounding error of the other,
  /// and the product of both errors. The size of a force is that of its value, even where this is a small
  /// difference of large terms of its spring, whose rounding is in the error.
  static double coneGuardRoundingError(const LinearContact& c, const NoiseLevels& n, std::size_t k) {
    if (k + 2 >= c.traction[0].size()) return std::numeric_limits<double>::infinity();
    const auto tractionError = [&](std::size_t j) {
      return n.linearFormRoundingError(c.tangentForce[0], 1, j, 0.0) + n.reactionRoundingError(1, j);
    };
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      const double traction = std::abs(c.traction[0][k - j]) + std::abs(c.traction[1][k - j]);
      sum += 2.0 * n.compressionRoundingError(j) *
                 (std::abs(c.compression[k - j]) + n.compressionRoundingError(k - j)) +
             2.0 * tractionError(j) * (traction + tractionError(k - j));
    }
    return sum;
  }

  /// Rounding error of coefficient k of T*^2 - (mu N)^2, whose zero ends a damped slip; T* = T_e - c s':
  /// traction T_e minus the dashpot force at the slip rate s'.
  static double dampedSlipGuardRoundingError(const LinearContact& c, const NoiseLevels& n, std::size_t k) {
    if (k + 2 >= c.traction[0].size()) return std::numeric_limits<double>::infinity();
    const double damping =
        std::visit([](const auto& law) { return law.contactDamping(); }, c.contact->friction);
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      double force = 0.0;
      for (std::size_t a = 0; a < 2; ++a)
        force += std::abs(c.spring[a][k - j]) +
                 damping * static_cast<double>(k - j + 1) * std::abs(c.slide[a][k - j + 1]);
      const double noise = n.springForceRoundingError(j) +
                           damping * static_cast<double>(j + 1) *
                               (n.positionRoundingError(1, j + 1) + n.positionRoundingError(2, j + 1));
      sum += 2.0 * n.compressionRoundingError(j) * std::abs(c.compression[k - j]) + 2.0 * force * noise;
    }
    return sum;
  }

  EventContacts& all_;
};

}  // namespace ricochet
