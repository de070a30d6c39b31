#pragma once

#include "verification/cross_check/model.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace ricochet::cross {

/// Equations of motion of a model, assembled for the oracle alone:
///
///     M q'' = sum_k F_k phi_k(t) + sum over contacts of n N + t T,   gap = g0 + n.q,   slip = t.q'
///
/// with constant rows n and t, because rotations are small.
struct RigidSystem {
  struct Row {
    Eigen::VectorXd normal;
    std::optional<Eigen::VectorXd> tangent{};  ///< line of friction; absent: no friction
    double gap{0.0};
    double friction{0.0};
    double restitution{0.0};
  };
  int perBody{3};                       ///< degrees of freedom of a body: 3 (ux, uy, rz) or 6
  Eigen::VectorXd inverseMass;          ///< diagonal of the inverse mass matrix M^-1
  std::vector<Eigen::VectorXd> forces;  ///< F_k
  std::vector<LoadFunction> functions;  ///< phi_k
  std::vector<Row> contacts;
  Eigen::VectorXd velocity;  ///< coordinates at the start
  double duration{0.0};
  double speedScaleOfSlipRate{1.0};  ///< speed of a free body under the loads, or the initial speed [m/s]
  double lengthScale{1.0};           ///< path of the run plus size of a body [m]
  bool hasTurningFriction{false};    ///< true: a contact slides in a plane, which the oracle does not follow

  Eigen::Index size() const { return inverseMass.size(); }
};

RigidSystem assemble(const ContactModel& model);

/// Sets gaps within `limit` of zero to zero and moves q accordingly: the gaps of bodies with three feet in a
/// line depend on each other, and close together.
void setSmallGapsToZero(const RigidSystem& system, double limit, Eigen::VectorXd& q,
                        std::vector<double>& gaps);

}  // namespace ricochet::cross
