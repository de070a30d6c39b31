// Cost of one evaluation of friction on a contact area for each law, relative to Coulomb friction of a point.
// 1024 twists and trials are drawn beforehand, so that the processor cannot predict the branches.

#include "engine/contact/areas/fields/axial_stick.hpp"
#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "verification/benchmarks/relative_time.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

namespace ricochet::patch {
namespace {

constexpr std::size_t kTwists = 1024;

const std::vector<Twist<double>>& twists() {
  static const std::vector<Twist<double>> all = [] {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<Twist<double>> made;
    for (std::size_t i = 0; i < kTwists; ++i)
      made.push_back({{normal(random), normal(random)}, 2.0 * normal(random)});
    return made;
  }();
  return all;
}

const PatchMoments kDisc = PatchMoments::forAxisymmetricPatch(2.0 / 3.0, 0.25, 1.0);

PatchShape ellipse(Pressure pressure) {
  PatchShape shape;
  shape.outline = Outline::ellipse;
  shape.pressure = pressure;
  shape.halfSides = {1.0, 0.5};
  return shape;
}

PatchShape rectangle() {
  PatchShape shape;
  shape.outline = Outline::rectangle;
  shape.halfSides = {1.0, 0.5};
  return shape;
}

/// Coulomb friction of a sliding point: the trial of the regularised law, with its memory.
void pointCoulomb(benchmark::State& bench) {
  const RegularisedCoulomb law{0.3, 0.2, 1e3, 0.0};
  std::vector<FrictionKinematics<double>> all;
  for (const Twist<double>& q : twists()) all.push_back({q.sliding, q.sliding, 1.0, 0.0, {}});
  std::size_t i = 0;
  for (auto _ : bench) {
    const FrictionTrial<double> trial = law.computeTrial(all[i], FrictionMemory<double>{});
    benchmark::DoNotOptimize(trial);
    i = (i + 1) % kTwists;
  }
}
BENCHMARK(pointCoulomb);

template <class L>
void evaluate(benchmark::State& bench, const L& law) {
  std::size_t i = 0;
  for (auto _ : bench) {
    const Wrench<double> w = law.wrench(twists()[i]);
    benchmark::DoNotOptimize(w);
    i = (i + 1) % kTwists;
  }
}
BENCHMARK_CAPTURE(evaluate, potential_axial, AxialPotential::fromMoments(kDisc));
BENCHMARK_CAPTURE(evaluate, potential_any, Potential(kDisc));
BENCHMARK_CAPTURE(evaluate, pade, Pade(kDisc));
BENCHMARK_CAPTURE(evaluate, linear_fractional, LinearFractional(kDisc));
BENCHMARK_CAPTURE(evaluate, exact_disc, Axial<UniformDisc>{});
BENCHMARK_CAPTURE(evaluate, exact_ring, Axial<Ring>{});
BENCHMARK_CAPTURE(evaluate, exact_hertz_disc, Axial<HertzDisc>{});
BENCHMARK_CAPTURE(evaluate, exact_rectangle, ExactPatch(rectangle()));
BENCHMARK_CAPTURE(evaluate, exact_ellipse, ExactPatch(ellipse(Pressure::uniform)));
BENCHMARK_CAPTURE(evaluate, exact_hertz_ellipse, ExactPatch(ellipse(Pressure::hertz)));
BENCHMARK_CAPTURE(evaluate, bristle_4x16,
                  BristlePatch(bristlePointsAboutPressureCentre(PatchShape{}, 4, 16)));
BENCHMARK_CAPTURE(evaluate, bristle_8x32,
                  BristlePatch(bristlePointsAboutPressureCentre(PatchShape{}, 8, 32)));

/// Stick by return mapping: every trial is outside of the limit, the worst case.
template <class K>
void stick(benchmark::State& bench, const K& kernel) {
  const AxialStick<K> law{kernel, ElasticBed::fromMoments(1e3, kDisc), {0.3, 0.2, 0.0}};
  std::size_t i = 0;
  for (auto _ : bench) {
    const StickTrial trial = law.computeTrial({}, twists()[i], 1.0, 1e-3);
    benchmark::DoNotOptimize(trial);
    i = (i + 1) % kTwists;
  }
}
BENCHMARK_CAPTURE(stick, potential, AxialPotential::fromMoments(kDisc));
BENCHMARK_CAPTURE(stick, exact_disc, UniformDisc{});
BENCHMARK_CAPTURE(stick, pade, PadeKernel::fromMoments(kDisc));

/// Time of the potential over the time of point Coulomb friction, both measured alternately.
void comparePotentialWithPoint(benchmark::State& bench) {
  const RegularisedCoulomb point{0.3, 0.2, 1e3, 0.0};
  const AxialPotential law = AxialPotential::fromMoments(kDisc);
  std::size_t i = 0, j = 0;
  double ratio = 0.0;
  for (auto _ : bench)
    ratio = test::relativeTime(
        [&] {
          for (int n = 0; n < 1000; ++n) {
            const Wrench<double> w = law.wrench(twists()[i++ % kTwists]);
            benchmark::DoNotOptimize(w);
          }
        },
        [&] {
          for (int n = 0; n < 1000; ++n) {
            const Twist<double>& q = twists()[j++ % kTwists];
            const FrictionTrial<double> trial = point.computeTrial(
                FrictionKinematics<double>{q.sliding, q.sliding, 1.0, 0.0, {}}, FrictionMemory<double>{});
            benchmark::DoNotOptimize(trial);
          }
        });
  bench.counters["ratio"] = ratio;
}
BENCHMARK(comparePotentialWithPoint)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ricochet::patch
