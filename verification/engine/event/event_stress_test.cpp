// A hundred thousand shoes with stick and slip compared with their exact solutions: no wrong result, no
// endless loop, no missed event.

#include "engine/study/run_transient.hpp"
#include "engine/transient/transient.hpp"
#include "verification/support/shoe.hpp"
#include "verification/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

#ifdef NDEBUG
const int kVariants = test::variants(20'000, 100'000);
#else
const int kVariants = 2'000;  // these runs are slow with the sanitizers
#endif

constexpr double kAgreement = 1e-9;  // relative
constexpr double kTypical = 1e-10;

/// Records the events and stops a run that does not end.
class StressWitness : public TransientObserver {
 public:
  std::vector<Event> found;
  void archive(const StepView&) override {}
  void onEvents(std::span<const Event> events) override {
    found.insert(found.end(), events.begin(), events.end());
  }
  bool onProgress(double, long long steps) override { return steps < 100'000; }
};

/// Result of the engine for a shoe.
struct Run {
  Report report;
  std::array<double, 2> x{}, v{};
  std::vector<Event> found;
};
Run runShoe(const test::Shoe& shoe) {
  const ModalModel model = test::shoeParts(shoe).build();
  ModalEquation equation(model);
  State state(2);
  const Vector second = test::modeShapeOfShoeMass(shoe, 2);
  state.v.head(2) = shoe.m2 * shoe.firstSpeed * second;
  StressWitness witness;
  Run run;
  run.report = ricochet::run(kEventScheme, equation, state,
                             {.end = shoe.end, .step = shoe.end, .archiveEvery = 1 << 30}, witness);
  for (std::size_t i = 0; i < 2; ++i) {
    const Vector shape = test::modeShapeOfShoeMass(shoe, static_cast<int>(i) + 1);
    run.x[i] = shape.dot(state.q.head(2));
    run.v[i] = shape.dot(state.v.head(2));
  }
  run.found = std::move(witness.found);
  return run;
}

/// Largest relative difference of displacements, speeds and instants; infinite if the events differ.
double difference(const test::ShoeSolution& a, const test::ShoeSolution& b) {
  if (a.found.size() != b.found.size()) return std::numeric_limits<double>::infinity();
  const double length = std::max(a.farthest, 1e-300);
  const double speed = std::max(a.fastest, 1e-300);
  double worst = std::max({std::abs(a.x1 - b.x1) / length, std::abs(a.x2 - b.x2) / length,
                           std::abs(a.v1 - b.v1) / speed, std::abs(a.v2 - b.v2) / speed});
  for (std::size_t i = 0; i < a.found.size(); ++i) {
    if (a.found[i].kind != b.found[i].kind) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::abs(a.found[i].time - b.found[i].time) / a.found[i].time);
  }
  return worst;
}

double errorOf(const Run& run, const test::ShoeSolution& exact) {
  const test::ShoeSolution seen{
      .x1 = run.x[0], .x2 = run.x[1], .v1 = run.v[0], .v2 = run.v[1], .found = run.found};
  const double worst = difference(exact, seen);
  return std::isfinite(worst) ? worst : std::numeric_limits<double>::infinity();
}

/// Change of the exact solution when the force, the cone and the end of the force change by a tenth of the
/// tolerance: if this change exceeds the required agreement, the data are too sensitive for a comparison.
double conditioning(const test::Shoe& shoe, const test::ShoeSolution& exact) {
  constexpr double kPerturbation = 1e-13;
  double worst = 0.0;
  for (const double sign : {-1.0, 1.0}) {
    test::Shoe other = shoe;
    other.pull *= 1.0 + sign * kPerturbation;
    worst = std::max(worst, difference(exact, test::solveShoe(other)));
    other = shoe;
    other.normal *= 1.0 + sign * kPerturbation;
    worst = std::max(worst, difference(exact, test::solveShoe(other)));
    other = shoe;
    other.cut *= 1.0 + sign * kPerturbation;
    worst = std::max(worst, difference(exact, test::solveShoe(other)));
  }
  return worst;
}

std::string describe(const test::Shoe& s, const std::vector<Event>& exact, const Run& run) {
  std::ostringstream text;
  text.precision(17);
  text << "{.m1 = " << s.m1 << ", .m2 = " << s.m2 << ", .stiffness = " << s.stiffness
       << ", .normal = " << s.normal << ", .muStatic = " << s.muStatic << ", .muDynamic = " << s.muDynamic
       << ", .pull = " << s.pull << ", .cut = " << s.cut << ", .end = " << s.end
       << ", .firstSpeed = " << s.firstSpeed << ", .askew = " << s.askew << "} status "
       << static_cast<int>(run.report.status);
  for (const auto* list : {&exact, &run.found}) {
    text << (list == &exact ? "\nexact:" : "\nrun:");
    for (const Event& event : *list) text << ' ' << nameOfEventKind(event.kind) << ' ' << event.time;
  }
  return text.str();
}

