// Bodies that slide to rest on contact areas, by contacts and the adaptive scheme, for every row of the
// reference table.

#include "engine/contact/areas/patch_law.hpp"
#include "verification/support/models.hpp"
#include "verification/support/patches.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ricochet {
namespace {

using patch::PatchMoments;
using test::TableRow;

/// Calls with the kernel of a law of the reference files, and the moments of the area.
template <class Call>
void callWithKernel(const TableRow& row, const Call& call) {
  const patch::ExactPatch exact(test::patchShapeNamed(row.words[0]));
  const PatchMoments& m = exact.moments();
  const std::string& law = row.words[1];
  if (law == "exact")
    std::visit([&](const auto& each) { call(each.kernel, m); }, *exact.axisymmetricFieldOrNull());
  if (law == "pade_q") call(patch::PadeKernel::fromMoments(m), m);
  if (law == "pade_lin") call(patch::LinearKernel::fromMoments(m), m);
  if (law == "pot6") call(patch::AxialPotential::fromMoments(m), m);
}

/// A body of mass 1 with this inertia on an area pressed by 1 N, mu = 1, on an elastic bed so stiff that its
/// deflection, 1e-12 m, and the time of its release, sqrt(m/k) = 1e-6 s, are below the compared digits.
template <class Kernel>
ModalModel bodyOn(const Kernel& kernel, const PatchMoments& m, double inertia) {
  constexpr double kStiffness = 1e12;
  PatchFriction friction;
  friction.muStatic = friction.muDynamic = 1.0;
  friction.stiffness = kStiffness;
  Contact contact = test::contactOf(3, NoObstacle{}, ImposedForce{}, friction);
  contact.imposedForce = TimeFunction::constant(1.0);
  contact.rows(1, 0) = contact.rows(2, 1) = 1.0;
  contact.spinRow = Eigen::RowVectorXd::Zero(3);
  contact.spinRow[2] = 1.0 / std::sqrt(inertia);
  contact.patch = std::make_shared<const PatchLaw>(AxialArea<Kernel>(kernel, kStiffness, m.J.xx + m.J.yy),
                                                   test::kUndropped);
  return test::ModelParts{LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true), {}, {contact}}.build();
}

TEST(PatchTable, AdaptiveRunsStopWhereAndWhenTheReferenceDoes) {
  int runs = 0;
  for (const TableRow& row : test::readTable("patch_free_stop.csv", 2))
    callWithKernel(row, [&](const auto& kernel, const PatchMoments& m) {
      const std::vector<double>& n = row.numbers;
      const double inertia = n[0], V = n[1], spin = n[2], time = n[3];
      State start(3);
      start.v[0] = V;
      start.v[2] = spin * std::sqrt(inertia);
      TransientOptions options{.end = time * (1.0 + 3e-6), .step = 1e-3, .archiveEvery = 1000000};
      options.scheme.relativeTolerance = 1e-10;
      options.scheme.absoluteTolerance = 1e-16;
      const test::Outcome outcome = test::runModel(bodyOn(kernel, m, inertia), "rk54", start, options);
      const std::string where =
          row.words[0] + " " + row.words[1] + " V0 " + std::to_string(V) + " w0 " + std::to_string(spin);
      const std::vector<double> stops = outcome.seen.times(EventKind::slipToStick);
      ASSERT_FALSE(stops.empty()) << where;
      EXPECT_NEAR(stops[0] / time, 1.0, 1e-6) << where;
      EXPECT_NEAR(outcome.state.q[0] / n[4], 1.0, 1e-8) << where;  // required tolerance: 1e-6
      EXPECT_NEAR(outcome.state.q[2] / std::sqrt(inertia) / n[5], 1.0, 1e-8) << where;
      ++runs;
    });
  EXPECT_EQ(runs, 96);
}

}  // namespace
}  // namespace ricochet
