// Properties that every listed integrator must have.

#include "engine/numerics/flush_to_zero.hpp"
#include "engine/schemes/integrators.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/linear_reference.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using test::LinearProblem;
using test::ModelParts;

/// A linear problem under a ramp load, and its model.
struct Case {
  LinearProblem problem;
  ModelParts parts;
};

TimeFunction ramp(double value, double slope) {
  const std::array times{0.0, 10.0};
  const std::array values{value, value + 10.0 * slope};
  return TimeFunction::table(times, values, TimeFunction::Outside::undefined,
                             TimeFunction::Outside::undefined);
}

Case caseOfSystem(const Vector& eigenvalues, const Matrix& damping, bool diagonal, const Vector& shape) {
  Case result;
  const Eigen::Index m = eigenvalues.size();
  result.problem = {.stiffness = eigenvalues.asDiagonal(),
                    .damping = damping,
                    .constantLoad = 2.0 * shape,
                    .loadSlope = 3.0 * shape,
                    .q0 = Vector::LinSpaced(m, 1.0, 0.5),
                    .v0 = Vector::LinSpaced(m, -2.0, 4.0)};
  result.parts.linear = LinearSystem(eigenvalues, damping, diagonal);
  result.parts.loads.push_back({shape, ramp(2.0, 3.0)});
  return result;
}

/// One damped mode of about 1 Hz.
Case dampedOscillator() {
  return caseOfSystem(Vector::Constant(1, 40.0), Matrix::Constant(1, 1, 0.9), true, Vector::Constant(1, 5.0));
}

/// Two modes that are coupled by nonproportional damping (full matrix C).
Case coupledModes() {
  Matrix damping(2, 2);
  damping << 0.8, -0.5, -0.5, 1.2;
  return caseOfSystem(Vector{{20.0, 60.0}}, damping, false, Vector{{3.0, -4.0}});
}

/// The damped mode on a contact that never opens or slips, with dashpots along its normal and its tangent: a
/// linear system whose contact force depends on the velocity.
Case closedContact() {
  Case result = dampedOscillator();
  const double k = 30.0, c = 1.5, kt = 20.0, ct = 0.7;
  // The thickness preloads the spring by 1000 N/kg^1/2, so that the contact never opens: k (x - t).
  const double thickness = 1e3;
  Contact normal = test::contactOf(1, Plane{thickness}, LinearPenalty{.stiffness = k, .damping = c});
  normal.rows(0, 0) = 1.0;
  Contact tangent =
      test::contactOf(1, NoObstacle{}, ImposedForce{},
                      RegularisedCoulomb{.muStatic = 1.0, .muDynamic = 1.0, .stiffness = kt, .damping = ct});
  tangent.rows(2, 0) = 1.0;
  tangent.imposedForce = TimeFunction::constant(1e9);
  result.parts.contacts = {normal, tangent};
  result.problem.stiffness(0, 0) += k + kt;
  result.problem.damping(0, 0) += c + ct;
  // The tangential spring is anchored at the start of the motion.
  result.problem.constantLoad[0] += k * thickness + kt * result.problem.q0[0];
  return result;
}

/// Order without contacts, which is higher than with contacts for a scheme that moves the structure exactly.
template <class I>
constexpr int orderWithoutContacts() {
  if constexpr (requires { I::freeOrder; }) return I::freeOrder;
  return I::traits.order;
}

