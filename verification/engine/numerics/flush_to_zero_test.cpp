#include "engine/numerics/flush_to_zero.hpp"

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

bool canFlushToZero() { return FlushToZero::kFlush != 0; }

TEST(FlushToZero, SetsAndRestoresTheControlWord) {
  const auto before = FlushToZero::readControlWord();
  {
    const FlushToZero flush;
    EXPECT_EQ(FlushToZero::readControlWord() & FlushToZero::kFlush, FlushToZero::kFlush);
    { const FlushToZero nested; }
    EXPECT_EQ(FlushToZero::readControlWord() & FlushToZero::kFlush, FlushToZero::kFlush);
  }
  EXPECT_EQ(FlushToZero::readControlWord(), before);
}

TEST(FlushToZero, SubnormalResultsAreZero) {
  if (!canFlushToZero()) GTEST_SKIP() << "unknown machine";
  volatile double smallest = std::numeric_limits<double>::min();
  volatile double half = 0.5;
  EXPECT_NE(smallest * half, 0.0);
  const FlushToZero flush;
  volatile double product = smallest * half;
  EXPECT_EQ(product, 0.0);
}

TEST(FlushToZero, ARunThatDecaysHasNoSubnormalState) {
  if (!canFlushToZero()) GTEST_SKIP() << "unknown machine";
  // exp(-xi omega t) = exp(-0.9 * 1000 * 1) = 1e-391 of the start: far below the smallest normal number,
  // 2e-308
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1e6, .damping = 1800.0}).build();
  for (const char* scheme : {"kick_drift", "central_difference", "symplectic_euler"}) {
    State initial(1);
    initial.q[0] = 1.0;
    constexpr FlushToZero::Word control =
        ~FlushToZero::Word{0x3F};  // the six bits below are sticky exception flags
    const auto before = FlushToZero::readControlWord() & control;
    const test::Outcome run = test::runModel(model, scheme, initial, {.end = 1.0, .step = 1e-4});
    EXPECT_EQ(FlushToZero::readControlWord() & control, before) << scheme;
    for (const test::Recorder::Row& row : run.seen.rows) {
      EXPECT_NE(std::fpclassify(row.state.q[0]), FP_SUBNORMAL) << scheme << " at " << row.state.time;
      EXPECT_NE(std::fpclassify(row.state.v[0]), FP_SUBNORMAL) << scheme << " at " << row.state.time;
    }
    EXPECT_LT(std::abs(run.state.q[0]), 1e-300) << scheme << ": the test must reach the bottom";
  }
}

}  // namespace
}  // namespace ricochet
