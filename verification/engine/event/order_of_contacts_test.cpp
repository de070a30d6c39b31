// A rigid body on three feet in a row, whose reactions are not unique: its motion must not depend on the
// order of its contacts.

#include "engine/study/run_transient.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

constexpr double kHeight = 0.3;  // of the centre of mass [m]

/// A foot at a place along the body, which moves by ux, uy and a rotation (mass and inertia 1).
Contact footAt(double place, const AnyFrictionLaw& friction, double belt) {
  Contact foot = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, friction);
  foot.rows.row(0) << 0.0, 1.0, place;
  foot.rows.row(1) << 1.0, 0.0, kHeight;
  if (belt != 0.0) foot.surface.push_back({TimeFunction::constant(belt), {1.0, 0.0}});
  return foot;
}

/// One coefficient, or a table of the speed whose values are all equal.
AnyFrictionLaw constantFriction(double mu, bool bySpeed) {
  if (!bySpeed) return Coulomb{mu, mu};
  SpeedCoulomb law;
  law.table = std::make_shared<const SpeedTable>(SpeedTable{{0.0, 100.0}, {mu, mu}});
  return law;
}

State endOnFeet(std::vector<Contact> feet, double push) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), false);
  parts.loads.push_back({Vector{{push, -8.0, 0.0}}, TimeFunction::constant(1.0)});
  parts.contacts = std::move(feet);
  constexpr double kEnd = 0.3;
  const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(3),
                                           {.end = kEnd, .step = kEnd, .archiveEvery = 1 << 30});
  EXPECT_EQ(run.report.status, RunStatus::complete);
  EXPECT_LT(run.report.energyError, 1e-12);
  return run.state;
}

/// Feet that begin to slide from rest, one of them on a belt: any two could bear the body, and with unlike
/// coefficients each pair moves it differently.
TEST(OrderOfContacts, DoesNotChangeHowABodyBeginsToSlide) {
  constexpr std::array kCoefficients{0.187, 0.586, 0.437};
  constexpr std::array kPlaces{-0.184, 0.248, -0.067};
  constexpr std::array kBelts{0.0, 0.6, 0.0};
  for (const bool bySpeed : {false, true}) {
    for (const double push : {3.0, 6.0}) {
      SCOPED_TRACE(push);
      std::vector<Contact> feet;
      for (std::size_t i = 0; i < kPlaces.size(); ++i)
        feet.push_back(footAt(kPlaces[i], constantFriction(kCoefficients[i], bySpeed), kBelts[i]));
      const State first = endOnFeet(feet, push);
      EXPECT_GT(first.v.norm(), 1e-3);
      std::vector<std::size_t> order{0, 1, 2};
      while (std::next_permutation(order.begin(), order.end())) {
        const State other = endOnFeet({feet[order[0]], feet[order[1]], feet[order[2]]}, push);
        EXPECT_LT((other.q - first.q).norm(), 1e-12);
        EXPECT_LT((other.v - first.v).norm(), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace ricochet
