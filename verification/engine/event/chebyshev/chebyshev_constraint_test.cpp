// Dashpots and constraints in the propagator for many modes, compared with matrix exponentials of the whole
// linear system with projected constraints.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"
#include "verification/support/struck_beam.hpp"

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include <cmath>
#include <numbers>
#include <random>

namespace ricochet {
namespace {

const VolterraBasis& volterraBasis() {
  static const VolterraBasis kBasis(16, 32);
  return kBasis;
}

/// F = constant - stiffness u - damping u' + factor F_leader along a row; leading rows come first.
struct Force {
  Vector row;
  double stiffness{0.0}, damping{0.0}, constant{0.0};
  int leader{-1};
  bool leaderIsConstraint{false};
  double factor{0.0};
};
/// A constraint b.q'' = target.
struct Constraint {
  Vector row;
  double target{0.0};
};

/// Damped modes with such forces and constraints.
struct Model {
  Vector omega;
  double ratio{0.01};
  std::vector<Force> forces{};
  std::vector<Constraint> constraints{};

  LinearSystem linear() const {
    const Matrix damping = (2.0 * ratio * omega).asDiagonal();
    return {omega.cwiseAbs2(), damping, true};
  }

  /// State after t by the matrix exponential of the whole system, in (omega q, v), whose entries are of one
  /// size.
  std::pair<Vector, Vector> exactState(const Vector& q, const Vector& v, double t) const {
    const Eigen::Index m = omega.size();
    const auto r = static_cast<Eigen::Index>(constraints.size());
    // Forces and reactions are rows of (q, v, 1); reactions are computed together.
    Matrix rows(r, m), effects(m, r), accelerations = Matrix::Zero(m, 2 * m + 1);
    accelerations.leftCols(m).diagonal() = -omega.cwiseAbs2();
    accelerations.middleCols(m, m).diagonal() = -2.0 * ratio * omega;
    for (Eigen::Index i = 0; i < r; ++i)
      rows.row(i) = effects.col(i).transpose() = constraints[static_cast<std::size_t>(i)].row.transpose();
    std::vector<Vector> laws;
    for (const Force& force : forces) {
      Vector law = Vector::Zero(2 * m + 1);
      law << -force.stiffness * force.row, -force.damping * force.row, force.constant;
      if (force.leader >= 0 && force.leaderIsConstraint)
        effects.col(force.leader) += force.factor * force.row;
      else if (force.leader >= 0)
        law += force.factor * laws[static_cast<std::size_t>(force.leader)];
      laws.push_back(law);
      accelerations += force.row * law.transpose();
    }
    if (r > 0) {
      const Matrix response = effects * (rows * effects).inverse();
      accelerations -= (response * (rows * accelerations)).eval();
      for (Eigen::Index i = 0; i < r; ++i)
        accelerations.col(2 * m) += constraints[static_cast<std::size_t>(i)].target * response.col(i);
    }
    const Vector scale = omega.cwiseMax(1.0);
    Matrix generator = Matrix::Zero(2 * m + 1, 2 * m + 1);
    generator.block(0, m, m, m).diagonal() = scale;
    generator.middleRows(m, m) = accelerations;
    generator.block(m, 0, m, m) *= scale.cwiseInverse().asDiagonal();
    Vector start(2 * m + 1);
    start << scale.cwiseProduct(q), v, 1.0;
    const Vector after = (t * generator).exp() * start;
    return {after.head(m).cwiseQuotient(scale), after.segment(m, m)};
  }
};

/// State after t by the expansion.
class Stepped {
 public:
  explicit Stepped(const Model& model)
      : model_(model),
        linear_(model.linear()),
        rows_(Matrix::Zero(linear_.omegaSquared.size(),
                           static_cast<Eigen::Index>(model.forces.size() + model.constraints.size()))),
        expansion_(volterraBasis(), linear_, static_cast<int>(model.forces.size()),
                   static_cast<int>(rows_.cols()), static_cast<int>(model.constraints.size())) {
    Eigen::Index next = 0;
    for (const Constraint& each : model_.constraints) {
      const int number = expansion_.addConstraint(storeRow(each.row, next));
      for (double& target : expansion_.targetAcceleration(number)) target = each.target;
    }
    for (const Force& each : model_.forces) {
      const int number = expansion_.addForce({.row = storeRow(each.row, next),
                                              .stiffness = each.stiffness,
                                              .damping = each.damping,
                                              .follows = each.leader,
                                              .followsConstraint = each.leaderIsConstraint,
                                              .factor = each.factor,
                                              .watched = false});
      for (double& given : expansion_.givenForce(number)) given = each.constant;
    }
  }

