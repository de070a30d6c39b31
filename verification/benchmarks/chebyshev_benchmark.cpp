// Times of the parts of a long step (propagator for many modes) on the tube, once the tables exist. The state
// is that of a swinging tube, whose modal energies fall with the fourth power of the wave number.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"
#include "verification/support/models.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace ricochet {
namespace {

const VolterraBasis& basis() {
  static const VolterraBasis kBasis(16, 32);
  return kBasis;
}

constexpr double kPhase = 8.5;  // omega_max h

/// The tube on the springs of closed and sticking contacts, under its four loads.
class Step {
 public:
  Step(int modes, int closed)
      : parts_(test::tube({.modes = modes, .stations = stations(closed)})),
        h_(kPhase / std::sqrt(parts_.linear.omegaSquared.maxCoeff())),
        expansion_(basis(), parts_.linear, kMostChannels, kMostChannels) {
    const Eigen::Index size = parts_.linear.omegaSquared.size();
    q_ = v_ = qEnd_ = vEnd_ = Vector::Zero(size);
    rows_ = Matrix::Zero(size, kMostChannels);
    for (Eigen::Index j = 0; j < modes; ++j) {
      const auto wave = static_cast<double>(j / 2 + 1);
      const double size4 = 0.2 / std::pow(wave, 4);
      q_[j] = size4 * std::sin(1.0 + 3.7 * static_cast<double>(j)) / std::sqrt(parts_.linear.omegaSquared[j]);
      v_[j] = size4 * std::cos(1.0 + 3.7 * static_cast<double>(j));
    }
    for (const Load& load : parts_.loads) keep(load.shape);
    for (const Contact& contact : parts_.contacts) {
      keep(contact.rows.row(0).transpose());
      keep(contact.rows.row(2).transpose());
    }
    expansion_.setStepLength(h_);
  }

  /// Sets the channels of a step as an event scheme does.
  void set() {
    expansion_.reset();
    for (int c = 0; c < count_; ++c) {
      const bool load = c < static_cast<int>(parts_.loads.size());
      const bool normal = c % 2 == 0;
      const double stiffness = load ? 0.0 : normal ? 1e6 : 1e5;  // [N/m]
      expansion_.addForce({.row = rows_.col(c).data(),
                           .stiffness = stiffness,
                           .damping = 0.0,
                           .follows = -1,
                           .followsConstraint = false,
                           .factor = 0.0,
                           .watched = false});
      for (double& each : expansion_.givenForce(c)) each = load ? 10.0 + c : 1e-4 * stiffness;
    }
  }

  int expand() { return expansion_.solveForcesAndMotion(q_, v_); }
  void end() { expansion_.evaluateMotionAtStepEnd(qEnd_, vEnd_); }
  void evaluate(double part) { expansion_.evaluate(part * h_, qEnd_, vEnd_); }
  ChebyshevExpansion& expansion() { return expansion_; }
  const LinearSystem& linear() const { return parts_.linear; }
  double h() const { return h_; }
  const double* row(int c) const { return rows_.col(c).data(); }
  int count() const { return count_; }

 private:
  static constexpr int kMostChannels = 20;
  static std::vector<double> stations(int closed) {
    return closed == 0 ? std::vector<double>{} : test::positionsOfTubeSlots(closed);
  }
  void keep(const Vector& row) { rows_.col(count_++).head(row.size()) = row; }

