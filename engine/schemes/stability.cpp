#include "engine/schemes/stability.hpp"

#include "engine/schemes/integrators.hpp"
#include "physical/dense_solvers.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

double largestEigenvalue(const Matrix& symmetric) {
  if (symmetric.size() == 0) return 0.0;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric, Eigen::EigenvaluesOnly);
  return std::max(0.0, solver.eigenvalues().maxCoeff());
}

/// One mode with contacts that never open: q'' = -(omega^2 + k) q - (c + c_k) q'. The class has the interface
/// of an equation of motion, so that the stability of the actual integrators is computed.
class ScalarOscillator {
 public:
  ScalarOscillator(double omegaSquared, double damping, double contact, double contactDamping)
      : linear_(Vector::Constant(1, omegaSquared), Matrix::Constant(1, 1, damping), true),
        contact_(contact),
        contactDamping_(contactDamping) {}

  Eigen::Index size() const noexcept { return linear_.omegaSquared.size(); }
  const LinearSystem& linearSystem() const noexcept { return linear_; }

  void force(double, const Vector& q, const Vector& v, double dv, const Vector& a, Vector& f) const {
    f = -contact_ * q - contactDamping_ * (v + dv * a);
  }
  void kick(double t, double dv, const Vector& q, Vector& v, Vector& f) const {
    force(t, q, v, dv, f, f);
    v += dv * f;
  }
  void accelerationFromForce(const Vector& f, const Vector& q, const Vector& v, Vector& a) const {
    a = f.array() - linear_.omegaSquared.array() * q.array() - linear_.dampingDiagonal.array() * v.array();
  }
  void acceleration(double t, const Vector& q, const Vector& v, Vector& a) const {
    implicitAcceleration(t, 0, 0, q, v, a);
  }
  void implicitAcceleration(double t, double dq, double dv, const Vector& q, const Vector& v,
                            Vector& a) const {
    force(t, q, v, dv, a, a);
    a.array() -= linear_.omegaSquared.array() * q.array() + linear_.dampingDiagonal.array() * v.array();
    a.array() /= 1.0 + dv * linear_.dampingDiagonal.array() + dq * linear_.omegaSquared.array();
  }
  void prepareImplicitContact() const {}
  bool solveImplicit(double, const ImplicitBalance& balance, const Vector& base, const Vector& q,
                     const Vector& v, Vector& a) const {
    const Vector stiffness = linear_.omegaSquared.array() + contact_;
    const Vector damping = linear_.dampingDiagonal.array() + contactDamping_;
    a = base - balance.share * (stiffness.cwiseProduct(q) + damping.cwiseProduct(v));
    a.array() /= 1.0 + balance.share * (balance.dv * damping + balance.dq * stiffness).array();
    return true;
  }

 private:
  LinearSystem linear_;
  double contact_;
  double contactDamping_;
};

/// Spectral radius of one step, from the matrix of the step on displacement, velocity, carried force and, for
/// multistep schemes, earlier accelerations.
template <class I>
double spectralRadius(ScalarOscillator& oscillator, const SchemeOptions& options, double h) {
  std::vector<double*> carried;
  const auto collect = [&carried](I& integrator, State& s) {
    carried = {&s.q[0], &s.v[0], &integrator.vectorChangedByLoadJump(s)[0]};
    if constexpr (requires { integrator.vectorsCarriedBetweenSteps(); })
      for (Vector* each : integrator.vectorsCarriedBetweenSteps()) carried.push_back(&(*each)[0]);
  };
  // scales the matrix to one common unit of displacement, velocity and force: q/h^2, v/h, a
  const auto scale = [h](std::size_t i) { return i == 0 ? h * h : i == 1 ? h : 1.0; };
  Matrix amplification;
  for (std::size_t column = 0; column == 0 || column < carried.size(); ++column) {
    I integrator = makeIntegrator<I>(oscillator.linearSystem(), options);
    State s(1);
    integrator.start(oscillator, s, h);
    collect(integrator, s);
    const auto size = static_cast<Eigen::Index>(carried.size());
    if (column == 0) amplification.resize(size, size);
    *carried[column] = scale(column);
    integrator.step(oscillator, s, h);
    collect(integrator, s);  // a step may have swapped vectors
    for (std::size_t row = 0; row < carried.size(); ++row)
      amplification(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
          *carried[row] / scale(row);
  }
  return amplification.eigenvalues().cwiseAbs().maxCoeff();
}

template <class I>
double largestStableStep(ScalarOscillator oscillator, const SchemeOptions& options, double scale) {
  // A neutral mode lies on the unit circle; at a double root, the rounding error of the computed radius is
  // the square root of the machine precision.
  constexpr double kNeutral = 1.0 + 1e-7;
  double stable = 0.0;
  double unstable = scale;
  for (int i = 0; i < 64 && spectralRadius<I>(oscillator, options, unstable) <= kNeutral; ++i) {
    stable = unstable;
    unstable *= 2.0;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (stable + unstable);
    (spectralRadius<I>(oscillator, options, middle) <= kNeutral ? stable : unstable) = middle;
  }
  return stable;
}

/// Highest angular frequency among the modes whose damping is too small to prevent a resonance with the
/// kicks.
double highestResonantFrequency(const ModalModel& model) {
  double highest = 0.0;
  for (Eigen::Index i = 0; i < model.linear.modes; ++i) {
    double contact = 0.0;  // sum of k phi_i^2
    for (const Contact& c : model.contacts.contacts()) {
      const ClosedContact closed = stiffnessAndDampingOfClosedContact(c);
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        contact += closed.stiffness[static_cast<std::size_t>(axis)] * c.rows(axis, i) * c.rows(axis, i);
      if (c.rollRow.size() > 0) contact += closed.rollStiffness * c.rollRow[i] * c.rollRow[i];
      if (c.patch) contact += closed.spinStiffness * c.spinRow[i] * c.spinRow[i];
    }
    for (const Link& link : model.links.links())
      contact += link.bounds.stiffness * link.rows.col(i).squaredNorm();
    const double omegaSquared = model.linear.omegaSquared[i];
    // zeta = c / (2 omega) against contact / (2 omega^2)
    if (contact > 0.0 && model.linear.dampingDiagonal[i] * std::sqrt(omegaSquared) <= contact)
      highest = std::max(highest, std::sqrt(omegaSquared));
  }
  return highest;
}

/// Root of (x/2) cot(x/2) = h^2 k/4 with x = omega h < pi: the left side decreases from 1 to 0, the right
/// side increases.
double stableStepLimitByResonance(double omega, double contact) {
  double low = 0.0;
  double high = std::numbers::pi / omega;
  for (int i = 0; i < 60; ++i) {
    const double h = 0.5 * (low + high);
    const double half = 0.5 * omega * h;
    (half / std::tan(half) > 0.25 * h * h * contact ? low : high) = h;
  }
  return low;
}

/// True if the scheme is stable for every step.
template <class I>
bool isSchemeUnconditionallyStable(const SchemeOptions& options) {
  if constexpr (requires { I::isUnconditionallyStable(options); })
    return I::isUnconditionallyStable(options);
  else
    return false;
}

}  // namespace

