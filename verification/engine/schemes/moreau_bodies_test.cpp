// Rigid bodies with several rigid contacts in time stepping: jamming, large friction, rebounds, rest.

#include "engine/schemes/moreau.hpp"
#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

namespace ricochet {
namespace {

/// A planar rigid body in coordinates of mass 1 (x, y, and the radius of gyration times the rotation), with
/// contacts at points of the body, each with a plane through or near its point.
struct PlanarBody {
  test::ModelParts parts;
  double gyration{0.5};  ///< [m]

  PlanarBody() { parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true); }

  void touch(double x, double y, double normal, double gap, Rigid law, Coulomb friction) {
    Contact contact = test::contactOf(3, Plane{}, law, friction);
    contact.offset[0] = gap;
    const double nx = std::cos(normal), ny = std::sin(normal);
    contact.rows.row(0) << nx, ny, (x * ny - y * nx) / gyration;
    contact.rows.row(1) << -ny, nx, (x * nx + y * ny) / gyration;
    parts.contacts.push_back(contact);
  }
};

TEST(MoreauBodies, HaveImpulsesInEveryJam) {
  // Three to five contacts in all directions, friction up to 4, restitution up to 0.9, with an initial
  // velocity and an alternating force: every step has impulses, no point passes a plane, the energy balance
  // closes.
  constexpr double kStep = 5e-4;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("body " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution(low, high)(random);
    };
    PlanarBody body;
    for (unsigned i = 0; i < 3 + seed % 3; ++i) {
      const double x = between(-0.6, 0.6), y = between(-0.6, 0.6);
      const double mu = std::array{0.0, 0.2, 0.6, 1.5, 4.0}[random() % 5];
      const double gap = std::array{0.0, 0.0, 0.02}[random() % 3];
      body.touch(x, y, std::atan2(-y, -x) + between(-1.0, 1.0), gap,
                 Rigid{std::array{0.0, 0.3, 0.5, 0.9}[random() % 4]}, Coulomb{mu, mu});
    }
    const Vector push{{between(-10.0, 10.0), between(-10.0, 10.0), between(-5.0, 5.0)}};
    body.parts.loads.push_back(
        {push, test::formulaOfTime("sin(" + std::to_string(between(2.0, 20.0)) + "*t)")});
    State initial(3);
    if (seed % 2 == 0) initial.v.head(3) << between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0);
    const test::Outcome run =
        test::runModel(body.parts.build(), "moreau", initial, {.end = 0.4, .step = kStep, .archiveEvery = 1});
    ASSERT_EQ(run.report.status, RunStatus::complete) << run.report.time;
    EXPECT_EQ(run.report.refused, 0);
    // A point moves up to |v| h/2 beyond its plane before the impact; |v| is bounded by v(0) and the force.
    const double fastest = std::sqrt(3.0) + 0.4 * push.norm();
    for (const test::Recorder::Row& row : run.seen.rows)
      for (const ContactView& contact : row.contacts)
        ASSERT_GT(contact.gap, -3.0 * fastest * kStep) << row.state.time;
    double largest = 0.0, residual = 0.0;
    for (const test::Recorder::Row& row : run.seen.rows) {
      largest = std::max(largest, row.ledger.kinetic);
      residual = std::max(residual, std::abs(row.ledger.balanceResidual()));
    }
    EXPECT_LE(residual, 1e-9 * std::max(largest, 1e-3));
  }
}

TEST(MoreauBodies, RestOnThreeFeetOfOneLineByLeastNorm) {
  // 1 kg under 9.81 N at e = 0.1 m beside the middle of three feet at -0.5, 0 and 0.5 m: the least reactions
  // in balance are N_i = 9.81 (1/3 + e x_i / 0.5).
  PlanarBody body;
  for (const double x : {-0.5, 0.0, 0.5})
    body.touch(x, -0.5, 0.5 * std::numbers::pi, 0.0, Rigid{0.0}, Coulomb{0.4, 0.3});
  body.parts.loads.push_back(
      {Vector{{0.0, -9.81, -9.81 * 0.1 / body.gyration}}, TimeFunction::constant(1.0)});
  for (const double h : {1e-2, 1e-4, 1e-6}) {
    const test::Outcome run =
        test::runModel(body.parts.build(), "moreau", State(3), {.end = 200.0 * h, .step = h});
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const auto& contacts = run.seen.rows.back().contacts;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(contacts[i].normalForce,
                  9.81 * (1.0 / 3.0 + 0.1 * (0.5 * static_cast<double>(i) - 0.5) / 0.5), 1e-9)
          << h;
    EXPECT_LT(run.state.q.norm(), 1e-12);
  }
}

}  // namespace
}  // namespace ricochet
