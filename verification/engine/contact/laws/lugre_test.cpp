// LuGre's law of bristles against closed forms, and the order of its integration.

#include "engine/contact/laws/lugre.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kPressing = 100.0;  // N [N]

LuGre law(double damping = 0.0, double viscous = 0.0) {
  LuGre made;
  made.muStatic = 0.3;
  made.muDynamic = 0.2;
  made.stiffness = 1e5;
  made.damping = damping;
  made.viscous = viscous;
  made.stribeckSpeed = 1e-3;
  return made;
}

/// Limit function g(v) of this law [N].
double frictionLimitAt(double v) { return kPressing * (0.2 + 0.1 * std::exp(-std::pow(v / 1e-3, 2))); }

struct Slide {
  double traction{0.0}, dissipated{0.0};
};

/// Moves along tangent 1 from rest with undeflected bristles, in equal steps, under constant N.
Slide slideFromRest(const LuGre& law, double duration, int steps, const std::function<double(double)>& place,
                    const std::function<double(double)>& rate) {
  FrictionMemory<double> memory{
      .anchorForce = {}, .anchorPosition = {place(0.0), 0.0}, .direction = {}, .slipping = true};
  Slide slide;
  double before =
      law.computeTrial<double>(
             {.position = {place(0.0), 0.0}, .slipRate = {rate(0.0), 0.0}, .compression = kPressing}, memory)
          .traction.first;
  for (int i = 1; i <= steps; ++i) {
    const double t = duration * i / steps;
    FrictionKinematics<double> k{.position = {place(t), 0.0},
                                 .slipRate = {rate(t), 0.0},
                                 .compression = kPressing,
                                 .compressionRate = 0.0};
    k.elapsed = duration / steps;
    const FrictionTrial<double> trial = law.computeTrial<double>(k, memory);
    const double stored = law.storedEnergy<double>(k, trial.next) - law.storedEnergy<double>(k, memory);
    slide.dissipated -=
        0.5 * (before + trial.traction.first) * (place(t) - memory.anchorPosition.first) + stored;
    before = slide.traction = trial.traction.first;
    memory = trial.next;
  }
  return slide;
}

/// z = g/sigma_0 (1 - exp(-sigma_0 v t/g)) at a constant speed for any step, because the exponential is
/// exact.
TEST(LuGreLaw, IsExactAtConstantSpeed) {
  const LuGre with = law(20.0, 0.4);
  for (const double v : {1e-5, 3e-4, 2e-3, 0.5})
    for (const int steps : {1, 7, 400}) {
      const double duration = 1.5 * frictionLimitAt(v) / (with.stiffness * v);
      const double kept = std::exp(-1.5);
      const double exact = -frictionLimitAt(v) * (1.0 - kept) - 20.0 * v * kept - 0.4 * v;
      const Slide slide = slideFromRest(
          with, duration, steps, [v](double t) { return v * t; }, [v](double) { return v; });
      EXPECT_NEAR(slide.traction, exact, 1e-11 * std::abs(exact)) << v << ' ' << steps;
    }
}

/// After a long slide T = -(g(v) + sigma_2 v) for every sigma_1.
TEST(LuGreLaw, SlidesByStribecksCurve) {
  for (const double v : {1e-4, 1e-3, 0.02}) {
    const double duration = 40.0 * frictionLimitAt(v) / (1e5 * v);
    const Slide slide = slideFromRest(
        law(30.0, 2.0), duration, 100, [v](double t) { return v * t; }, [v](double) { return v; });
    EXPECT_NEAR(slide.traction, -frictionLimitAt(v) - 2.0 * v, 1e-12 * kPressing) << v;
  }
}

/// Far below the limit the bristles are a spring: T = -sigma_0 x (1 - sigma_0 x/(2 g) ...).
TEST(LuGreLaw, IsASpringBeforeItSlides) {
  const double x = 1e-9, v = 1e-6;
  const Slide slide = slideFromRest(
      law(), x / v, 50, [v](double t) { return v * t; }, [v](double) { return v; });
  EXPECT_NEAR(slide.traction, -1e5 * x, 1e5 * x * (1e5 * x / frictionLimitAt(v)));
}

/// In an alternating motion, halving the step divides the error by four; steps end where the slip reverses,
/// at which |v| has a kink.
TEST(LuGreLaw, IsOfSecondOrder) {
  constexpr double kAmplitude = 1e-3, kOmega = 20.0;
  const double duration = 1.3 * 2.0 * std::numbers::pi / kOmega;
  const auto after = [&](int steps) {
    return slideFromRest(
        law(), duration, steps, [](double t) { return kAmplitude * std::sin(kOmega * t); },
        [](double t) { return kAmplitude * kOmega * std::cos(kOmega * t); });
  };
  const double coarse = after(1300).traction, middle = after(2600).traction, fine = after(5200).traction;
  EXPECT_NEAR(std::log2((coarse - middle) / (middle - fine)), 2.0, 0.1);
}

/// The law is passive: the work done on it is stored in the bristles or dissipated.
TEST(LuGreLaw, Dissipates) {
  const Slide slide = slideFromRest(
      law(5.0, 0.1), 3.0, 30000,
      [](double t) { return 2e-4 * std::sin(7.0 * t) + 1e-4 * std::sin(31.0 * t); },
      [](double t) { return 14e-4 * std::cos(7.0 * t) + 31e-4 * std::cos(31.0 * t); });
  EXPECT_GT(slide.dissipated, 0.0);
}

TEST(LuGreLaw, LetsGoWhereNothingPresses) {
  const FrictionMemory<double> bent{
      .anchorForce = {-5.0, 1.0}, .anchorPosition = {}, .direction = {}, .slipping = true};
  FrictionKinematics<double> k{.position = {1e-4, 0.0}, .slipRate = {0.1, 0.0}, .compression = 0.0};
  k.elapsed = 1e-3;
  const FrictionTrial<double> trial = law().computeTrial<double>(k, bent);
  EXPECT_EQ(trial.traction.first, 0.0);
  EXPECT_EQ(trial.next.anchorForce.first, 0.0);
}

/// When the contact opens, N falls to zero faster than the bristles relax.
TEST(LuGreLaw, HoldsNoMoreThanWhatPresses) {
  constexpr double kSpeed = 0.05, kDuration = 1e-3, kDamping = 20.0;
  constexpr int kSteps = 2000;
  const LuGre bristles = law(kDamping);
  FrictionMemory<double> memory{
      .anchorForce = {-0.2 * kPressing, 0.0}, .anchorPosition = {}, .direction = {}, .slipping = true};
  for (int i = 1; i < kSteps; ++i) {
    FrictionKinematics<double> k{.position = {kSpeed * kDuration * i / kSteps, 0.0},
                                 .slipRate = {kSpeed, 0.0},
                                 .compression = kPressing * (1.0 - static_cast<double>(i) / kSteps),
                                 .compressionRate = -kPressing / kDuration};
    k.elapsed = kDuration / kSteps;
    const FrictionTrial<double> trial = bristles.computeTrial<double>(k, memory);
    const double held = 0.3 * k.compression;
    ASSERT_LE(std::abs(trial.next.anchorForce.first), held * (1.0 + 1e-12));
    // Relative difference mu_s/mu_d - 1.
    ASSERT_LE(std::abs(trial.traction.first), held + kDamping * kSpeed * 0.5 + 1e-9);
    memory = trial.next;
  }
}

}  // namespace
}  // namespace ricochet
