// When the state of a contact ends.

#include "engine/event/event_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// How large rounding errors are in the coefficients of the series that a contact sees; found as they are
/// asked for, since most questions end with the first two.
class NoiseLevels {
 public:
  NoiseLevels(const TaylorExpansion& expansion, const EventContact& c) : expansion_(expansion), contact_(c) {}

  /// Of coefficient k of the gap or of the position along an axis.
  double position(std::size_t line, std::size_t k) const {
    const double noise = contact_.rowSize[line] * kNoise * size(k);
    if (k > 0) return noise;
    const double origin = line == 0 ? std::min(std::abs(contact_.low), std::abs(contact_.high))
                                    : std::hypot(contact_.origin.first, contact_.origin.second) +
                                          std::hypot(contact_.travel.first, contact_.travel.second);
    return noise + (std::isfinite(origin) ? kNoise * origin : 0.0);
  }
  double reaction(std::size_t line, std::size_t k) const {
    const double row = contact_.rowSize[line];
    return row > 0.0 ? kNoise * push(k) / row : 0.0;
  }
  double compression(std::size_t k) const {
    return form(contact_.normalForce, 0, k, kNoise * std::abs(contact_.prescribed[k]));
  }
  /// Of a linear form of the position along a line and an input with this noise.
  double form(const LinearForm& f, std::size_t line, std::size_t k, double input,
              double inputNext = 0.0) const {
    const auto order = static_cast<double>(k + 1);
    double noise = std::abs(f.input) * input + std::abs(f.inputRate) * order * inputNext;
    if (f.position != 0.0) noise += std::abs(f.position) * position(line, k);
    if (f.rate != 0.0) noise += std::abs(f.rate) * order * position(line, k + 1);
    if (f.reaction != 0.0) noise += std::abs(f.reaction) * reaction(line, k);
    return noise + (k == 0 ? kNoise * std::abs(f.constant) : 0.0);
  }

  /// Of the traction of a slip.
  double traction(std::size_t k) const {
    const double share = std::hypot(contact_.tangentForce[0].input, contact_.tangentForce[1].input);
    return share * compression(k) +
           kNoise * (std::abs(contact_.traction[0][k]) + std::abs(contact_.traction[1][k]));
  }
  /// Of the force of a damped slip's spring, which sums up what the traction leaves.
  double spring(std::size_t k) const {
    const Tangential<double>& force = contact_.state.friction.anchorForce;
    double noise = kNoise * std::hypot(force.first, force.second);
    for (std::size_t j = 0; j < k; ++j)
      noise = contact_.relaxation * (noise + traction(j)) / static_cast<double>(j + 1);
    return noise;
  }
  /// Of its excess over the traction along one line.
  double springExcess(std::size_t k) const {
    constexpr std::size_t kTerms = 4;  // of a sum that falls, the spring being stiff
    double noise = 0.0;
    if (contact_.settled) {
      for (std::size_t j = std::min(k + kTerms, static_cast<std::size_t>(expansion_.order())); j > k; --j)
        noise = static_cast<double>(j) / contact_.relaxation * (traction(j) + noise);
      return noise;
    }
    noise = kNoise * std::abs(dot(contact_.state.friction.anchorForce, contact_.axis[0])) + traction(0);
    for (std::size_t j = 1; j <= k; ++j)
      noise = contact_.relaxation * noise / static_cast<double>(j) + traction(j);
    return noise;
  }

 private:
  /// Accelerations of order k are sums of terms of this size.
  double push(std::size_t k) const {
    while (pushes_ <= k) {
      push_[pushes_] =
          expansion_.stiffSize(static_cast<int>(pushes_)) + expansion_.pushSize(static_cast<int>(pushes_));
      ++pushes_;
    }
    return push_[k];
  }
  /// Coefficients of q: their own size, or what the forces that cancelled in them leave.
  double size(std::size_t k) const {
    const double own = expansion_.size(static_cast<int>(k));
    return k < 2 ? own : std::max(own, push(k - 2) / static_cast<double>(k * (k - 1)));
  }

  const TaylorExpansion& expansion_;
  const EventContact& contact_;
  mutable std::array<double, kMostOrders> push_{};
  mutable std::size_t pushes_{0};
};

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

