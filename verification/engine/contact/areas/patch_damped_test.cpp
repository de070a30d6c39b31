// Effect of the dashpot parallel to the elastic stick of a contact area on the start, course and end of a
// slip.

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/patch_law.hpp"
#include "verification/support/models.hpp"
#include "verification/support/patches.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

using test::kUndropped;

constexpr double kStickStiffness = 400.0;  // [N/m]

PatchLaw disc() { return {AxialArea<patch::UniformDisc>({}, kStickStiffness, 0.5), kUndropped}; }
PatchLaw bristleLaw() {
  return {BristleArea(patch::bristlePointsAboutPressureCentre({}, 4, 16), kStickStiffness), kUndropped};
}

/// A disc of mass 1 and radius 1 with mu N = 1 under an alternating force and moment: in four seconds it
/// breaks away three times and sticks again twice. `tau` = c_t/k_t of its bed [s].
ModalModel pushedDisc(PatchLaw law, double tau) {
  PatchFriction friction;
  friction.muStatic = friction.muDynamic = 1.0;
  friction.stiffness = kStickStiffness;
  friction.damping = tau * kStickStiffness;
  Contact contact = test::contactOf(3, NoObstacle{}, ImposedForce{}, friction);
  contact.imposedForce = TimeFunction::constant(1.0);
  contact.rows(1, 0) = contact.rows(2, 1) = 1.0;
  contact.spinRow = Eigen::RowVectorXd::Zero(3);
  contact.spinRow[2] = std::sqrt(2.0);
  contact.patch = std::make_shared<const PatchLaw>(std::move(law));
  constexpr std::array<std::string_view, 1> kTime{"t"};
  const auto load = [&](const Vector& shape, std::string_view formula) {
    return Load{shape, TimeFunction::formula(Formula::parse(formula, kTime))};
  };
  return test::ModelParts{
      LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true),
      {load(Vector{{1.5, 0.3, 0.0}}, "sin(2*t)"), load(Vector{{0.0, 0.0, 0.8}}, "sin(2*t)*cos(0.7*t)")},
      {contact}}
      .build();
}

test::Outcome runFor(const ModalModel& model, std::string_view scheme, int steps) {
  constexpr double kEnd = 4.0;
  return test::runModel(model, scheme, State(3), {.end = kEnd, .step = kEnd / steps, .archiveEvery = 1});
}

constexpr std::array<double, 3> kDashpots{1e-3, 0.02, 0.1};
constexpr std::array<std::string_view, 2> kSchemes{"kick_drift", "newmark"};

TEST(PatchDashpot, FrictionNeverGivesEnergyBack) {
  for (const std::string_view scheme : kSchemes)
    for (const PatchLaw& law : {disc(), bristleLaw()})
      for (const double tau : kDashpots) {
        const test::Outcome outcome = runFor(pushedDisc(law, tau), scheme, 2048);
        double before = 0.0, most = 0.0;
        for (const auto& row : outcome.seen.rows) {
          most = std::max(most, before - row.ledger.friction);
          before = row.ledger.friction;
        }
        EXPECT_LT(most, 1e-15) << scheme << " tau " << tau;
        EXPECT_GT(before, 0.7) << scheme << " tau " << tau;
        // The energy balance closes with the second order of the scheme, and that of newmark exactly.
        EXPECT_LT(outcome.report.energyError, scheme == "newmark" ? 1e-11 : 2e-6) << scheme << " tau " << tau;
        EXPECT_EQ(outcome.seen.times(EventKind::slipToStick).size(), 2U) << scheme << " tau " << tau;
      }
}

TEST(PatchDashpot, BreakawayAndStopKeepTheSecondOrder) {
  for (const std::string_view scheme : kSchemes)
    for (const PatchLaw& law : {disc(), bristleLaw()}) {
      const ModalModel model = pushedDisc(law, 0.1);
      const Vector fine = runFor(model, scheme, 1 << 16).state.q;
      const auto error = [&](int steps) { return (runFor(model, scheme, steps).state.q - fine).norm(); };
      const double coarse = error(1 << 10), middle = error(1 << 12);
      EXPECT_LT(coarse, 2e-4) << scheme;
      // Four times the steps divide the error by 16, except for the instant of a step in which a slip begins.
      EXPECT_LT(middle, coarse / 9.0) << scheme;
      EXPECT_LT(error(1 << 14), coarse / 100.0) << scheme;
    }
}

TEST(PatchDashpot, WrenchDoesNotJumpWhereSlipBeginsAndEnds) {
  const auto largest = [](int steps) {
    const test::Outcome outcome = runFor(pushedDisc(disc(), 0.1), "newmark", steps);
    double most = 0.0;
    for (std::size_t i = 1; i < outcome.seen.rows.size(); ++i) {
      const ContactView& from = outcome.seen.rows[i - 1].contacts[0];
      const ContactView& to = outcome.seen.rows[i].contacts[0];
      most = std::max({most, std::abs(to.tangentialForce.first - from.tangentialForce.first),
                       std::abs(to.spinMoment - from.spinMoment)});
    }
    return most;
  };
  EXPECT_NEAR(largest(1 << 14) / largest(1 << 15), 2.0, 0.1);
}

TEST(PatchDashpot, SmallDashpotIsNone) {
  for (const PatchLaw& law : {disc(), bristleLaw()}) {
    const Vector none = runFor(pushedDisc(law, 0.0), "newmark", 1 << 14).state.q;
    const auto change = [&](double tau) {
      return (runFor(pushedDisc(law, tau), "newmark", 1 << 14).state.q - none).norm();
    };
    // The error is of first order in the dashpot, without a lower bound.
    const double small = change(1e-6);
    EXPECT_LT(small, 1e-4);
    EXPECT_NEAR(change(1e-8) / small, 0.01, 0.003);
    EXPECT_EQ(change(1e-300), 0.0);
  }
}

}  // namespace
}  // namespace ricochet