template <class I>
class IntegratorTest : public ::testing::Test {
 protected:
  /// Error at 1 s after `steps` steps, in the energy norm, relative to the motion.
  static double errorOf(const Case& given, int steps) {
    const ModalModel model = given.parts.build();
    const Eigen::Index m = model.linear.modes;
    State initial(m);
    initial.q.head(m) = given.problem.q0;
    initial.v.head(m) = given.problem.v0;
    test::Stepper<I> stepper(model, 1.0 / steps, initial);
    stepper.steps(steps);
    const test::LinearSolution exact = solveExactly(given.problem, 1.0);
    const Vector root = model.linear.omegaSquared.head(m).cwiseSqrt();
    const Vector dq = (stepper.state().q.head(m) - exact.q).cwiseProduct(root);
    const double scale = exact.q.cwiseProduct(root).norm() + exact.v.norm();
    return std::hypot(dq.norm(), (stepper.state().v.head(m) - exact.v).norm()) / scale;
  }
  /// Steps per second with an error of leading order that is above rounding.
  static constexpr int steps() {
    return I::traits.order <= 2 ? 400 : I::traits.order == 3 ? 200 : I::traits.order == 4 ? 100 : 50;
  }
  /// Observed order between h and h/2, where the next term of the error is small.
  static double orderOf(const Case& given) {
    return std::log2(errorOf(given, steps()) / errorOf(given, 2 * steps()));
  }
  /// The next term of the error is h omega of the leading one: 0.02 at 400 steps, 0.2 at 50.
  static constexpr double orderTolerance() { return I::traits.order <= 2 ? 0.05 : 0.3; }
};
TYPED_TEST_SUITE(IntegratorTest, test::TypesOf<Integrators>::type, test::KeywordName);

TEST(Integrators, HaveDistinctKeywords) { test::expectDistinctKeywords<Integrators>(); }

TYPED_TEST(IntegratorTest, ConvergesAtItsOrder) {
  EXPECT_NEAR(this->orderOf(dampedOscillator()), orderWithoutContacts<TypeParam>(), this->orderTolerance());
  EXPECT_LT(this->errorOf(dampedOscillator(), 400), TypeParam::traits.order == 1 ? 0.03 : 1e-4);
}

TYPED_TEST(IntegratorTest, ConvergesAtItsOrderWhenDampingCouplesModes) {
  EXPECT_NEAR(this->orderOf(coupledModes()), orderWithoutContacts<TypeParam>(), this->orderTolerance());
  EXPECT_LT(this->errorOf(coupledModes(), 400), TypeParam::traits.order == 1 ? 0.03 : 1.5e-4);
}

TYPED_TEST(IntegratorTest, ConvergesAtItsOrderOnAClosedDampedContact) {
  EXPECT_NEAR(this->orderOf(closedContact()), TypeParam::traits.order, this->orderTolerance());
  EXPECT_LT(this->errorOf(closedContact(), 400), TypeParam::traits.order == 1 ? 0.05 : 3e-4);
}

TYPED_TEST(IntegratorTest, AdvancesTimeByTheStep) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 4.0}).build();
  ModalEquation equation(model);
  TypeParam integrator = makeIntegrator<TypeParam>(model.linear);
  State state(1);
  state.time = 3.0;
  integrator.start(equation, state, 0.125);
  integrator.step(equation, state, 0.125);
  EXPECT_EQ(state.time, 3.125);
  integrator.step(equation, state, 0.0625);
  EXPECT_EQ(state.time, 3.1875);
}

TYPED_TEST(IntegratorTest, CompletesTheAccelerationOfTheState) {
  // The acceleration is a = f - C v - K q, whatever variables the scheme keeps between steps.
  const Case given = dampedOscillator();
  const ModalModel model = given.parts.build();
  test::Stepper<TypeParam> stepper(model, 1e-3, State(1));
  stepper.steps(100);
  stepper.integrator().completeAcceleration(stepper.equation(), stepper.state());
  const State& s = stepper.state();
  // Central differences keep the acceleration at v + h/2 (a - a_old), which differs by h C a/2 = 1e-3 * 0.9 *
  // 30 / 2.
  EXPECT_NEAR(s.a[0], 5.0 * (2.0 + 3.0 * 0.1) - 0.9 * s.v[0] - 40.0 * s.q[0], 1e-9 + 0.02);
}