/// Walks over the guards of all contacts.
class EventGuards {
 public:
  EventGuards(EventContacts& all, const TaylorExpansion& expansion) : all_(all), expansion_(expansion) {}

  /// Calls visit(contact, slot, series, noise function) for every guard of a contact.
  template <class Visit>
  void ofContact(EventContact& c, Visit&& visit) {
    const auto orders = static_cast<std::size_t>(expansion_.order() + 1);
    if (!c.closed() && c.pushesFromGeometry && c.state.normal == NormalState::open) {
      ofOpen(c, visit);
      return;
    }
    for (std::size_t g = 0; g < 2; ++g) {
      if (!c.normalGuardUsed[g]) continue;
      const std::span<double> p(all_.scratch_.data(), orders);
      const FormTerms terms{c.gapSeries(orders),
                            std::span<const double>(c.prescribed).first(c.prescribedCount),
                            c.compressionSeries(orders)};
      const LinearForm form = c.normalGuard[g];
      ricochet::combine(form, terms, p);
      visit(c, g == 0 ? GuardSlot::normalFirst : GuardSlot::normalSecond, p,
            [&](const NoiseLevels& n, std::size_t k) {
              return n.form(form, 0, k, kNoise * std::abs(c.prescribed[k]));
            });
    }
    if (c.closed() && c.hasTraction()) ofFriction(c, visit);
  }

