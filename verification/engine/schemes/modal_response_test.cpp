#include "engine/schemes/modal_response.hpp"

#include "verification/support/linear_reference.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

TEST(ModalResponse, IsExactWhateverTheDampingAndTheStep) {
  // Modes from rigid to stiff, from undamped to far beyond critical damping, uncoupled and coupled by
  // damping.
  const Vector eigenvalues{{0.0, 0.0, 1e-8, 4.0, 4.0, 900.0, 1e4}};
  const Vector diagonal{{0.0, 3.0, 0.0, 0.1, 1e3, 60.0, 0.0}};
  Matrix coupled = diagonal.asDiagonal();
  coupled(0, 3) = coupled(3, 0) = 0.02;
  const Eigen::Index m = eigenvalues.size();
  const Vector force{{1.0, -2.0, 3.0, 1.0, 5.0, 100.0, 1e3}};
  for (const bool isDiagonal : {true, false})
    for (const double h : {1e-5, 1e-2, 0.3, 2.0}) {
      const Matrix damping = isDiagonal ? Matrix(diagonal.asDiagonal()) : coupled;
      const LinearSystem linear(eigenvalues, damping, isDiagonal);
      ModalResponse response(linear);
      response.prepare(h);
      State s(m);
      s.q.head(m) = Vector::LinSpaced(m, 1.0, -1.0);
      s.v.head(m) = Vector::LinSpaced(m, 0.5, 3.0);
      const test::LinearSolution exact = test::solveExactly({.stiffness = eigenvalues.asDiagonal(),
                                                             .damping = damping,
                                                             .constantLoad = force,
                                                             .loadSlope = Vector::Zero(m),
                                                             .q0 = s.q.head(m),
                                                             .v0 = s.v.head(m)},
                                                            h);
      Vector f = Vector::Zero(s.q.size());
      f.head(m) = force;
      response.advance(f, s.q, s.v);
      EXPECT_LT((s.q.head(m) - exact.q).norm(), 1e-10) << h << (isDiagonal ? "" : ", coupled");
      EXPECT_LT((s.v.head(m) - exact.v).norm(), 1e-9) << h << (isDiagonal ? "" : ", coupled");
      // For a single mode S is accurate to rounding, even where 1 - qq cancels.
      if (!isDiagonal) continue;
      Vector unit = Vector::Zero(s.q.size());
      unit[0] = 1.0;
      EXPECT_NEAR(response.compliance(unit.data(), unit.data()), 0.5, 1e-14);
    }
}

/// The unit of time changes omega, damping, step, velocities and accelerations together.
TEST(ModalResponse, OfCoupledModesIsExactInAnyUnitOfTime) {
  const Vector eigenvalues{{0.0, 4.0, 9.0}}, force{{1.0, -2.0, 3.0}};
  Matrix damping(3, 3);
  damping << 1.0, -0.2, 0.5, -0.2, 0.6, 0.1, 0.5, 0.1, 0.3;
  const double h = 0.3;
  const test::LinearSolution exact = test::solveExactly({.stiffness = eigenvalues.asDiagonal(),
                                                         .damping = damping,
                                                         .constantLoad = force,
                                                         .loadSlope = Vector::Zero(3),
                                                         .q0 = Vector::Zero(3),
                                                         .v0 = Vector::Zero(3)},
                                                        h);
  for (const double unit : {1.0, 1e-9, 1e9}) {
    const LinearSystem linear(unit * unit * eigenvalues, unit * damping, false);
    ModalResponse response(linear);
    response.prepare(h / unit);
    State s(3);
    Vector f = Vector::Zero(s.q.size());
    f.head(3) = unit * unit * force;
    response.advance(f, s.q, s.v);
    EXPECT_LT((s.q.head(3) - exact.q).norm(), 1e-14) << unit;
    EXPECT_LT((s.v.head(3) / unit - exact.v).norm(), 1e-14) << unit;
  }
}

}  // namespace
}  // namespace ricochet
