#pragma once

#include "engine/contact/followed.hpp"

#include <array>
#include <limits>

namespace ricochet {

/// Derivative of a function just after 0, from differences over 1 and less of which the two that agree best
/// are taken. Zero if there are kinks within all differences.
template <class F>
Vec3 derivativeJustAfterInstant(F&& function) {
  constexpr double kStart = 1e-7, kSmallest = 0.5e-6, kRatio = 0.1, kAgreement = 0.1;
  const Vec3 start = function(kStart);
  const auto valueAt = [&](double t) { return Vec3(function(kStart + t)); };
  Vec3 best = Vec3::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (double t = 1.0; t > kSmallest; t *= kRatio) {
    const Vec3 whole = (valueAt(t) - start) / t, half = (valueAt(0.5 * t) - start) / (0.5 * t);
    const double error = (whole - half).norm();
    if (!(error < least) || !(error <= kAgreement * half.norm())) continue;
    least = error;
    best = 2.0 * half - whole;  // without the error of first order
  }
  return best;
}

/// Rate of the force of a closed contact at the rate of its point, from the laws at one instant:
///
///     N' = n.x' dN/dg,   T' = -k_t s' in stick,   T' = mu_d N' e - k_t (s' - (s'.e) e) in slip along e =
///     T/|T|
///
/// beside the turning of normal and tangents. Laws must not depend on rates.
class ContactForceRate {
 public:
  /// Motion of the point that the coordinates do not determine.
  struct Instant {
    double time{0.0};              ///< [s]
    double rollRate{0.0};          ///< rolling radius times the rotation rate of the body about e3 [m/s]
    double rollAcceleration{0.0};  ///< [m/s^2]
  };

  /// `place`: position of the point in its law; `force`: along e1, e2, e3; `earlier`: frame of a followed
  /// contact at an instant close by, otherwise null.
  ContactForceRate(const Contact& contact, const Vec3& place, const Vec3& force, double approach,
                   const ContactFrame<double>* earlier, const Instant& instant, bool slips);

  /// Force rate lambda' = byRate x' + still.
  struct Linear {
    Mat3 byRate{Mat3::Zero()};
    Vec3 still{Vec3::Zero()};
  };
  /// Force rate a time `ahead` [s] after this instant in the present phase, on the side of a kink of the law
  /// to which this rate of the point leads.
  Linear forceRateJustAfter(const Vec3& rate, double ahead) const;
  /// Begins or ends slip as this rate of the point requires; returns true if the phase changed.
  bool updateSlipPhase(const Vec3& rate);

  /// Second derivative of the force at a constant rate of the point, in the present phase. `longest`: time
  /// over which the laws are compared [s].
  Vec3 secondForceDerivative(const Vec3& rate, double longest) const;

 private:
  /// Position and friction of the contact at an instant.
  struct At {
    Local<double> place{};
    ContactFrame<double> frame{};
    Eigen::Vector2d traction{Eigen::Vector2d::Zero()};  // traction of the friction law [N]
    Instant instant{};
    bool slips{false};
  };
  /// What the laws determine at an instant. The slip is that of the law (Contact::tangentScale).
  struct Laws {
    bool closed{false};
    double pressed{0.0};                                      // normal force N [N]
    Eigen::RowVector3d pressing{Eigen::RowVector3d::Zero()};  // N' = pressing x' + pressingStill
    double pressingStill{0.0};
    Eigen::Matrix<double, 2, 3> slip{Eigen::Matrix<double, 2, 3>::Zero()};  // s' = slip x' + slipStill
    Eigen::Vector2d slipStill{Eigen::Vector2d::Zero()};
    std::array<ContactFrame<double>, 3> turning{};  // derivatives of the frame by the position
  };
  Laws tangentsOfContactLawsAt(const At& at) const;
  void setSlipOfLaws(const At& at, Laws& laws) const;
  Eigen::Vector2d tractionRate(const At& at, const Laws& laws, double pressing,
                               const Eigen::Vector2d& slip) const;
  Linear forceRate(const At& at, const Laws& laws) const;
  bool isSlipping(const At& at, const Laws& laws, const Vec3& rate) const;
  At contactAfterTime(const At& at, const Laws& laws, const Vec3& rate, double t) const;

  const Contact& contact_;
  double approach_;
  double stiffness_{0.0}, resting_{0.0}, moving_{0.0};  // k_t, mu_s, mu_d
  At now_;
};

}  // namespace ricochet