/// Compares shoes one by one and counts the outcomes.
class Comparison {
 public:
  void compare(const test::Shoe& shoe) {
    const test::ShoeSolution exact = test::solveShoe(shoe);
    const Run run = runShoe(shoe);
    ++compared;
    for (const Event& event : exact.found) ++events[static_cast<std::size_t>(event.kind)];
    const double error = errorOf(run, exact);
    if (run.report.status != RunStatus::complete) {
      ++failed;
    } else if (error <= kAgreement) {
      worst = std::max(worst, error);
      return;
    } else if (error <= 10.0 * conditioning(shoe, exact)) {
      ++undecidable;
      return;
    } else {
      ++wrong;
    }
    constexpr int kShown = 5;
    if (wrong + failed <= kShown) ADD_FAILURE() << describe(shoe, exact.found, run) << "\nerror " << error;
  }

  int compared{0};
  int wrong{0};
  int failed{0};                 // number of runs that did not complete
  int undecidable{0};            // number of models that are sensitive to rounding of the data
  double worst{0.0};             // largest relative error of the other models
  std::array<long, 5> events{};  // by kind
};

/// Parameters near those of SDND106, some shoes with an initial velocity. Times in periods of the free pair.
class RandomShoes {
 public:
  test::Shoe next() {
    test::Shoe shoe;
    shoe.m1 = 5.0 * randomFactor(2.0);
    shoe.m2 = 5.0 * randomFactor(2.0);
    shoe.stiffness = 1e4 * randomFactor(10.0);
    shoe.muStatic = between(0.05, 0.6);
    shoe.muDynamic = random_() % 8 == 0 ? shoe.muStatic : shoe.muStatic * between(0.2, 1.0);
    const double sign = random_() % 2 == 0 ? 1.0 : -1.0;
    shoe.pull = sign * shoe.muStatic * shoe.normal * randomFactor(4.0);
    const double period =
        2.0 * std::numbers::pi / std::sqrt(shoe.stiffness * (1.0 / shoe.m1 + 1.0 / shoe.m2));
    shoe.cut = period * between(0.02, 4.0);
    shoe.end = shoe.cut + period * between(0.0, 4.0);
    if (random_() % 4 == 0)
      shoe.firstSpeed =
          between(-4.0, 4.0) * shoe.muStatic * shoe.normal / std::sqrt(shoe.stiffness * shoe.m2);
    return shoe;
  }
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

 private:
  double randomFactor(double factor) { return std::pow(factor, between(-1.0, 1.0)); }
  std::mt19937_64 random_{106};
};

TEST(EventStress, TheExactSolutionGivesTheReference) {
  // reference/problems/F01_sdnd106.json, 17 digits
  const test::ShoeSolution sliding = test::solveShoe({.end = 0.15});
  EXPECT_DOUBLE_EQ(sliding.x1, 1.3533376608928975);
  EXPECT_DOUBLE_EQ(sliding.x2, 1.8075324661759522);
  EXPECT_DOUBLE_EQ(sliding.v1, 15.786547411035302);
  EXPECT_DOUBLE_EQ(sliding.v2, 20.60504572292271);
  const test::ShoeSolution stuck = test::solveShoe({.end = 0.34});
  EXPECT_DOUBLE_EQ(stuck.x1, 3.9556057734976027);
  EXPECT_DOUBLE_EQ(stuck.x2, 3.9681246343005347);
  ASSERT_EQ(stuck.found.size(), 2U);
  EXPECT_DOUBLE_EQ(stuck.found[0].time, 0.03512407365520363);
  EXPECT_DOUBLE_EQ(stuck.found[1].time, 0.3149232754474865);
}

TEST(EventStress, RandomShoesAgreeWithTheirExactSolutions) {
  RandomShoes shoes;
  Comparison result;
  for (int i = 0; i < kVariants; ++i) result.compare(shoes.next());
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_EQ(result.undecidable, 0);  // a decision within 16 roundings has a probability of 1e-8
  EXPECT_LE(result.worst, kTypical);
  for (const EventKind kind : {EventKind::stickToSlip, EventKind::slipToStick, EventKind::slipReversal})
    EXPECT_GT(result.events[static_cast<std::size_t>(kind)], kVariants / 10) << nameOfEventKind(kind);
}