  ChebyshevExpansion& expansion() { return expansion_; }
  Vector padded(const Vector& narrow) const {
    Vector vector = Vector::Zero(rows_.rows());
    vector.head(narrow.size()) = narrow;
    return vector;
  }

  /// Compares the states at the end, in the middle and just after the start, in the energy norm relative to
  /// that of the start.
  void compare(double h, const Vector& q, const Vector& v, double limit) {
    const Eigen::Index m = model_.omega.size();
    expansion_.setStepLength(h);
    expansion_.solveForcesAndMotion(padded(q), padded(v));
    Vector end = padded(q), rate = end;
    const double scale = std::hypot(v.norm(), model_.omega.cwiseProduct(q).norm());
    for (const double part : {1.0, 0.999, 0.61, 0.01}) {
      if (part == 1.0)
        expansion_.evaluateMotionAtStepEnd(end, rate);
      else
        expansion_.evaluate(part * h, end, rate);
      const auto [x, w] = model_.exactState(q, v, part * h);
      const double error =
          std::hypot((rate.head(m) - w).norm(), model_.omega.cwiseProduct(end.head(m) - x).norm());
      EXPECT_LT(error, limit * scale) << part;
    }
  }

 private:
  const double* storeRow(const Vector& row, Eigen::Index& next) {
    rows_.col(next).head(row.size()) = row;
    return rows_.col(next++).data();
  }

  Model model_;
  LinearSystem linear_;
  Matrix rows_;
  ChebyshevExpansion expansion_;
};

Model tube(int modes, double ratio = 0.01) {
  Model model{.omega = Vector(modes), .ratio = ratio};
  for (int j = 0; j < modes; ++j) model.omega[j] = 3.4 * (j + 1) * (j + 1);
  return model;
}

/// Row of a pinned beam at a point between its ends.
Vector beamRowAt(int modes, double x) {
  Vector row(modes);
  for (int j = 0; j < modes; ++j) row[j] = 0.6 * std::sin((j + 1) * std::numbers::pi * x);
  return row;
}

TEST(ChebyshevDashpots, BrakeModes) {
  Model model = tube(12);
  model.forces = {{.row = beamRowAt(12, 0.23), .damping = 30.0, .constant = 2.0},
                  {.row = beamRowAt(12, 0.61), .stiffness = 5e3, .damping = 8.0, .constant = -1.0},
                  {.row = beamRowAt(12, 0.87), .stiffness = 1e4}};
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 1);
  Stepped(model).compare(4.0 / model.omega[11], q, v, 1e-11);
}

TEST(ChebyshevDashpots, ActOnOthersThroughWhatFollows) {
  Model model = tube(12);
  model.forces = {
      {.row = beamRowAt(12, 0.23), .stiffness = 4e3, .damping = 10.0, .constant = 2.0},
      {.row = beamRowAt(12, 0.47), .damping = 15.0, .constant = 0.5, .leader = 0, .factor = -0.3},
      {.row = beamRowAt(12, 0.7), .leader = 1, .factor = 0.4},
  };
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 2);
  Stepped(model).compare(4.0 / model.omega[11], q, v, 1e-11);
}

TEST(ChebyshevDashpots, BrakeRigidBodies) {
  // m v' = -c v: v = exp(-c t), u = (1 - exp(-c t))/c
  const double c = 400.0, h = 0.01;
  Model model{.omega = Vector::Zero(1)};
  model.forces = {{.row = Vector::Ones(1), .damping = c}};
  Stepped run(model);
  run.expansion().setStepLength(h);
  run.expansion().solveForcesAndMotion(run.padded(Vector::Zero(1)), run.padded(Vector::Ones(1)));
  Vector q = run.padded(Vector::Zero(1)), v = q;
  run.expansion().evaluateMotionAtStepEnd(q, v);
  EXPECT_NEAR(v[0], std::exp(-c * h), 1e-13);
  EXPECT_NEAR(q[0], -std::expm1(-c * h) / c, 1e-15);
  for (std::size_t l = 0; l < run.expansion().force(0).size(); ++l)
    EXPECT_NEAR(run.expansion().force(0)[l], -c * std::exp(-c * h * volterraBasis().nodes()[l]), 1e-10) << l;
}

