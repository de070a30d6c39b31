// Contacts at the end of the step: the consistent tangent, convergence of Newton's method, a dense reference.

#include "engine/model/implicit_contact.hpp"

#include "engine/contact/contact_tangent.hpp"
#include "physical/dense_solvers.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace ricochet {
namespace {

/// Local coordinates with given values.
struct Coordinates {
  LocalMotion local;
  double position(int axis) const noexcept { return local.position[static_cast<std::size_t>(axis)]; }
  double rate(int axis) const noexcept { return local.rate[static_cast<std::size_t>(axis)]; }
  AxisMotion motion(int axis) const noexcept { return {position(axis), rate(axis)}; }
};

Contact rubbingWall() {
  return test::contactOf(
      3, Plane{}, LinearPenalty{.stiffness = 1e4, .damping = 30.0},
      RegularisedCoulomb{.muStatic = 0.4, .muDynamic = 0.3, .stiffness = 2e3, .damping = 9.0});
}

std::array<double, 3> forceAt(const Contact& contact, const ContactState& accepted,
                              const LocalMotion& motion) {
  ContactState trial;
  const Coordinates coordinates{motion};
  FlatKinematics<double, Coordinates> at(contact, coordinates);
  computeContactTrial<double>(contact, at, 0.0, 0.0, accepted, trial);
  if (!trial.isClosed()) return {};
  return {trial.side * trial.compression, trial.traction.first, trial.traction.second};
}

TEST(ContactTangent, IsTheDerivativeOfTheForcesOfTheLaws) {
  const Contact contact = rubbingWall();
  ContactState closed;
  closed.normal = NormalState::closed;
  // Contacts in stick, in slip with a new direction, and just closed.
  ContactState slipping = closed;
  slipping.friction = {
      .anchorForce = {3.0, 1.0}, .anchorPosition = {}, .direction = {0.95, 0.31}, .slipping = true};
  const LocalMotion small{{-0.01, 1e-3, -2e-3}, {0.1, 0.2, -0.1}};
  const LocalMotion large{{-0.01, 0.03, -0.02}, {0.1, 2.0, -1.0}};
  const std::array<std::pair<ContactState, LocalMotion>, 4> cases{
      {{closed, small}, {closed, large}, {slipping, large}, {ContactState{}, large}}};
  for (const auto& [state, motion] : cases) {
    const ContactTangent tangent = contactTangentMatrix(contact, state, 0.0, motion, 0.0);
    const std::array<double, 3> force = forceAt(contact, state, motion);
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_DOUBLE_EQ(tangent.force[axis], force[axis]);
    for (std::size_t i = 0; i < 6; ++i) {
      // Central difference: rounding 1e-16 F/d and curvature F d^2, with d = 1e-6 of 0.01 m.
      constexpr double kStep = 1e-8;
      LocalMotion ahead = motion, behind = motion;
      (i < 3 ? ahead.position[i] : ahead.rate[i - 3]) += kStep;
      (i < 3 ? behind.position[i] : behind.rate[i - 3]) -= kStep;
      const std::array<double, 3> plus = forceAt(contact, state, ahead);
      const std::array<double, 3> minus = forceAt(contact, state, behind);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double slope = i < 3 ? tangent.byPosition[axis][i] : tangent.byRate[axis][i - 3];
        EXPECT_NEAR(slope, (plus[axis] - minus[axis]) / (2.0 * kStep), 1e-5 * 1e4) << axis << " by " << i;
      }
    }
  }
}

TEST(ContactTangent, OfASlidingContactIsNotSymmetric) {
  ContactState closed;
  closed.normal = NormalState::closed;
  const ContactTangent tangent =
      contactTangentMatrix(rubbingWall(), closed, 0.0, {{-0.01, 0.5, 0.0}, {}}, 0.0);
  // T = -mu_d N: the derivative is mu_d k_n along the normal, and zero along the tangent.
  EXPECT_DOUBLE_EQ(tangent.byPosition[1][0], 0.3 * 1e4);
  EXPECT_EQ(tangent.byPosition[0][1], 0.0);
}

/// Three modes, with one node that slides on a wall in the plane.
ModalModel rubbingModel(const Matrix& damping, bool diagonal) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector{{100.0, 400.0, 900.0}}, damping, diagonal);
  Contact contact = rubbingWall();
  contact.rows << 1.0, 0.3, -0.2, 0.1, 0.9, 0.4, -0.3, 0.2, 1.1;
  parts.contacts.push_back(contact);
  return parts.build();
}