TEST(EventStress, LongStickSlipAgrees) {
  // After about twenty periods, rounding errors of one event change the next events.
  RandomShoes shoes;
  Comparison result;
  for (int i = 0; i < kVariants / 10; ++i) {
    test::Shoe shoe = shoes.next();
    shoe.cut *= 6.0;
    shoe.end *= 6.0;
    shoe.pull *= 0.4;
    result.compare(shoe);
  }
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_LE(result.undecidable, 0);
}

TEST(EventStress, ShoesThatMoveAskewAgreeToo) {
  // The contact has a tangent plane, and the scheme detects that the motion stays on a line.
  RandomShoes shoes;
  Comparison result;
  for (int i = 0; i < kVariants / 20; ++i) {
    test::Shoe shoe = shoes.next();
    shoe.askew = shoes.between(0.1, 3.0);
    result.compare(shoe);
  }
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_EQ(result.undecidable, 0);
}

/// Shoes whose force differs from `edge` mu_s N by these fractions.
Comparison pullsAround(double edge, std::initializer_list<double> coefficients,
                       std::initializer_list<double> fractions) {
  Comparison result;
  for (const double dynamic : coefficients)
    for (const double fraction : fractions)
      for (const double cut : {0.06, 0.2, 0.3}) {
        test::Shoe shoe{.muDynamic = dynamic, .cut = cut, .end = cut + 0.15};
        shoe.pull = edge * shoe.muStatic * shoe.normal * (1.0 + fraction);
        result.compare(shoe);
      }
  return result;
}

constexpr double kNearly = 0.3 * (1.0 - 1e-9);  // almost mu_s

TEST(EventStress, PullsAtTheConeItself) {
  const std::initializer_list<double> fractions{-1e-9, -1e-12, -2.3e-16, 0.0, 2.3e-16, 1e-12, 1e-9};
  const Comparison decided = pullsAround(1.0, {0.2, 0.0}, fractions);
  EXPECT_EQ(decided.wrong, 0);
  EXPECT_EQ(decided.failed, 0);
  EXPECT_EQ(decided.undecidable, 0);
  // With a force of mu_d N the centre of mass moves freely: once in a period the speed of the shoe returns
  // exactly to zero, and rounding decides whether the shoe stops for a moment.
  const Comparison closer = pullsAround(1.0, {0.3, kNearly}, fractions);
  EXPECT_EQ(closer.wrong, 0);
  EXPECT_EQ(closer.failed, 0);
  EXPECT_LE(closer.undecidable, closer.compared / 2);
}

TEST(EventStress, PullsThatHardlyReachTheCone) {
  // A sudden force stretches the spring to 2 F/k; a force that exceeds mu_s N / 2 by a fraction f breaks away
  // within sqrt(f) of the peak, where an error d of the force changes the instant by d / sqrt(f).
  const std::initializer_list<double> coefficients{0.3, kNearly, 0.2, 0.0};
  const Comparison decided = pullsAround(0.5, coefficients, {-1e-2, -1e-4, -1e-8, 1e-8, 1e-6, 1e-4, 1e-2});
  EXPECT_EQ(decided.wrong, 0);
  EXPECT_EQ(decided.failed, 0);
  EXPECT_EQ(decided.undecidable, 0);
  const Comparison closer =
      pullsAround(0.5, coefficients, {-1e-10, -1e-11, -1e-12, -2.3e-16, 0.0, 2.3e-16, 1e-12, 1e-11, 1e-10});
  EXPECT_EQ(closer.wrong, 0);
  EXPECT_EQ(closer.failed, 0);
  EXPECT_LE(closer.undecidable, closer.compared / 2);
}

TEST(EventStress, CutsAtTheInstantOfAnEvent) {
  RandomShoes shoes;
  Comparison result;
  for (int i = 0; i < kVariants / 50; ++i) {
    test::Shoe shoe = shoes.next();
    const std::vector<Event> events = test::solveShoe(shoe).found;
    for (const Event& event : events) {
      if (event.time > shoe.cut) break;
      test::Shoe other = shoe;
      for (const double roundings : {-4.0, 0.0, 4.0}) {
        other.cut = event.time * (1.0 + roundings * std::numeric_limits<double>::epsilon());
        result.compare(other);
      }
    }
  }
  EXPECT_GT(result.compared, kVariants / 50);
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_LE(result.undecidable, 0);
}

TEST(EventStress, PullsTooSmallToMoveTheShoe) {
  Comparison result;
  for (const double pull : {0.0, 1e-100, 1e-30, 1e-12, 1e-6, 1.0, 1499.0})
    for (const double cut : {1e-9, 0.05, 0.2}) result.compare({.pull = pull, .cut = cut, .end = cut + 0.3});
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.failed, 0);
  EXPECT_EQ(result.undecidable, 0);
  EXPECT_EQ(result.events, (std::array<long, 5>{}));
}

}  // namespace
}  // namespace ricochet