TYPED_TEST(IntegratorTest, StepDoesNotAllocateWithContactsActive) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const FlushToZero flush;
  const ModalModel model =
      test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(10), .loadsTo = 0.1}).build();
  test::Stepper<TypeParam> stepper(model, 1e-5, State(12));
  stepper.steps(6000);
  int closed = 0;
  const test::AllocationCounter allocations;
  for (int i = 0; i < 2000; ++i) {
    stepper.step();
    for (std::size_t c = 0; c < 10; ++c) closed += stepper.equation().contacts().state(c).isClosed() ? 1 : 0;
  }
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_GT(closed, 0) << "the test must meet contacts";
}

TYPED_TEST(IntegratorTest, StepDoesNotAllocateWhenDampingCouplesModes) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const ModalModel model = coupledModes().parts.build();
  test::Stepper<TypeParam> stepper(model, 1e-3, State(2));
  stepper.steps(2);
  const test::AllocationCounter allocations;
  stepper.steps(100);
  EXPECT_EQ(allocations.count(), 0);
}

TYPED_TEST(IntegratorTest, RepeatsBitForBit) {
  const ModalModel model =
      test::tube({.modes = 10, .stations = test::positionsOfTubeSlots(4), .loadsTo = 0.1}).build();
  test::Stepper<TypeParam> first(model, 1e-5, State(10));
  test::Stepper<TypeParam> second(model, 1e-5, State(10));
  first.steps(5000);
  second.steps(5000);
  EXPECT_EQ(first.state().q, second.state().q);
  EXPECT_EQ(first.state().v, second.state().v);
  // The same holds from a restored state.
  second.restore();
  second.steps(5000);
  EXPECT_EQ(first.state().q, second.state().q);
}

TYPED_TEST(IntegratorTest, InterpolatesBetweenStepsAtItsOrder) {
  // Dense output in the middle of a step against the exact motion: the error decreases at least with the
  // order of the scheme.
  const Case given = dampedOscillator();
  const auto errorWith = [&](int steps) {
    const ModalModel model = given.parts.build();
    const double h = 1.0 / steps;
    State initial(1);
    initial.q[0] = given.problem.q0[0];
    initial.v[0] = given.problem.v0[0];
    test::Stepper<TypeParam> stepper(model, h, initial);
    stepper.steps(steps / 2);
    stepper.integrator().completeAcceleration(stepper.equation(), stepper.state());
    const State before = stepper.state();
    stepper.step();
    stepper.integrator().completeAcceleration(stepper.equation(), stepper.state());
    State middle(1);
    stepper.integrator().interpolate(stepper.equation(), before, stepper.state(), 0.4, middle);
    EXPECT_DOUBLE_EQ(middle.time, before.time + 0.4 * h);
    const test::LinearSolution exact = solveExactly(given.problem, middle.time);
    return std::hypot(std::sqrt(40.0) * (middle.q[0] - exact.q[0]), middle.v[0] - exact.v[0]);
  };
  const int steps = this->steps();
  EXPECT_GT(std::log2(errorWith(steps) / errorWith(2 * steps)),
            TypeParam::traits.order - 2.0 * this->orderTolerance());
}

TYPED_TEST(IntegratorTest, InterpolationMeetsTheEndsOfTheStep) {
  const Case given = coupledModes();
  const ModalModel model = given.parts.build();
  State initial(2);
  initial.q.head(2) = given.problem.q0;
  test::Stepper<TypeParam> stepper(model, 0.01, initial);
  stepper.integrator().completeAcceleration(stepper.equation(), stepper.state());
  const State before = stepper.state();
  stepper.step();
  stepper.integrator().completeAcceleration(stepper.equation(), stepper.state());
  State at(2);
  for (const double theta :
       // With |v| h and |a| h of about 1, the motion at 1e-9 from the end differs by 1e-9.
       {1e-9, 1.0 - 1e-9}) {
    stepper.integrator().interpolate(stepper.equation(), before, stepper.state(), theta, at);
    const State& end = theta < 0.5 ? before : stepper.state();
    EXPECT_LE((at.q - end.q).norm(), 1e-9);
    EXPECT_LE((at.v - end.v).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace ricochet
