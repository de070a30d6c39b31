// Contact areas in runs: problems of friction.md 4 and 5 with whole contacts instead of the laws alone.

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/contact_tangent.hpp"
#include "engine/study/run_transient.hpp"
#include "verification/support/models.hpp"
#include "verification/support/patches.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace ricochet {
namespace {

using patch::PatchShape;
using test::kUndropped;
using test::ModelParts;

/// A body of mass 1 on an area pressed by 1 N, mu = 1: x, y and the angle times sqrt(inertia).
ModelParts bodyOnArea(PatchLaw law, double inertia, double stiffness, Vector frequencies = Vector::Zero(3)) {
  PatchFriction friction;
  friction.muStatic = friction.muDynamic = 1.0;
  friction.stiffness = stiffness;
  Contact contact = test::contactOf(3, NoObstacle{}, ImposedForce{}, friction);
  contact.imposedForce = TimeFunction::constant(1.0);
  contact.rows(1, 0) = contact.rows(2, 1) = 1.0;
  contact.spinRow = Eigen::RowVectorXd::Zero(3);
  contact.spinRow[2] = 1.0 / std::sqrt(inertia);
  contact.patch = std::make_shared<const PatchLaw>(std::move(law));
  return {LinearSystem(frequencies, Matrix::Zero(3, 3), true), {}, {contact}};
}

template <class Kernel>
PatchLaw axialLaw(const Kernel& kernel, double meanSquare, double stiffness) {
  return {AxialArea<Kernel>(kernel, stiffness, meanSquare), kUndropped};
}

State movingState(double inertia, double V, double spin) {
  State s(3);
  s.v[0] = V;
  s.v[2] = spin * std::sqrt(inertia);
  return s;
}

/// Ratio V over omega of a disc that stops from V = 1, omega = 2. The laws have no intrinsic speed: whenever
/// most of the speed is lost, the run is restarted with the same ratio and omega = 1.
template <class Kernel>
double ratioAtStop(const Kernel& kernel, int rounds) {
  constexpr double kInertia = 0.5, kStiffness = 1e9;
  const ModalModel model = bodyOnArea(axialLaw(kernel, 0.5, kStiffness), kInertia, kStiffness).build();
  double V = 1.0, spin = 2.0;
  for (int i = 0; i < rounds; ++i) {
    const patch::AxialResponse r = kernel.response(V, spin);
    const double end = 0.8 * std::min(V / r.X, kInertia * spin / r.M);
    const State s =
        test::runModel(model, "kick_drift", movingState(kInertia, V, spin), {.end = end, .step = 2e-5}).state;
    V = s.v[0] / (s.v[2] / std::sqrt(kInertia));
    spin = 1.0;
  }
  return V;
}

TEST(PatchContact, SpeedsOfAStoppingDiscTendToTheirRatio) {
  // Roots of kappa X(d)/d = M(d) in the reference; the ratio approaches them as a power of the speed.
  const patch::PatchMoments m = patch::ExactPatch(PatchShape{}).moments();
  EXPECT_NEAR(ratioAtStop(patch::UniformDisc{}, 10), 0.6530017892, 1e-4);
  EXPECT_NEAR(ratioAtStop(patch::PadeKernel::fromMoments(m), 24), 0.0542396539, 1e-4);
}

TEST(PatchContact, FrictionOnlyTakesEnergy) {
  const patch::PatchMoments m = patch::ExactPatch(PatchShape{}).moments();
  constexpr double kStiffness = 1e5;
  const auto check = [&](const PatchLaw& law, const char* name) {
    const ModalModel model = bodyOnArea(law, 0.5, kStiffness, Vector::Constant(3, 4.0)).build();
    const auto outcome = test::runModel(model, "kick_drift", movingState(0.5, 1.0, 2.0),
                                        {.end = 3.0, .step = 1e-4, .archiveEvery = 1});
    EXPECT_LT(outcome.report.energyError, 1e-6) << name;
    double before = 0.0, most = 0.0;
    for (const auto& row : outcome.seen.rows) {
      most = std::max(most, before - row.ledger.friction);
      before = row.ledger.friction;
    }
    EXPECT_LT(most, 1e-12) << name;  // rounding of the sum
    EXPECT_GT(before, 0.5) << name;
  };
  check(axialLaw(patch::UniformDisc{}, 0.5, kStiffness), "exact");
  check(axialLaw(patch::AxialPotential::fromMoments(m), 0.5, kStiffness), "potential");
  check(axialLaw(patch::PadeKernel::fromMoments(m), 0.5, kStiffness), "pade");
  check(axialLaw(patch::LinearKernel::fromMoments(m), 0.5, kStiffness), "linear_fractional");
  check({BristleArea(patch::bristlePointsAboutPressureCentre({}, 4, 16), kStiffness), kUndropped}, "bristle");
}

TEST(PatchContact, SmallAreaIsAPoint) {
  constexpr double kStiffness = 1e6, kRadius = 1e-7;
  ModelParts area = bodyOnArea(axialLaw(patch::UniformDisc{kRadius}, 0.5 * kRadius * kRadius, kStiffness),
                               1.0, kStiffness, Vector::Constant(3, 9.0));
  ModelParts point = area;
  point.contacts[0].friction = RegularisedCoulomb{1.0, 1.0, kStiffness, 0.0};
  point.contacts[0].patch = nullptr;
  State start(3);
  start.q[0] = 1.0;  // at rest, where both runs anchor their springs
  const TransientOptions options{.end = 3.0, .step = 1e-4};
  const State a = test::runModel(area.build(), "kick_drift", start, options).state;
  const State b = test::runModel(point.build(), "kick_drift", start, options).state;
  EXPECT_NEAR(a.q[0], b.q[0], 1e-6);  // difference of slip from rates and from positions: mu N/k = 1e-6 m
  EXPECT_NEAR(a.v[0], b.v[0], 1e-3);  // effect of this difference on the stick's spring: mu N/sqrt(k m)
}

TEST(PatchContact, StickDoesNotCreep) {
  // A force and a moment below the limit, applied and removed 200 times: the anchor of the bed does not move
  // by a bit.
  constexpr double kStiffness = 1e4;
  constexpr std::array<std::string_view, 1> kTime{"t"};
  const auto hooked = [&](const PatchLaw& law) {
    ModelParts parts = bodyOnArea(law, 0.5, kStiffness);
    Vector push = Vector::Zero(3);
    push[0] = 0.3;
    push[2] = 0.05;
    parts.loads.push_back({push, TimeFunction::formula(Formula::parse("sin(31.4*t)", kTime))});
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    State s(3);
    test::Recorder seen;
    run("kick_drift", equation, s, {.end = 40.0, .step = 1e-3}, seen);
    const AreaMemory memory = equation.contacts().acceptedAreaState(0).memory;
    EXPECT_FALSE(memory.yielding);
    return std::abs(memory.position.first) + std::abs(memory.spin) + std::abs(memory.wrench.force.first) +
           std::abs(memory.wrench.moment);
  };
  EXPECT_EQ(hooked(axialLaw(patch::UniformDisc{}, 0.5, kStiffness)), 0.0);
  EXPECT_EQ(hooked({BristleArea(patch::bristlePointsAboutPressureCentre({}, 4, 16), kStiffness), kUndropped}),
            0.0);
}

TEST(PatchContact, TangentIsTheSlopeOfTheWrench) {
  constexpr double kStiffness = 1e3, kStep = 1e-6;
  const patch::PatchMoments m = patch::ExactPatch(PatchShape{}).moments();
  std::vector<PatchLaw> laws;
  laws.push_back(axialLaw(patch::UniformDisc{}, 0.5, kStiffness));
  laws.push_back(axialLaw(patch::AxialPotential::fromMoments(m), 0.5, kStiffness));
  laws.push_back({AxialArea<patch::HertzDisc>({}, kStiffness, 0.4), kUndropped, AreaSize{1e-3, 1.0}});
  laws.push_back({BristleArea(patch::bristlePointsAboutPressureCentre({}, 3, 7), kStiffness), kUndropped});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const PatchLaw& law : laws)
    for (int i = 0; i < 60; ++i) {
      const double large = i % 2 == 0 ? 1.0 : 1e-4;  // slip, then stick
      AreaMotion now{{0.01 * large * any(random), 0.01 * large * any(random)},
                     0.01 * large * any(random),
                     {large * any(random), large * any(random)},
                     large * any(random),
                     2.0 + any(random),
                     1e-2,
                     0.0};
      AreaMemory memory;
      memory.slipping = i % 4 == 0;
      const std::vector<Bristle> accepted(law.bristleCount(), Bristle{{}, memory.slipping});
      std::vector<Bristle> next(accepted.size());
      const AreaTangent tangent = law.tangentMatrix(now, memory, accepted);
      const auto wrenchAt = [&](const AreaMotion& at) {
        return wrenchComponents(law.computeTrial(at, memory, accepted, next).wrench);
      };
      std::array<double*, 7> inputs{&now.position.first, &now.position.second, &now.spin,
                                    &now.rate.first,     &now.rate.second,     &now.spinRate,
                                    &now.compression};
      for (std::size_t j = 0; j < inputs.size(); ++j) {
        const double step = kStep * (j < 6 ? large : 1.0), middle = *inputs[j];
        *inputs[j] = middle + step;
        const auto ahead = wrenchAt(now);
        *inputs[j] = middle - step;
        const auto behind = wrenchAt(now);
        *inputs[j] = middle;
        for (std::size_t row = 0; row < 3; ++row) {
          const double slope = (ahead[row] - behind[row]) / (2.0 * step);
          const double given = j < 3   ? tangent.byPosition[row][j]
                               : j < 6 ? tangent.byRate[row][j - 3]
                                       : tangent.byCompression[row];
          // Differences over 1e-6 have the rounding error 1e-9 of the wrench and an error by curvature; the
          // derivative of bristles neglects the rotation of the rate of a point with the spin.
          const double slack = law.bristleCount() > 0 && j == 2 ? 0.05 * kStiffness : 1e-4 * kStiffness;
          EXPECT_NEAR(given, slope, slack) << "input " << j << " row " << row << " case " << i;
        }
      }
    }
}

}  // namespace
}  // namespace ricochet
