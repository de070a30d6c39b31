// Skipping contacts that are far from closing changes no bit of the results: a run that evaluates all gaps in
// every trial is equal.

#include "engine/contact/gap_watch.hpp"

#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/woken_run.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace ricochet {
namespace {

constexpr double kHalf = 5e-4;  // scale of the free intervals [m]

/// The screening of gaps, compared with the products of all rows with q.
class Beside {
 public:
  Beside(Eigen::Index modes, Eigen::Index count, unsigned seed)
      : random_(seed),
        rows_(Matrix::Zero(paddedSize(modes), count)),
        modes_(modes),
        q_(Vector::Zero(paddedSize(modes))) {
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i < modes; ++i)
        if (uniform() > -0.3) rows_(i, k) = uniform();
    norm_ = GapNorm(rows_.data(), count, rows_.rows());
    watch_.emplace(norm_, rows_.data(), count, rows_.rows());
    watch_->start(q_.data());
    open_.assign(static_cast<std::size_t>(count), true);
    for (std::size_t i = 0; i < open_.size(); ++i) nextStateOfNormalLaw(i);
    accepted_ = along(q_);
  }

  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  Vector step(double size) {
    Vector d = Vector::Zero(q_.size());
    for (Eigen::Index i = 0; i < modes_; ++i) d[i] = size * uniform();
    return d;
  }

  /// Compares a trial: contacts that the screening skips must be open, and the others must have the bits of
  /// `dotProductsOfRows`.
  void evaluate(const Vector& q) {
    const std::vector<double> all = along(q);
    std::vector<bool> seen(open_.size(), false);
    for (const std::size_t i : watch_->evaluateGaps(q.data())) {
      seen[i] = true;
      ASSERT_EQ(bits(watch_->rowProduct(i)), bits(all[i]));
      ASSERT_EQ(bits(watch_->acceptedCoordinateAlongGapRow(i)), bits(accepted_[i])) << "contact " << i;
    }
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (seen[i]) continue;
      ++asleep;
      ASSERT_TRUE(open_[i] && std::abs(all[i]) < kHalf) << "contact " << i << " slept at " << all[i];
    }
    tried_ = all;
    trial_ = q;
  }
  /// Accepts the last trial: contacts outside their free interval are closed from then on.
  void acceptStep() {
    watch_->acceptStep();
    accepted_ = tried_;
    q_ = trial_;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      open_[i] = std::abs(accepted_[i]) < kHalf;
      nextStateOfNormalLaw(i);
      closed += open_[i] ? 0 : 1;
    }
  }
  void stopSkippingGapsOfContacts() { watch_->stopSkippingGapsOfContacts(); }
  const Vector& q() const { return q_; }

  long asleep{0};
  long closed{0};

 private:
  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
  void nextStateOfNormalLaw(std::size_t i) {
    watch_->setContactFreeInterval(i, open_[i] ? FreeInterval{-kHalf, kHalf} : FreeInterval{});
  }
  std::vector<double> along(const Vector& q) const {
    std::vector<double> all(open_.size());
    kernels::dotProductsOfRows(rows_.data(), rows_.cols(), q.data(), rows_.rows(), all.data());
    return all;
  }

  std::mt19937 random_;
  Matrix rows_;
  Eigen::Index modes_;
  GapNorm norm_;
  std::optional<GapWatch> watch_;
  Vector q_, trial_;
  std::vector<bool> open_;
  std::vector<double> accepted_, tried_;
};

TEST(GapWatch, EveryTrialHasTheBitsOfLookingAtAll) {
  long asleep = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Beside run(3 + seed, 1 + seed % 17, seed);
    Vector velocity = run.step(2e-6);
    for (int n = 0; n < 1000; ++n) {
      // A random oscillation with occasional jumps, distant trial stages, a rejected step and a restart in
      // the middle.
      velocity = 0.995 * velocity + run.step(4e-7) - 1e-4 * run.q();
      const double choice = run.uniform();
      if (choice > 0.99) velocity = run.step(1e-4);
      if (choice > 0.9 && choice < 0.95) run.evaluate(run.q() + 0.5 * velocity);
      if (choice > 0.95) run.evaluate(run.q() + run.step(1e-3));
      if (choice < -0.99) run.stopSkippingGapsOfContacts();
      if (HasFatalFailure()) return;
      run.evaluate(run.q() + velocity);
      if (HasFatalFailure()) return;
      run.acceptStep();
    }
    if (seed > 5) {
      EXPECT_GT(run.closed, 0) << seed;
    }
    asleep += run.asleep;
  }
  EXPECT_GT(asleep, 10000);
}

TEST(GapWatch, LooksAtAllWhereTheMotionIsNoNumber) {
  Beside run(6, 8, 1);
  for (int n = 0; n < 100; ++n) run.evaluate(run.q()), run.acceptStep();
  EXPECT_GT(run.asleep, 100);
  GapNorm norm;
  Matrix rows = Matrix::Ones(8, 3);
  norm = GapNorm(rows.data(), 3, 8);
  GapWatch watch(norm, rows.data(), 3, 8);
  Vector q = Vector::Zero(8);
  watch.start(q.data());
  for (std::size_t i = 0; i < 3; ++i) watch.setContactFreeInterval(i, {-1.0, 1.0});
  for (int n = 0; n < 20; ++n) {
    watch.evaluateGaps(q.data());
    watch.acceptStep();
  }
  EXPECT_EQ(watch.evaluateGaps(q.data()).size(), 0U);
  for (const double wild :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    q[2] = wild;
    EXPECT_EQ(watch.evaluateGaps(q.data()).size(), 3U) << wild;
  }
}

TEST(GapWatch, RunsOfEverySchemeAreThoseOfLookingAlways) {
  const FlushToZero flush;
  Integrators::forEach([]<class I>() {
    if constexpr (!kOwnsContacts<I> && !I::traits.adaptive)
      for (const int contacts : {4, 11})
        test::compareWithUnscreenedContacts<I>(
            test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(contacts), .loadsTo = 0.1})
                .build(),
            2e-5, 4000);
  });
}

}  // namespace
}  // namespace ricochet
