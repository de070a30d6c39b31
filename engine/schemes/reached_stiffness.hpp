#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/transient/scheme_options.hpp"

#include <string_view>
#include <vector>

namespace ricochet {

/// Stiffness and damping, at the motion reached in a run, of the laws without a bound that is known before
/// the run: contacts that stiffen with their penetration, and links by formulas.
/// // With k and c the slopes of these laws over gap and gap rate in excess of the known bounds, the sums of
/// k |b|^2 and c |b|^2 are upper bounds of their addition to the largest eigenvalues of the structure with
/// its contacts closed. The damping of links is limited elsewhere (LinkRun::limitDamping).
class ReachedStiffness {
 public:
  struct Sum {
    double stiffness{0.0};  ///< sum of k |b|^2 [rad^2/s^2]
    double damping{0.0};    ///< sum of c |b|^2 [1/s]
  };
  ReachedStiffness() = default;
  explicit ReachedStiffness(const ModalModel& model);

  bool isEmpty() const noexcept { return contacts_.empty() && links_.empty(); }

  /// Larger of the sums at the accepted state and in the last trial.
  Sum stiffnessAboveBounds(const ContactRun& contacts, const LinkRun& links) const noexcept;

 private:
  struct Law {
    std::size_t index;
    double mobility;  ///< sum of |b|^2 over the axes [1/kg]
  };
  std::vector<Law> contacts_;
  std::vector<Law> links_;
};

/// Limit of the steps of a scheme of fixed steps by the stiffness that laws reach: h sqrt(known + reached) is
/// at most a tenth of the largest stable h omega of the scheme (of central_difference for an implicit
/// scheme); if the nominal step with the known stiffness already exceeds this, its value is the limit, up to
/// 0.9 of the largest stable h omega. A force that depends on the rate acts one step late: h times the
/// reached damping, which may be far larger in a contact that starts deep in its obstacle, has the same
/// limit. Steps are limited only if `reached` is positive.
class ReachedLimit {
 public:
  ReachedLimit() = default;  ///< a limit that never shortens a step
  ReachedLimit(const ModalModel& model, std::string_view scheme, const SchemeOptions& options,
               double nominalStep);

  bool isEmpty() const noexcept { return laws_.isEmpty(); }

  /// True if a step of h that ended in the last trial exceeds the limit.
  bool isExceededByStep(const ContactRun& contacts, const LinkRun& links, double h) const noexcept {
    const ReachedStiffness::Sum beyond = laws_.stiffnessAboveBounds(contacts, links);
    return (beyond.stiffness > 0.0 && h * h * (known_ + beyond.stiffness) > angle_ * angle_) ||
           h * beyond.damping > angle_;
  }

 private:
  ReachedStiffness laws_;
  double known_{0.0};  ///< largest eigenvalue with the bounds known before the run [rad^2/s^2]
  double angle_{0.0};  ///< largest allowed h omega [rad]
};

}  // namespace ricochet
