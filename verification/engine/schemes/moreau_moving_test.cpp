// moreau with moving supports and surfaces. References: closed forms between impacts.

#include "verification/support/moreau_runs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ricochet {
namespace {

using test::kFreeFall;
using test::kHole;
using test::Outcome;
using test::pull;
using test::Recorder;
using test::runMoreau;
using test::stateOf;

/// A table at A sin(w t) under a particle of 1 kg.
struct Table {
  double amplitude{0.02}, w{30.0};

  double tablePosition(double t) const { return amplitude * std::sin(w * t); }
  double speed(double t) const { return amplitude * w * std::cos(w * t); }
  test::ModelParts under(const AnyNormalLaw& normal) const {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), true);
    Contact contact = test::contactOf(1, Plane{}, normal);
    contact.rows(0, 0) = 1.0;
    contact.drift.push_back({test::formula(fmt::format("{}*sin({}*t)", amplitude, w)),
                             test::formula(fmt::format("{}*cos({}*t)", amplitude * w, w)), Vec3(-1, 0, 0)});
    parts.contacts.push_back(contact);
    pull(parts, 0, -kFreeFall);
    return parts;
  }
};

/// Instant after `from` at which f decreases to 0.
template <class F>
double firstRoot(double from, F&& f) {
  double high = from + 1e-4;
  while (f(high) > 0.0) high += 1e-5;
  double low = high - 1e-5;
  for (int i = 0; i < 80; ++i) (f(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
  return high;
}

TEST(MoreauMoving, BouncesOnAShakenTable) {
  // The relative velocity reverses with e = 0.6; after two impacts the ball moves by a closed form.
  const Table table;
  const auto flight = [](double t, double t0, double z0, double v0) {
    return z0 + v0 * (t - t0) - 0.5 * kFreeFall * (t - t0) * (t - t0);
  };
  double t0 = 0.0, z0 = 0.05, v0 = 0.0;
  for (int i = 0; i < 2; ++i) {
    const double hit =
        firstRoot(t0, [&](double t) { return flight(t, t0, z0, v0) - table.tablePosition(t); });
    const double before = v0 - kFreeFall * (hit - t0);
    v0 = table.speed(hit) - 0.6 * (before - table.speed(hit));
    z0 = table.tablePosition(hit);
    t0 = hit;
  }
  const double end = t0 + 0.012;
  const auto error = [&](double h) {
    const Outcome run = runMoreau(table.under(Rigid{0.6}), stateOf({0.05}, {0.0}), end, h);
    EXPECT_EQ(run.seen.times(EventKind::closing).size(), 2U);
    EXPECT_NEAR(run.seen.times(EventKind::closing)[1], t0, 2.0 * h);
    return std::abs(run.state.v[0] - v0 + kFreeFall * (end - t0)) +
           std::abs(run.state.q[0] - flight(end, t0, z0, v0));
  };
  for (const double h : {1e-3, 1e-4, 1e-5}) EXPECT_LT(error(h), 60.0 * h);  // of first order
}

TEST(MoreauMoving, LeavesATableThatFallsFasterThanGravity) {
  // A w^2 = 18 m/s^2: from rest the particle moves with the table until sin(w t) = g/(A w^2), then in free
  // flight.
  const Table table;
  const double lift = std::asin(kFreeFall / (table.amplitude * table.w * table.w)) / table.w;
  const double end = lift + 0.06;
  const State initial = stateOf({0.0}, {table.speed(0.0)});
  for (const AnyNormalLaw& normal : {AnyNormalLaw(Rigid{0.4})})
    for (const double h : {1e-4, 1e-5}) {
      const Outcome run = runMoreau(table.under(normal), initial, end, h);
      const auto opened = run.seen.times(EventKind::opening);
      ASSERT_EQ(opened.size(), 1U);
      EXPECT_NEAR(opened[0], lift, 2.0 * h);
      const double t = end - lift;
      // The gap grows with the cube of the time: a delay of half a step has an effect of h^2.
      EXPECT_NEAR(run.state.q[0], table.tablePosition(lift) + table.speed(lift) * t - 0.5 * kFreeFall * t * t,
                  0.05 * h);
      for (const Recorder::Row& row : run.seen.rows) {
        if (row.state.time == 0.0 || row.state.time > lift - 2.0 * h) continue;
        ASSERT_NEAR(row.contacts[0].normalForce,
                    kFreeFall - table.amplitude * table.w * table.w * std::sin(table.w * row.state.time),
                    0.6 * 540.0 * h);  // mean over the step; N' = 540 N/s
      }
    }
}

TEST(MoreauMoving, FollowerLeavesItsCam) {
  // m = 1 kg pressed by a spring of k = 400 N/m and 10 N on a cam y = a (1 - cos w t), a = 0.02 m, w = 40
  // 1/s: N = m y'' + k y + 10 falls to 0 at cos(w t) = -(k a + 10)/(a (m w^2 - k)); then a free oscillation
  constexpr double a = 0.02, k = 400.0, w = 40.0, force = 10.0, own = 20.0;
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Constant(1, k), Matrix::Zero(1, 1), true);
  Contact contact = test::contactOf(1, Plane{}, Rigid{0.0});
  contact.rows(0, 0) = 1.0;
  contact.drift.push_back(
      {test::formula("0.02*(1-cos(40*t))"), test::formula("0.8*sin(40*t)"), Vec3(-1, 0, 0)});
  parts.contacts.push_back(contact);
  pull(parts, 0, -force);
  const double lift = std::acos(-(k * a + force) / (a * (w * w - k))) / w;
  const double end = lift + 0.02;
  const double y = a * (1.0 - std::cos(w * lift)) + force / k, v = a * w * std::sin(w * lift);
  const double expected = y * std::cos(own * 0.02) + v / own * std::sin(own * 0.02) - force / k;
  for (const double h : {1e-4, 1e-5}) {
    const Outcome run = runMoreau(parts, stateOf({0.0}, {0.0}), end, h);
    ASSERT_FALSE(run.seen.times(EventKind::opening).empty());
    EXPECT_NEAR(run.seen.times(EventKind::opening)[0], lift, 2.0 * h);
    EXPECT_NEAR(run.state.q[0], expected, 0.05 * h);
  }
}

TEST(MoreauMoving, BooksTheWorkOfSurfacesAndSupports) {
  // The work of a table and a spinning hole is external work; only friction and impacts dissipate.
  const Table table;
  const Outcome shaken = runMoreau(table.under(Rigid{1.0}), stateOf({0.05}, {0.0}), 1.0, 1e-3);
  EXPECT_NEAR(shaken.report.energy.damping, 0.0, 1e-12);  // e = 1: no dissipation
  EXPECT_GT(std::abs(shaken.report.energy.external), 0.1);
  // 1 kg on a spring of 2e4 N/m in a spinning hole: mu N = 2 N moves the mass aside, N = 10 N at the bottom.
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector{{2e4, 0.0}}, Matrix::Zero(2, 2), true);
  Contact contact = test::contactOf(2, kHole, Rigid{0.0}, Coulomb{0.2, 0.2});
  contact.rows.leftCols(2) = Matrix::Identity(3, 2);
  contact.surfaceSpin.push_back({TimeFunction::constant(50.0)});
  parts.contacts.push_back(contact);
  pull(parts, 1, -10.0);
  const double end = 0.02;
  const Outcome run = runMoreau(parts, stateOf({0.0, -1.0}, {0.0, 0.0}), end, 1e-5);
  // Stiffness N/R in addition to the spring.
  const double stiffness = 2e4 + 10.0, freq = std::sqrt(stiffness);
  EXPECT_NEAR(run.state.q[0], 2.0 / stiffness * (1.0 - std::cos(freq * end)), 2e-9);
  EXPECT_NEAR(run.report.energy.external, run.report.energy.friction + 2.0 * run.state.q[0], 1e-6);
  // N exceeds 10 N by x'^2/R, up to 2e-4 N.
  EXPECT_NEAR(run.report.energy.friction, 2.0 * (50.0 * end - run.state.q[0]), 0.2 * 2e-4 * 50.0 * end);
}

}  // namespace
}  // namespace ricochet
