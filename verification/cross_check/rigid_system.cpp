#include "verification/cross_check/rigid_system.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ricochet::cross {
namespace {

/// Components of the motion of a body in the model, in the order of its degrees of freedom.
Eigen::VectorXd reduced(const ContactModel& model, const Vector6& v) {
  if (model.planar) return Eigen::Vector3d(v[0], v[1], v[5]);
  return v;
}

/// Row of the displacement of a point of a body along a direction.
Eigen::VectorXd displacementRowOf(const ContactModel& model, const Vector3& offset,
                                  const Vector3& direction) {
  Vector6 row;
  row << direction, offset.cross(direction);
  return reduced(model, row);
}

RigidSystem::Row contactRow(const ContactModel& model, const PointContact& c, int perBody) {
  const auto size = static_cast<Eigen::Index>(model.bodies.size()) * perBody;
  const auto along = [&](const Vector3& direction) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(size);
    row.segment(c.body * perBody, perBody) += displacementRowOf(model, c.offset, direction);
    if (c.other) {
      const Vector3 place =
          model.bodies[static_cast<std::size_t>(c.body)].position + c.offset - c.gap * c.normal;
      const Vector3 offset = place - model.bodies[static_cast<std::size_t>(*c.other)].position;
      row.segment(*c.other * perBody, perBody) -= displacementRowOf(model, offset, direction);
    }
    return row;
  };
  RigidSystem::Row row{
      .normal = along(c.normal), .gap = c.gap, .friction = c.friction, .restitution = c.restitution};
  if (c.friction > 0.0) {
    if (model.planar)
      row.tangent = along(Vector3(-c.normal[1], c.normal[0], 0.0));
    else if (c.line)
      row.tangent = along(*c.line);
  }
  return row;
}

void addScalesOfSystem(RigidSystem& system) {
  Eigen::VectorXd speed = system.velocity.cwiseAbs();
  for (std::size_t k = 0; k < system.forces.size(); ++k) {
    double largest = 0.0;
    for (int i = 0; i <= 20; ++i)
      largest =
          std::max(largest, std::abs(system.functions[k].values(0.0, 0.05 * i * system.duration).value));
    speed += (system.inverseMass.cwiseProduct(system.forces[k]) * (largest * system.duration)).cwiseAbs();
  }
  system.speedScaleOfSlipRate = std::max(1e-6, speed.maxCoeff());
  system.lengthScale = 1.0 + system.speedScaleOfSlipRate * system.duration;
}

}  // namespace

RigidSystem assemble(const ContactModel& model) {
  RigidSystem system;
  system.perBody = model.planar ? 3 : 6;
  const auto bodies = static_cast<Eigen::Index>(model.bodies.size());
  const Eigen::Index per = system.perBody, size = bodies * per;
  system.inverseMass.resize(size);
  system.velocity.resize(size);
  system.duration = model.duration;
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(size), inertial = Eigen::VectorXd::Zero(size);
  for (Eigen::Index b = 0; b < bodies; ++b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    Vector6 inverse;
    inverse << Vector3::Constant(1.0 / body.mass), body.inertia.cwiseInverse();
    system.inverseMass.segment(b * per, per) = reduced(model, inverse);
    system.velocity.segment(b * per, per) = reduced(model, body.velocity);
    weight[b * per + 1] = -body.mass * model.gravity;
    if (model.table) {
      Vector6 force = Vector6::Zero();
      force.head<3>() = -body.mass * model.table->direction;
      inertial.segment(b * per, per) = reduced(model, force);
    }
  }
  system.forces.push_back(weight);
  system.functions.push_back({.kind = LoadFunction::Kind::constant, .amplitude = 1.0});
  for (const BodyLoad& load : model.loads) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(size);
    force.segment(load.body * per, per) = reduced(model, load.force);
    system.forces.push_back(force);
    system.functions.push_back(load.function);
  }
  if (model.table) {
    system.forces.push_back(inertial);
    system.functions.push_back(model.table->acceleration);
  }
  for (const PointContact& c : model.contacts) {
    system.contacts.push_back(contactRow(model, c, system.perBody));
    system.hasTurningFriction = system.hasTurningFriction || (c.friction > 0.0 && !model.planar && !c.line);
  }
  addScalesOfSystem(system);
  return system;
}

void setSmallGapsToZero(const RigidSystem& system, double limit, Eigen::VectorXd& q,
                        std::vector<double>& gaps) {
  std::vector<std::size_t> touching;
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (std::abs(gaps[i]) <= limit) touching.push_back(i);
  if (touching.empty()) return;
  const auto gapAt = [&](std::size_t i) { return system.contacts[i].gap + system.contacts[i].normal.dot(q); };
  Eigen::MatrixXd rows(std::ssize(touching), system.size());
  Eigen::VectorXd open(std::ssize(touching));
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const std::size_t i = touching[static_cast<std::size_t>(k)];
    rows.row(k) = system.contacts[i].normal.transpose();
    open[k] = gapAt(i);
  }
  q -= rows.completeOrthogonalDecomposition().solve(open);
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = std::abs(gapAt(i)) <= limit ? 0.0 : gapAt(i);
  for (const std::size_t i : touching) gaps[i] = 0.0;
}

}  // namespace ricochet::cross
