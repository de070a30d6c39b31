#pragma once

#include "verification/cross_check/load_function.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <optional>
#include <vector>

namespace ricochet::cross {

using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Rigid body with small rotations: ux, uy, uz [m], rx, ry, rz [rad] of its centre of mass.
struct Body {
  double mass{1.0};                   ///< [kg]
  Vector3 inertia{Vector3::Ones()};   ///< about x, y, z [kg m^2]
  Vector3 position{Vector3::Zero()};  ///< centre of mass [m]
  Vector6 velocity{Vector6::Zero()};  ///< initial velocity [m/s, rad/s]
};

/// Rigid contact of a point of a body with a plane that is fixed, or belongs to another body.
struct PointContact {
  int body{0};
  std::optional<int> other{};       ///< body that carries the plane; absent: the ground
  Vector3 offset{Vector3::Zero()};  ///< position of the point from the centre of its body [m]
  Vector3 normal{0.0, 1.0, 0.0};    ///< unit vector out of the plane, towards the point
  double gap{0.0};                  ///< gap at the start [m]
  double friction{0.0};             ///< Coulomb's friction coefficient, static and dynamic
  double restitution{0.0};          ///< Newton's coefficient of restitution
  std::optional<Vector3> line{};    ///< spatial: friction acts along this unit vector only
};

/// Force and moment on the centre of a body, scaled by a function of time.
struct BodyLoad {
  int body{0};
  Vector6 force{Vector6::Zero()};  ///< force and moment per unit of the function [N, N m]
  LoadFunction function;
};

/// Acceleration of the table to which all ground planes belong; the motion is relative to this table.
struct TableMotion {
  Vector3 direction{1.0, 0.0, 0.0};
  LoadFunction acceleration;  ///< [m/s^2]
};

/// Bodies on rigid contacts, as plain data. A planar model moves in x, y and turns about z.
struct ContactModel {
  bool planar{true};
  double duration{0.5};  ///< [s]
  double gravity{9.81};  ///< gravity along -y [m/s^2]
  std::vector<Body> bodies;
  std::vector<PointContact> contacts;
  std::vector<BodyLoad> loads;
  std::optional<TableMotion> table{};
};

}  // namespace ricochet::cross
