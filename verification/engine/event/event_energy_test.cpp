// Chains of masses with friction in the event scheme: all runs complete, their energy balances close, and
// friction only dissipates.

#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

/// Energy terms of every row: the balance closes to a fraction of the energy, the dissipated energy of
/// friction never decreases, and no store has more energy than the work supplied.
void expectSoundAccounts(const test::Outcome& run, double allowed) {
  ASSERT_EQ(run.report.status, RunStatus::complete) << "at " << run.report.time;
  EXPECT_LT(run.report.energyError, allowed);
  double largest = 0.0, friction = 0.0;
  for (const test::Recorder::Row& row : run.seen.rows) {
    const EnergyLedger& ledger = row.ledger;
    const double present = ledger.kinetic + ledger.elastic + ledger.contact;
    largest = std::max({largest, present, std::abs(ledger.external), ledger.friction + ledger.damping});
    ASSERT_LE(present, ledger.initial + ledger.external + allowed * largest) << "t = " << row.state.time;
    ASSERT_GE(ledger.friction, friction - allowed * largest) << "t = " << row.state.time;
    friction = std::max(friction, ledger.friction);
  }
}

/// Five masses in a row, each pressed on the ground, the last one under an oscillating force.
test::Outcome shakenChain(double muStatic, double muDynamic, double amplitude, double frequency) {
  const std::vector<double> masses{1.0, 0.7, 1.3, 0.9, 1.1};
  test::ModalChain chain = test::modalChain({.masses = masses, .stiffness = 2e3, .grounded = true});
  for (Eigen::Index i = 0; i < 5; ++i) {
    Contact contact = test::contactOf(5, NoObstacle{}, ImposedForce{}, Coulomb{muStatic, muDynamic});
    contact.imposedForce = TimeFunction::constant(9.81 * masses[static_cast<std::size_t>(i)]);
    contact.rows.row(1) = chain.shapes.row(i);
    chain.parts.contacts.push_back(contact);
  }
  std::ostringstream force;
  force << amplitude << "*sin(2*pi*" << frequency << "*t)";
  chain.parts.loads.push_back({chain.shapes.row(4).transpose(), test::formulaOfTime(force.str())});
  return test::runModel(chain.parts.build(), kEventScheme, State(5),
                        {.end = 100.0 / frequency, .step = 1.0, .archiveEvery = 1});
}

TEST(EventEnergy, AShakenChainOfRubbingMassesEndsWithItsAccountsClosed) {
  for (const double dynamic : {0.3, 0.2, 0.05})
    for (const double amplitude : {5.0, 10.0, 40.0})
      for (const double frequency : {0.9, 3.1, 9.7}) {
        SCOPED_TRACE(testing::Message() << dynamic << ' ' << amplitude << " N " << frequency << " Hz");
        const test::Outcome run = shakenChain(0.3, dynamic, amplitude, frequency);
        expectSoundAccounts(run, 1e-10);
        EXPECT_GT(run.report.energy.friction, 0.0);
        EXPECT_GT(run.report.events, 200);  // at least two in a period
      }
}

TEST(EventEnergy, AChainShakenBelowItsConeStaysWhereItIs) {
  for (const double frequency : {0.9, 3.1, 9.7}) {
    // A friction force of 3.2 N holds the last mass.
    const test::Outcome run = shakenChain(0.3, 0.2, 2.0, frequency);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_EQ(run.report.events, 0);
    // The reactions balance the load to rounding, 1e-16 of the load each time.
    EXPECT_LT(run.state.v.norm(), 1e-13);
    EXPECT_LT(run.state.q.norm(), 1e-13 * run.report.time);
  }
}

/// A random structure in physical coordinates: a chain with dashpots, contacts with friction along a line or
/// in a plane, loads that jump and oscillate.
class RandomChain {
 public:
  /// Dashpots of sticks between 10^-`weakest` and 3 N s/m per (N/m kg)^1/2; no dashpots without `weakest`.
  RandomChain(unsigned seed, int tangents, std::optional<double> weakest)
      : tangents_(tangents), weakest_(weakest), random_(seed) {
    const auto size = static_cast<Eigen::Index>(2 + seed % 4);
    std::vector<double> masses;
    for (Eigen::Index i = 0; i < size; ++i) masses.push_back(between(0.5, 2.0));
    test::ModalChain chain = test::modalChain(
        {.masses = masses, .stiffness = between(500.0, 5000.0), .grounded = random_() % 2 == 0});
    parts_ = chain.parts;
    if (const auto kind = random_() % 3; kind > 0) dampen(chain.shapes, kind == 1);
    for (int i = 0; i < 3; ++i) addContact(chain.shapes);
    addLoads(chain.shapes);
    initial_ = State(size);
    initial_.v.head(size) = vector(size, 1.0);
  }