TEST(ImplicitContact, ConvergesQuadraticallyOnAPlaneSlipAndMeetsADenseNewton) {
  Matrix coupled(3, 3);
  coupled << 2.0, -0.4, 0.1, -0.4, 3.0, 0.2, 0.1, 0.2, 4.0;
  for (const bool diagonal : {true, false}) {
    const Matrix damping = diagonal ? Matrix(coupled.diagonal().asDiagonal()) : coupled;
    const ModalModel model = rubbingModel(damping, diagonal);
    ModalEquation equation(model);
    State s(3);
    s.q.head(3) << -0.01, 0.0, 0.001;
    s.v.head(3) << -0.5, 1.0, 2.0;
    equation.start(s);
    equation.prepareImplicitContact();
    const double h = 0.02;
    const ImplicitBalance end{.share = 1.0, .dq = 0.25 * h * h, .dv = 0.5 * h};
    const Vector q = s.q + h * s.v;
    Vector a = Vector::Zero(8);
    ASSERT_TRUE(equation.solveImplicit(h, end, Vector::Zero(8), q, s.v, a));
    const auto residuals = equation.implicitContact()->forceResiduals();
    ASSERT_GE(residuals.size(), 3U);
    EXPECT_LE(residuals.size(), 8U);
    ASSERT_TRUE(equation.contacts().trialState(0).friction.slipping);
    // r_{k+1} <= C r_k^2 with C of the size of 1/force: the number of correct digits doubles.
    const std::size_t last = residuals.size() - 1;
    EXPECT_LT(residuals[last], 10.0 * residuals[last - 1] * residuals[last - 1] + 1e-9);

    // dense: a + C (v + dv a) + Omega^2 (q + dq a) - B^t lambda = 0 by Newton with differences
    const Contact& contact = model.contacts.contact(0);
    const Matrix b = contact.rows;
    const auto balance = [&](const Vector& x) {
      const Vector u = q.head(3) + end.dq * x, v = s.v.head(3) + end.dv * x;
      LocalMotion motion;
      for (Eigen::Index i = 0; i < 3; ++i) {
        motion.position[static_cast<std::size_t>(i)] = b.row(i).dot(u);
        motion.rate[static_cast<std::size_t>(i)] = b.row(i).dot(v);
      }
      const std::array<double, 3> f = forceAt(contact, equation.contacts().state(0), motion);
      const Vector lambda = Eigen::Map<const Vector>(f.data(), 3);
      return Vector(x + damping * v + model.linear.omegaSquared.head(3).cwiseProduct(u) -
                    b.transpose() * lambda);
    };
    Vector x = a.head(3);
    // The start is the solution, within the rounding of forces of 100 N.
    EXPECT_LT(balance(x).norm(), 1e-9);
    x.setZero();
    for (int i = 0; i < 50; ++i) {
      Matrix jacobian(3, 3);
      for (Eigen::Index j = 0; j < 3; ++j) {
        Vector ahead = x, behind = x;
        ahead[j] += 1e-5;
        behind[j] -= 1e-5;
        jacobian.col(j) = (balance(ahead) - balance(behind)) / 2e-5;
      }
      x -= jacobian.partialPivLu().solve(balance(x));
    }
    EXPECT_LT((x - a.head(3)).norm(), 1e-7 * x.norm()) << (diagonal ? "diagonal" : "coupled");
  }
}

TEST(ImplicitContact, IsSolvedInOneStepWhileNoBranchChanges) {
  // A wall that stays closed is linear, so that one iteration suffices.
  const ModalModel model =
      test::bouncer({.mass = 1.0, .stiffness = 10.0}, Plane{1.0}, {.stiffness = 1e6}).build();
  ModalEquation equation(model);
  State s(1);
  equation.start(s);
  equation.prepareImplicitContact();
  Vector a = Vector::Zero(8);
  ASSERT_TRUE(
      equation.solveImplicit(1e-3, {.share = 1.0, .dq = 2.5e-7, .dv = 5e-4}, Vector::Zero(8), s.q, s.v, a));
  EXPECT_EQ(equation.implicitContact()->forceResiduals().size(), 1U);
}

TEST(ImplicitContact, StepIsHalvedWhereADampedContactClosesTooLate) {
  // A dashpot of 4000 N s/m that closes just before the end of a step would open the contact again: the step
  // has no solution. The run continues with halved steps, and does not lose more energy than it has.
  const ModalModel model =
      test::bouncer({.mass = 1.0}, Slot{0.1}, {.stiffness = 1e6, .damping = 1500.0}).build();
  for (const char* scheme : {"newmark", "hht"}) {
    long long refused = 0;
    for (int i = 0; i < 200; ++i) {
      State initial(1);
      initial.v[0] = 1.0 + 1e-3 * i;
      const test::Outcome run = test::runModel(model, scheme, initial, {.end = 0.5, .step = 1e-3});
      EXPECT_EQ(run.report.status, RunStatus::complete) << scheme << " " << i;
      refused += run.report.refused;
    }
    EXPECT_GT(refused, 0) << scheme << ": the test must meet the case";
  }
}

TEST(Hht, DampsWhatTheStepDoesNotResolve) {
  // omega h = 1000: Newmark keeps the amplitude, HHT multiplies it by (1 + alpha)/(1 - alpha) per step
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1e8}).build();
  const auto left = [&](const char* scheme, double alpha) {
    State initial(1);
    initial.q[0] = 1.0;
    TransientOptions options{.end = 10.0, .step = 0.1};
    options.scheme.alpha = alpha;
    const test::Outcome run = test::runModel(model, scheme, initial, options);
    return std::hypot(1e4 * run.state.q[0], run.state.v[0]) / 1e4;
  };
  EXPECT_NEAR(left("newmark", 0.0), 1.0, 1e-6);
  EXPECT_NEAR(left("hht", 0.0), 1.0, 1e-6);
  EXPECT_LT(left("hht", -0.3), 1e-12);
}

}  // namespace
}  // namespace ricochet