 private:
  template <class Visit>
  void ofOpen(EventContact& c, Visit& visit) {
    const auto orders = static_cast<std::size_t>(expansion_.order() + 3);
    const std::span<double> p(all_.scratch_.data(), orders);
    const auto noiseOf = [](const NoiseLevels& n, std::size_t k) { return n.position(0, k); };
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
  void ofFriction(EventContact& c, Visit& visit) {
    const bool slip = c.state.friction.slipping;
    if (c.turns()) {
      ofPlane(c, visit);
      return;
    }
    const std::size_t orders = compressionOrders();
    const FormTerms terms{c.slide[0], c.compressionSeries(orders), c.tractionSeries(0, orders)};
    if (c.relaxes()) {
      const std::span<double> p(all_.scratch_.data(), orders);
      ricochet::combine(c.slipGuard, {c.slide[0], {}, c.spring[0]}, p);
      visit(c, GuardSlot::slip, p, [&](const NoiseLevels& n, std::size_t k) {
        return n.form(c.slipGuard, 1, k, 0.0) + n.springExcess(k);
      });
      return;
    }
    if (slip) {
      ofLine(c, c.slipGuard, GuardSlot::slip, terms, visit);
      return;
    }
    ofLine(c, c.aheadGuard, GuardSlot::ahead, terms, visit);
    ofLine(c, c.backGuard, GuardSlot::back, terms, visit);
  }

  std::size_t compressionOrders() const { return static_cast<std::size_t>(expansion_.order() + 1); }

  template <class Visit>
  void ofLine(EventContact& c, const LinearForm& form, GuardSlot slot, const FormTerms& terms, Visit& visit) {
    // a rate loses the last coefficient
    const std::size_t orders = compressionOrders() - (form.inputRate != 0.0 ? 1 : 0);
    const std::span<double> p(all_.scratch_.data(), orders);
    ricochet::combine(form, terms, p);
    visit(c, slot, p, [&](const NoiseLevels& n, std::size_t k) {
      return n.form(form, 1, k, n.compression(k), n.compression(k + 1));
    });
  }

  /// Stick, or a slip that turns, in two dimensions: the law's own guard, in series.
  template <class Visit>
  void ofPlane(EventContact& c, Visit& visit) {
    // rates lose the last coefficient; a product of polynomials has twice their degree, and needs all of it
    const auto orders = static_cast<std::size_t>(expansion_.order());
    const bool slip = c.state.friction.slipping;
    const bool relaxes = c.relaxes();
    const std::size_t length = slip && !relaxes ? orders : 2 * orders - 1;
    const FrictionState state = slip ? FrictionState::slip : FrictionState::stick;
    SeriesTape& tape = all_.tape_;
    tape.clear();
    const auto rateOf = [&](std::size_t a) {
      std::vector<double>& s = all_.scratch2_;
      for (std::size_t k = 0; k < orders; ++k) s[k] = static_cast<double>(k + 1) * c.slide[a][k + 1];
      return tape.input({s.data(), orders});
    };
    const Series x[2] = {tape.input(c.slide[0].first(orders)), tape.input(c.slide[1].first(orders))};
    const Series rate[2] = {rateOf(0), rateOf(1)};
    const Series pull[2] = {tape.input(c.traction[0].first(orders)), tape.input(c.traction[1].first(orders))};
    const auto vector = [&](const Series* parts) {
      return Tangential<Series>{c.axis[0].first * parts[0] + c.axis[1].first * parts[1],
                                c.axis[0].second * parts[0] + c.axis[1].second * parts[1]};
    };
    FrictionKinematics<Series> k;
    k.position = vector(x) + Tangential<Series>{c.origin.first, c.origin.second};
    k.slipRate = vector(rate);
    k.compression = tape.input(c.compression.first(orders));
    for (std::size_t i = 0; i < orders; ++i)
      all_.scratch2_[i] = static_cast<double>(i + 1) * c.compression[i + 1];
    k.compressionRate = tape.input({all_.scratch2_.data(), orders});
    k.reaction = vector(pull);
    const FrictionMemory<double>& m = c.state.friction;
    FrictionMemory<Series> memory{{m.anchorForce.first, m.anchorForce.second},
                                  {m.anchorPosition.first, m.anchorPosition.second},
                                  {m.direction.first, m.direction.second},
                                  m.slipping};
    if (relaxes) {
      const Series spring[2] = {tape.input(c.spring[0].first(orders)), tape.input(c.spring[1].first(orders))};
      memory.anchorForce = vector(spring);
      memory.anchorPosition = k.position;
    } else if (c.turning)
      memory.direction = {tape.input(c.heading[0].first(orders)), tape.input(c.heading[1].first(orders))};
    const Series margin = std::visit(
        [&](const auto& law) { return law.template guard<Series>(state, k, memory); }, c.contact->friction);
    tape.run(1, static_cast<int>(length) - 1);
    const std::span<double> p(all_.scratch_.data(), length);
    for (std::size_t i = 0; i < length; ++i) p[i] = margin.coefficient(static_cast<int>(i));
    visit(c, slip ? GuardSlot::slip : GuardSlot::back, p, [&](const NoiseLevels& n, std::size_t i) {
      return relaxes ? slipConeNoise(c, n, i) : slip ? turningNoise(c, n, i) : coneNoise(c, n, i);
    });
  }

  static double turningNoise(const EventContact& c, const NoiseLevels& n, std::size_t k) {
    LinearForm form = c.slipGuard;
    form.rate = -1.0;
    return n.form(form, 1, k, n.compression(k), n.compression(k + 1)) + n.form(form, 2, k, 0.0);
  }

  /// (mu N)^2 - T^2: twice each factor's size times the other's noise.
  static double coneNoise(const EventContact& c, const NoiseLevels& n, std::size_t k) {
    if (k + 2 >= c.traction[0].size()) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      const double force = std::abs(c.traction[0][k - j]) + std::abs(c.traction[1][k - j]);
      sum += 2.0 * n.compression(j) * std::abs(c.compression[k - j]) +
             2.0 * force * (n.form(c.tangentForce[0], 1, j, 0.0) + n.reaction(1, j));
    }
    return sum;
  }

  /// The same of a damped slip, T*^2 - (mu N)^2 with T* = T_e - c s'.
  static double slipConeNoise(const EventContact& c, const NoiseLevels& n, std::size_t k) {
    if (k + 2 >= c.traction[0].size()) return std::numeric_limits<double>::infinity();
    const double damping =
        std::visit([](const auto& law) { return law.contactDamping(); }, c.contact->friction);
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      double force = 0.0;
      for (std::size_t a = 0; a < 2; ++a)
        force += std::abs(c.spring[a][k - j]) +
                 damping * static_cast<double>(k - j + 1) * std::abs(c.slide[a][k - j + 1]);
      const double noise =
          n.spring(j) + damping * static_cast<double>(j + 1) * (n.position(1, j + 1) + n.position(2, j + 1));
      sum += 2.0 * n.compression(j) * std::abs(c.compression[k - j]) + 2.0 * force * noise;
    }
    return sum;
  }

  EventContacts& all_;
  const TaylorExpansion& expansion_;
};

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
  EventGuards guards(*this, expansion);
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