  ModalModel model() const { return parts_.build(); }
  const State& initial() const { return initial_; }

 private:
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  Vector vector(Eigen::Index size, double largest) {
    Vector v(size);
    for (double& x : v) x = between(-largest, largest);
    return v;
  }

  /// Modal damping, or a dashpot at a random mass, which couples the modes.
  void dampen(const Matrix& shapes, bool modal) {
    const Eigen::Index size = shapes.cols();
    const Vector eigenvalues = parts_.linear.omegaSquared.head(size);
    Matrix damping = (2.0 * between(0.0, 0.03) * eigenvalues.cwiseSqrt()).asDiagonal();
    if (!modal) {
      const Vector row = shapes.row(static_cast<Eigen::Index>(random_()) % size).transpose();
      damping += between(0.1, 5.0) * row * row.transpose();
    }
    parts_.linear = LinearSystem(eigenvalues, damping, modal);
  }

  AnyFrictionLaw friction() {
    const double dynamic = between(0.1, 0.4);
    const double excess = random_() % 3 == 0 ? 0.0 : between(0.0, 0.2);
    auto kind = random_() % 3;
    // Without set-valued sticks beside damped sticks.
    if (weakest_ && tangents_ == 2) kind = std::min<decltype(kind)>(kind, 1);
    switch (kind) {
      case 0:
        return Frictionless{};
      case 1:
        return dampened({.muStatic = dynamic + excess, .muDynamic = dynamic, .stiffness = between(1e3, 3e4)});
      default:
        return Coulomb{dynamic + excess, dynamic};
    }
  }

  RegularisedCoulomb dampened(RegularisedCoulomb law) {
    if (weakest_) law.damping = std::sqrt(law.stiffness) * std::pow(10.0, between(-*weakest_, 0.5));
    return law;
  }

  void addContact(const Matrix& shapes) {
    const Eigen::Index size = shapes.cols();
    const bool imposed = random_() % 3 == 0;
    const AnyFrictionLaw law = friction();
    Contact contact = imposed ? test::contactOf(size, NoObstacle{}, ImposedForce{}, law)
                              : test::contactOf(size, Slot{between(0.002, 0.02)},
                                                LinearPenalty{.stiffness = between(1e3, 1e5),
                                                              .damping = random_() % 2 == 0 ? 0.0 : 5.0},
                                                law);
    if (imposed) contact.imposedForce = TimeFunction::constant(between(1.0, 20.0));
    for (Eigen::Index axis = imposed ? 1 : 0; axis < 1 + tangents_; ++axis)
      contact.rows.row(axis) = vector(size, 1.0).transpose() * shapes.transpose();
    parts_.contacts.push_back(contact);
  }

  void addLoads(const Matrix& shapes) {
    const Eigen::Index size = shapes.cols();
    const std::array times{0.0, 0.0537, 0.0537, 1.0};
    const std::array values{1.0, -1.0, 0.5, 2.0};
    const auto outside = TimeFunction::Outside::constant;
    parts_.loads.push_back(
        {shapes.transpose() * vector(size, 20.0), TimeFunction::table(times, values, outside, outside)});
    parts_.loads.push_back({shapes.transpose() * vector(size, 20.0), test::formulaOfTime("sin(2*pi*7*t)")});
  }

  int tangents_;
  std::optional<double> weakest_;
  std::mt19937 random_;
  test::ModelParts parts_;
  State initial_;
};

void runRandomChains(int tangents, std::optional<double> weakest = {}) {
#ifdef NDEBUG
  const int kChains = test::variants(500, 2000);
#else
  const int kChains = 50;  // these runs are slow with the sanitizers
#endif
  long long events = 0;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(kChains); ++seed) {
    SCOPED_TRACE("chain " + std::to_string(seed));
    const RandomChain chain(seed, tangents, weakest);
    test::Recorder recorder;
    // Excluded: a slip of all three contacts that starts near balance stays slow for long.
    recorder.stopAfter = 400'000;
    const test::Outcome run = test::runModel(chain.model(), kEventScheme, chain.initial(),
                                             {.end = 0.5, .step = 1.0, .archiveEvery = 1}, recorder);
    expectSoundAccounts(run, 1e-10);
    events += run.report.events;
  }
  EXPECT_GT(events, 10LL * kChains);
}

TEST(EventEnergy, RandomChainsThatRubAlongALineKeepTheirAccounts) { runRandomChains(1); }

TEST(EventEnergy, RandomChainsThatRubInAPlaneKeepTheirAccounts) { runRandomChains(2); }

TEST(EventEnergy, RandomChainsWithDampedSticksAlongALineKeepTheirAccounts) { runRandomChains(1, 6.0); }

TEST(EventEnergy, RandomChainsWithDampedSticksInAPlaneKeepTheirAccounts) { runRandomChains(2, 1.5); }

}  // namespace
}  // namespace ricochet
