#include "engine/contact/memory_error.hpp"

#include <cmath>

namespace ricochet {
namespace {

/// Plastic slip rate of a slipping state [m/s]; negative if the state should have stuck.
template <class Law>
double plasticSlipRate(const Law& law, const ContactState& s, const ContactState& slipping,
                       double compressionRate) noexcept {
  const FrictionKinematics<double> k{s.position, s.slipRate, s.compression, compressionRate};
  if constexpr (Law::traits.coneStick)
    if (law.contactDamping() > 0.0)
      return law.template excess<double>(k, slipping.friction) / law.contactDamping();
  return law.template guard<double>(FrictionState::slip, k, slipping.friction);
}

template <class Law>
double missedSlipError(const Law& law, const ContactState& from, const ContactState& to, double h) noexcept {
  const double compressionRate = (to.compression - from.compression) / h;
  const double before = plasticSlipRate(law, from, from, compressionRate);
  const double after = plasticSlipRate(law, to, from, compressionRate);
  if (!(before > 0.0) || !(after < 0.0)) return 0.0;
  const double theta = before / (before - after);
  const double way = to.friction.slipping ? (1.0 - theta) * -after : theta * before;
  return std::sqrt(law.contactStiffness()) * 0.5 * h * way;
}

}  // namespace

double memoryError(const ContactRun& contacts, double h) noexcept {
  double sum = 0.0;
  for (const std::size_t i : contacts.touched()) {
    const ContactState& from = contacts.state(i);
    const ContactState& to = contacts.tried(i);
    if (!from.closed() || !to.closed() || !from.friction.slipping) continue;
    if (!contacts.set().hasTraction(static_cast<int>(i))) continue;
    const double error = std::visit([&](const auto& law) { return missedSlipError(law, from, to, h); },
                                    contacts.set().contact(static_cast<int>(i)).friction);
    sum += error * error;
  }
  return std::sqrt(sum);
}

}  // namespace ricochet
