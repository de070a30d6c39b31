#include "engine/schemes/kick_drift.hpp"

namespace ricochet {
namespace {

/// Force f of a state with a complete acceleration: f = a + C v + Omega^2 q.
Vector generalizedForceOfState(const LinearSystem& linear, const State& s) {
  Vector f = s.a + linear.omegaSquared.cwiseProduct(s.q);
  if (linear.damping)
    f.head(linear.modes) += *linear.damping * s.v.head(linear.modes);
  else
    f += linear.dampingDiagonal.cwiseProduct(s.v);
  return f;
}

}  // namespace

void KickDrift::interpolate(ModalEquation& eq, const State& from, const State& to, double theta, State& at) {
  const double h = to.time - from.time;
  const double tau = theta * h;
  const Vector before = generalizedForceOfState(eq.linearSystem(), from);
  const Vector slope = (generalizedForceOfState(eq.linearSystem(), to) - before) / h;
  const Vector f = before + tau * slope;
  at = from;
  at.time = from.time + tau;
  dense_.prepare(tau);
  dense_.applyDrift(0.5 * h, before, at.q, at.v);
  at.q -= (0.5 * tau * (h - tau)) * f;
  at.v -= (0.5 * (h - 2.0 * tau)) * f + (0.5 * tau * (h - tau)) * slope;
  eq.accelerationFromForce(f, at.q, at.v, at.a);
}

}  // namespace ricochet