StiffnessBounds stiffnessBounds(const ModalModel& model) {
  const Eigen::Index m = model.linear.modes;
  Matrix stiffness = Matrix::Zero(m, m);
  Matrix damping = Matrix::Zero(m, m);
  for (const Contact& contact : model.contacts.contacts()) {
    const auto add = [&](int axis, double k, double c) {
      const Vector b = contact.rows.row(axis).transpose();
      stiffness += k * b * b.transpose();
      damping += c * b * b.transpose();
    };
    const ClosedContact closed = stiffnessAndDampingOfClosedContact(contact);
    for (std::size_t axis = 0; axis < 3; ++axis)
      add(static_cast<int>(axis), closed.stiffness[axis], closed.damping[axis]);
    if (contact.rollRow.size() > 0)
      stiffness += closed.rollStiffness * contact.rollRow.transpose() * contact.rollRow;
    if (contact.patch) stiffness += closed.spinStiffness * contact.spinRow.transpose() * contact.spinRow;
  }
  for (const Link& link : model.links.links()) {
    stiffness += link.bounds.stiffness * link.rows.transpose() * link.rows;
    damping += link.bounds.damping * link.rows.transpose() * link.rows;
  }
  StiffnessBounds bounds;
  bounds.contact = largestEigenvalue(stiffness);
  bounds.contactDamping = largestEigenvalue(damping);
  stiffness.diagonal() += model.linear.omegaSquared.head(m);
  bounds.omegaSquared = largestEigenvalue(stiffness);
  bounds.structureDamping =
      model.linear.damping
          ? largestEigenvalue(0.5 * (*model.linear.damping + model.linear.damping->transpose()))
          : model.linear.dampingDiagonal.maxCoeff();
  return bounds;
}

bool hasStableStepLimit(std::string_view scheme, const SchemeOptions& options) {
  bool limited = false;
  Integrators::forEach([&]<class I>() {
    if (scheme == I::keyword) limited = !kOwnsContacts<I> && !isSchemeUnconditionallyStable<I>(options);
  });
  return limited;
}

double largestSafeStep(const StiffnessBounds& bounds, std::string_view scheme, const SchemeOptions& options) {
  const double structure = std::max(0.0, bounds.omegaSquared - bounds.contact);
  const double fastest =
      std::max(std::sqrt(structure + bounds.contact), bounds.contactDamping + bounds.structureDamping);
  double limit = std::numeric_limits<double>::infinity();
  if (fastest == 0.0) return limit;
  Integrators::forEach([&]<class I>() {
    if constexpr (!kOwnsContacts<I>) {  // schemes that own their contacts have no limit
      if (scheme != I::keyword || isSchemeUnconditionallyStable<I>(options)) return;
      // the limit may come from a stiff undamped mode or from a damped soft mode: both ends of the damping
      // range are computed
      for (const double share : {0.0, 1.0})
        limit = std::min(limit,
                         largestStableStep<I>(ScalarOscillator(structure, share * bounds.structureDamping,
                                                               bounds.contact, share * bounds.contactDamping),
                                              options, 1e-3 / fastest));
    }
  });
  return limit;
}

double largestSafeStep(const ModalModel& model, std::string_view scheme, const SchemeOptions& options) {
  StiffnessBounds bounds = stiffnessBounds(model);
  // the drift moves the structure exactly, so only contacts limit the step
  const bool driftIsExact = scheme == KickDrift::keyword;
  if (driftIsExact) {
    bounds.omegaSquared = bounds.contact;
    bounds.structureDamping = 0.0;
  }
  double limit = largestSafeStep(bounds, scheme, options);
  if (driftIsExact)
    if (const double omega = highestResonantFrequency(model); omega > 0.0)
      limit = std::min(limit, stableStepLimitByResonance(omega, bounds.contact));
  return limit;
}

}  // namespace ricochet
