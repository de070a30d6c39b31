// For every scheme and problem, friction only dissipates, and no store has more energy than the work
// supplied.

#include "engine/schemes/integrators.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace ricochet {
namespace {

/// A few modes, two friction contacts between planes and one under an imposed force, a load that jumps.
class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : random_(seed) {
    const Eigen::Index modes = 2 + static_cast<Eigen::Index>(seed % 4);
    const Vector omega = vector(modes, 5.0, 60.0);
    const Vector damping = 2.0 * between(0.0, 0.03) * omega;
    parts_.linear = LinearSystem(omega.cwiseAbs2(), damping.asDiagonal(), true);
    for (int i = 0; i < 3; ++i) {
      const double dynamic = between(0.1, 0.3);
      const RegularisedCoulomb friction{
          .muStatic = dynamic + between(0.0, 0.1), .muDynamic = dynamic, .stiffness = between(1e3, 3e4)};
      Contact contact = i == 2 ? test::contactOf(modes, NoObstacle{}, ImposedForce{}, friction)
                               : test::contactOf(modes, Slot{between(0.002, 0.02)},
                                                 LinearPenalty{.stiffness = between(1e3, 1e5),
                                                               .damping = i * between(0.0, 5.0)},
                                                 friction);
      if (i == 2) contact.imposedForce = TimeFunction::constant(between(1.0, 20.0));
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        contact.rows.row(axis) = vector(modes, -0.5, 0.5).transpose();
      if (i == 2) contact.rows.row(0).setZero();
      parts_.contacts.push_back(contact);
    }
    const std::array times{0.0, 0.0537, 0.0537, 1.0};
    const std::array values{1.0, -1.0, 0.5, 2.0};
    parts_.loads.push_back(
        {vector(modes, -30.0, 30.0), TimeFunction::table(times, values, TimeFunction::Outside::constant,
                                                         TimeFunction::Outside::constant)});
    initial_ = State(modes);
    initial_.v.head(modes) = vector(modes, -1.0, 1.0);
  }

  ModalModel model() const { return parts_.build(); }
  const State& initial() const { return initial_; }

 private:
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  Vector vector(Eigen::Index size, double low, double high) {
    Vector v(size);
    for (double& x : v) x = between(low, high);
    return v;
  }

  std::mt19937 random_;
  test::ModelParts parts_;
  State initial_;
};

TEST(SchemeEnergy, FrictionTakesEnergyAndNothingExceedsTheWorkDone) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const RandomProblem problem(seed);
    const ModalModel model = problem.model();
    Integrators::forEach([&]<class I>() {
      const test::Outcome run =
          test::runModel(model, I::keyword, problem.initial(), {.end = 0.2, .step = 2e-5, .archiveEvery = 5});
      SCOPED_TRACE(std::string(I::keyword) + " on problem " + std::to_string(seed));
      ASSERT_EQ(run.report.status, RunStatus::complete);
      // The energy of a symplectic scheme oscillates by omega h / 2, with omega h < 1e-2; that of other
      // schemes by (omega h)^2, and by c v h where the force of a closing dashpot jumps. adaptive_central
      // makes 50 steps per period: (2 pi/50)^2 / 4 of the energy in a contact.
      const double allowed = I::traits.order == 1                     ? 1e-2
                             : I::keyword == AdaptiveCentral::keyword ? 4e-3
                                                                      : 5e-4;
      double largest = 0.0, friction = 0.0;
      for (const test::Recorder::Row& row : run.seen.rows) {
        const EnergyLedger& ledger = row.ledger;
        const double present = ledger.kinetic + ledger.elastic + ledger.contact;
        largest = std::max(largest, present);
        ASSERT_LE(present, ledger.initial + ledger.external + allowed * largest) << row.state.time;
        ASSERT_GE(ledger.friction, friction - 1e-7 * largest) << row.state.time;
        friction = ledger.friction;
      }
      EXPECT_GT(friction, 0.0);
      EXPECT_LT(run.report.energyError, allowed);
    });
  }
}

}  // namespace
}  // namespace ricochet
