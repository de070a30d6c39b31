#pragma once

#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace ricochet::test {

inline constexpr double kFreeFall = 9.81;  // [m/s^2]

/// A free particle of 1 kg with displacements as modal coordinates, in an obstacle about the origin.
inline ModelParts particle(Eigen::Index modes, const AnyObstacle& obstacle, const AnyNormalLaw& normal,
                           const AnyFrictionLaw& friction = Frictionless{}) {
  ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(modes), Matrix::Zero(modes, modes), true);
  Contact contact = contactOf(modes, obstacle, normal, friction);
  contact.rows.leftCols(modes) = Matrix::Identity(3, modes);
  parts.contacts.push_back(contact);
  return parts;
}
inline const AnyObstacle kHole = Curved{Circle{.clearance = 1.0}};
inline const AnyObstacle kBowl = Curved{Sphere{.radius = 1.0, .inside = true}};

/// A constant generalized force along a coordinate.
inline void pull(ModelParts& parts, Eigen::Index axis, double force) {
  parts.loads.push_back({force * Vector::Unit(parts.linear.modes, axis), TimeFunction::constant(1.0)});
}

/// Runs moreau and expects a complete run whose energy balance closes.
inline Outcome runMoreau(const ModelParts& parts, const State& initial, double end, double step,
                         std::vector<double> instants = {}) {
  TransientOptions options{.end = end, .step = step, .archiveEvery = 1};
  options.instants = std::move(instants);
  Outcome run = runModel(parts.build(), "moreau", initial, options);
  EXPECT_EQ(run.report.status, RunStatus::complete) << run.report.time;
  EXPECT_LT(run.report.energyError, 1e-11);
  return run;
}

/// Order of convergence from the errors of runs with steps h and h/4.
template <class Error>
double orderOf(double h, Error&& error) {
  return std::log2(error(h) / error(0.25 * h)) / 2.0;
}

}  // namespace ricochet::test