TEST(ChebyshevConstraints, HoldAlongOneRow) {
  Model model = tube(10);
  model.constraints = {{.row = beamRowAt(10, 0.31), .target = 3.0}};
  model.forces = {{.row = beamRowAt(10, 0.8), .constant = 20.0}};
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 3);
  Stepped run(model);
  run.compare(2.0 / model.omega[9], q, v, 1e-11);
  // Row 0 is the row of the constraint: the prescribed acceleration and its integral, the rate.
  std::vector<double> values(volterraBasis().nodes().size());
  run.expansion().motionValuesAlongRow(0, values, Answer::acceleration);
  for (const double each : values) EXPECT_NEAR(each, 3.0, 1e-10);
  run.expansion().motionValuesAlongRow(0, values, Answer::velocity);
  const double start = model.constraints[0].row.dot(v);
  for (std::size_t l = 0; l < values.size(); ++l)
    EXPECT_NEAR(values[l], start + 3.0 * run.expansion().stepLength() * volterraBasis().nodes()[l], 1e-13)
        << l;
}

TEST(ChebyshevConstraints, HoldTogetherWithSpringsAndFriction) {
  Model model = tube(10);
  model.constraints = {{.row = beamRowAt(10, 0.31), .target = 0.0},
                       {.row = beamRowAt(10, 0.83), .target = -1.0}};
  model.forces = {
      {.row = beamRowAt(10, 0.57), .stiffness = 2e3, .constant = 2.0},
      {.row = beamRowAt(10, 0.44), .leader = 0, .leaderIsConstraint = true, .factor = 0.2},
      {.row = beamRowAt(10, 0.12), .stiffness = 1e3, .damping = 3.0, .leader = 0, .factor = -0.3},
  };
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 4);
  Stepped(model).compare(2.0 / model.omega[9], q, v, 1e-11);
}

TEST(ChebyshevConstraints, StopARigidBodyAtOnce) {
  // Two rows of two bodies: each reaction is the force that holds its own body.
  Model model{.omega = Vector::Zero(2), .ratio = 0.0};
  model.constraints = {{.row = Vector::Unit(2, 0)}, {.row = 2.0 * Vector::Unit(2, 1)}};
  model.forces = {{.row = Vector::Ones(2), .constant = 6.0}};
  Stepped run(model);
  run.expansion().setStepLength(0.1);
  run.expansion().solveForcesAndMotion(run.padded(Vector::Zero(2)), run.padded(Vector::Zero(2)));
  for (const double reaction : run.expansion().reaction(0)) EXPECT_NEAR(reaction, -6.0, 1e-14);
  for (const double reaction : run.expansion().reaction(1)) EXPECT_NEAR(reaction, -3.0, 1e-14);
}

TEST(ChebyshevConstraints, ThatRepeatEachOtherShareTheReaction) {
  Model one = tube(10), two = one;
  one.constraints = {{.row = beamRowAt(10, 0.31), .target = 3.0}};
  two.constraints = {one.constraints[0], one.constraints[0]};
  one.forces = two.forces = {{.row = beamRowAt(10, 0.57), .stiffness = 2e3, .constant = 2.0}};
  const auto [q, v] = test::modalStateOfStruckBeam(one.omega, 6);
  Stepped first(one), second(two);
  for (Stepped* each : {&first, &second}) {
    each->expansion().setStepLength(2.0 / one.omega[9]);
    for (int repeat = 0; repeat < 2; ++repeat)
      each->expansion().solveForcesAndMotion(each->padded(q), each->padded(v));
  }
  double largest = 0.0;
  for (const double each : first.expansion().reaction(0)) largest = std::max(largest, std::abs(each));
  for (std::size_t l = 0; l < volterraBasis().nodes().size(); ++l)
    for (int r = 0; r < 2; ++r)
      EXPECT_NEAR(second.expansion().reaction(r)[l], 0.5 * first.expansion().reaction(0)[l], 1e-11 * largest);
}

TEST(ChebyshevConstraints, DoNotDriftOverManySteps) {
  Model model = tube(10);
  const Vector row = beamRowAt(10, 0.31);
  model.constraints = {{.row = row}};
  model.forces = {{.row = beamRowAt(10, 0.8), .constant = 20.0}};
  Stepped run(model);
  auto [q, v] = test::modalStateOfStruckBeam(model.omega, 5);
  v -= row * (row.dot(v) / row.squaredNorm());
  Vector at = run.padded(q), rate = run.padded(v), next = at, nextRate = rate;
  const double held = row.dot(q);
  double size = 0.0;
  run.expansion().setStepLength(2.0 / model.omega[9]);
  for (int step = 0; step < 100; ++step) {
    run.expansion().solveForcesAndMotion(at, rate);
    run.expansion().evaluateMotionAtStepEnd(next, nextRate);
    at = next;
    rate = nextRate;
    size = std::max(size, row.cwiseAbs().dot(at.head(10).cwiseAbs()));
  }
  EXPECT_NEAR(row.dot(at.head(10)), held, 1e-13 * size);
}

}  // namespace
}  // namespace ricochet