  test::ModelParts parts_;
  double h_;
  ChebyshevExpansion expansion_;
  Matrix rows_;
  int count_{0};
  Vector q_, v_, qEnd_, vEnd_;
};

Step stepOf(const benchmark::State& bench) {
  return {static_cast<int>(bench.range(0)), static_cast<int>(bench.range(1))};
}

/// Times the channels, the forces and the state at the end.
void computeWholeStep(benchmark::State& bench) {
  Step step = stepOf(bench);
  int sweeps = 0;
  for (auto _ : bench) {
    step.set();
    sweeps = step.expand();
    step.end();
    benchmark::ClobberMemory();
  }
  bench.counters["sweeps"] = sweeps;
}

void expand(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  for (auto _ : bench) {
    benchmark::DoNotOptimize(step.expand());
    benchmark::ClobberMemory();
  }
}

void end(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  step.expand();
  for (auto _ : bench) {
    step.end();
    benchmark::ClobberMemory();
  }
}

void evaluate(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  step.expand();
  double part = 0.0;
  for (auto _ : bench) {
    part = part < 0.9 ? part + 0.0618 : 0.03;
    step.evaluate(part);
    benchmark::ClobberMemory();
  }
}

/// Displacements at the points of a row on which no force acts.
void timeDisplacementsAlongRow(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  step.expand();
  Vector values(basis().pointCount());
  const Vector row = Eigen::Map<const Vector>(step.row(0), step.linear().omegaSquared.size());
  const int number = step.expansion().findOrAddRow(row.data());
  for (auto _ : bench) {
    step.expansion().motionValuesAlongRow(number, {values.data(), static_cast<std::size_t>(values.size())});
    benchmark::ClobberMemory();
  }
}

void timeReach(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  step.expand();
  const Vector row = Eigen::Map<const Vector>(step.row(0), step.linear().omegaSquared.size());
  const int number = step.expansion().findOrAddRow(row.data());
  for (auto _ : bench) {
    step.expand();
    for (int i = 0; i < 10; ++i)
      benchmark::DoNotOptimize(step.expansion().displacementBoundsAlongRow(number));
  }
}

void remainders(benchmark::State& bench) {
  Step step = stepOf(bench);
  step.set();
  step.expand();
  const Vector row = Eigen::Map<const Vector>(step.row(0), step.linear().omegaSquared.size());
  const int number = step.expansion().findOrAddRow(row.data());
  for (auto _ : bench)
    benchmark::DoNotOptimize(step.expansion().freeMotionInterpolationError(number) +
                             step.expansion().forcedMotionInterpolationError(number));
}

void bounds(benchmark::State& bench) {
  const Step step(static_cast<int>(bench.range(0)), 0);
  for (auto _ : bench) {
    const VolterraBounds made(basis(), step.linear(), step.h());
    benchmark::DoNotOptimize(made.largestDisplacementUnderUnitForce().data());
  }
}

void forcedRemainders(benchmark::State& bench) {
  const Step step(static_cast<int>(bench.range(0)), 0);
  const VolterraBounds made(basis(), step.linear(), step.h());
  for (auto _ : bench)
    benchmark::DoNotOptimize(made.forcedMotionInterpolationError(basis(), step.linear()).data());
}

void pair(benchmark::State& bench) {
  constexpr int kRows = 64;
  const Step step(static_cast<int>(bench.range(0)), 2);
  const Vector row = Eigen::Map<const Vector>(step.row(0), step.linear().omegaSquared.size());
  const ModalWaves waves(step.linear());
  const std::vector<PlaneRow> rows(kRows, {row.data(), {0, row.size()}});
  VolterraLevel level(basis(), step.linear(), waves, step.h(), kRows);
  int a = 0, b = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(level.responseMatrixOfRowPair(Answer::displacement, rows, a, b));
    if (++b < kRows) continue;
    b = ++a;
    if (a < kRows) continue;
    bench.PauseTiming();
    level = VolterraLevel(basis(), step.linear(), waves, step.h(), kRows);
    a = b = 0;
    bench.ResumeTiming();
  }
}

void tables(benchmark::State& bench) {
  const Step step(static_cast<int>(bench.range(0)), 0);
  const ModalWaves waves(step.linear());
  for (auto _ : bench) {
    const VolterraTables made(basis(), step.linear(), waves, step.h());
    benchmark::DoNotOptimize(made.responsesToUnitDisplacement().data());
  }
}

void universal(benchmark::State& bench) {
  for (auto _ : bench) {
    const VolterraBasis made(16, 32);
    benchmark::DoNotOptimize(made.valuesToChebyshevMatrix().data());
  }
}

void everywhere(benchmark::internal::Benchmark* each) {
  each->ArgNames({"m", "closed"})->ArgsProduct({{50, 200}, {0, 2, 6}});
}
BENCHMARK(computeWholeStep)->Name("chebyshev/step")->Apply(everywhere);
BENCHMARK(expand)->Name("chebyshev/expand")->Apply(everywhere);
BENCHMARK(end)->Name("chebyshev/end")->Apply(everywhere);
BENCHMARK(evaluate)->Name("chebyshev/evaluate")->Apply(everywhere);
BENCHMARK(timeDisplacementsAlongRow)->Name("chebyshev/along")->Apply(everywhere);
BENCHMARK(timeReach)->Name("chebyshev/expand_and_10_reaches")->Apply(everywhere);
BENCHMARK(remainders)->Name("chebyshev/remainders")->Apply(everywhere);
BENCHMARK(pair)->Name("chebyshev/pair")->ArgName("m")->Arg(50)->Arg(200);
BENCHMARK(tables)->Name("chebyshev/tables")->ArgName("m")->Arg(50)->Arg(200);
BENCHMARK(bounds)->Name("chebyshev/bounds")->ArgName("m")->Arg(50)->Arg(200);
BENCHMARK(forcedRemainders)->Name("chebyshev/bounds_of_forces")->ArgName("m")->Arg(50)->Arg(200);
BENCHMARK(universal)->Name("chebyshev/universal");

}  // namespace
}  // namespace ricochet
