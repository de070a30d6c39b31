#include "modal/complex_modes.hpp"
#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "physical/assembly/assembler.hpp"
#include "physical/dense_solvers.hpp"
#include "verification/support/beams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// A basis with given frequencies and damping, without a structure.
ModalBasis basisOf(const Vector& omega, const Matrix& damping) {
  ModalBasis basis;
  basis.eigenvalue = omega.cwiseAbs2();
  basis.damping = damping;
  return basis;
}

/// Real roots of a polynomial (highest power first), in order of increasing magnitude: companion matrix, then
/// Newton.
std::vector<double> realRoots(const std::vector<double>& coefficients) {
  const auto n = static_cast<Eigen::Index>(coefficients.size()) - 1;
  Matrix companion = Matrix::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    companion(0, j) = -coefficients[static_cast<std::size_t>(j) + 1] / coefficients[0];
  for (Eigen::Index i = 1; i < n; ++i) companion(i, i - 1) = 1.0;
  std::vector<double> roots;
  for (const std::complex<double> start : companion.eigenvalues()) {
    double x = start.real();
    for (int pass = 0; pass < 3; ++pass) {
      double value = 0.0, slope = 0.0;
      for (const double c : coefficients) {
        slope = slope * x + value;
        value = value * x + c;
      }
      x -= value / slope;
    }
    roots.push_back(x);
  }
  std::sort(roots.begin(), roots.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return roots;
}

TEST(ComplexModes, OfOneDampedOscillatorAreItsRoots) {
  const std::vector<ComplexMode> under =
      complexModes(basisOf(Vector::Constant(1, 10.0), Matrix::Constant(1, 1, 12.0)));
  ASSERT_EQ(under.size(), 1U);
  EXPECT_NEAR(under[0].frequency, 8.0 / kTurn, 1e-14);  // zeta = 0.6: sqrt(1 - 0.36) = 0.8
  EXPECT_NEAR(under[0].dampingRatio, 0.6, 1e-14);
  // lambda = -5, -20: c = 25, omega = 10, zeta = 1.25
  const std::vector<ComplexMode> over =
      complexModes(basisOf(Vector::Constant(1, 10.0), Matrix::Constant(1, 1, 25.0)));
  ASSERT_EQ(over.size(), 1U);
  EXPECT_EQ(over[0].frequency, 0.0);
  EXPECT_NEAR(over[0].dampingRatio, 1.25, 1e-14);
}

TEST(ComplexModes, RigidAndUndampedModesKeepTheirPlace) {
  const std::vector<ComplexMode> modes =
      complexModes(basisOf(Eigen::Vector3d(0.0, 3.0, 5.0), Matrix::Zero(3, 3)));
  ASSERT_EQ(modes.size(), 3U);
  EXPECT_EQ(modes[0].frequency, 0.0);
  EXPECT_EQ(modes[0].dampingRatio, 0.0);
  EXPECT_NEAR(modes[1].frequency, 3.0 / kTurn, 1e-15);
  EXPECT_NEAR(modes[2].frequency, 5.0 / kTurn, 1e-15);
}

TEST(ComplexModes, DashpotsThatCoupleModesGiveTheRootsOfTheirQuartic) {
  // (s^2 + a s + 1)(s^2 + b s + 4) - c^2 s^2 = 0 with a = 0.2, b = 0.5, c = 0.3
  Matrix damping(2, 2);
  damping << 0.2, 0.3, 0.3, 0.5;
  for (const ComplexMode& mode : complexModes(basisOf(Eigen::Vector2d(1.0, 2.0), damping))) {
    const double imaginary = kTurn * mode.frequency;
    const double size = imaginary / std::sqrt(1.0 - mode.dampingRatio * mode.dampingRatio);
    const std::complex<double> s(-mode.dampingRatio * size, imaginary);
    const std::complex<double> left = (s * s + 0.2 * s + 1.0) * (s * s + 0.5 * s + 4.0) - 0.09 * s * s;
    EXPECT_LE(std::abs(left), 1e-13);
    EXPECT_GT(mode.frequency, 0.0);  // no whirl
    EXPECT_GT(mode.dampingRatio, 0.0);
  }
}

/// A rigid disc on a light pinned shaft, at 0.3 of its length of 1 m.
struct DiscOnShaft {
  double mass{5.0}, across{0.02}, polar{0.035}, spin{0.0};
  SectionConstants section{CircleSection{0.01}.computeSectionConstants()};
  Vec3 direction{Vec3::UnitX()};

  Structure buildStructure() const {
    const Material light{2.1e11, 0.3, 0.0};
    test::StraightBeam shaft;
    shaft.elements = 10;
    shaft.material = light;
    shaft.section = section;
    shaft.theory = BeamTheory::eulerBernoulli;
    shaft.direction = direction;
    Structure s = shaft.structure();
    const Vec3 n = direction.normalized();
    PointMass disc{NodeIndex{3}, mass, Mat3(across * Mat3::Identity() + (polar - across) * n * n.transpose()),
                   Vec3::Zero()};
    disc.spin = spin;
    disc.spinAxis = n;
    s.elements.emplace_back(disc);
    for (const int end : {0, 10}) test::fix(s, end, {Component::ux, Component::uy, Component::uz});
    return s;
  }

  /// Signed angular frequencies of the four whirls: (1 - f m w^2)(1 - g D) = h^2 m w^2 D, D = Id w^2 - Ip W
  /// w.
  std::vector<double> whirls() const {
    const double a = 0.3, b = 0.7, ei3 = 3.0 * 2.1e11 * section.inertiaY;
    const double f = a * a * b * b / ei3, g = (a * a - a * b + b * b) / ei3, h = a * b * (b - a) / ei3;
    const double p = polar * spin;
    const double cross = (f * g - h * h) * mass;
    return realRoots({cross * across, -cross * p, -f * mass - g * across, g * p, 1.0});
  }
};

/// `twist` is the rotation about the shaft, fixed at the first end so that the shaft cannot rotate freely.
void expectWhirls(const DiscOnShaft& rotor, Component twist) {
  Structure structure = rotor.buildStructure();
  test::fix(structure, 0, {twist});
  const std::vector<ComplexMode> modes = complexModes(extractModes(assembleModel(structure), {.all = true}));
  // Further modes: twist and extension.
  for (double w : rotor.whirls()) {
    if (rotor.spin < 0.0) w = -w;  // forward whirl has the sense of the spin
    const auto isIt = [w](const ComplexMode& m) {
      return std::abs(kTurn * m.frequency - w) <= 1e-9 * std::abs(w);
    };
    EXPECT_TRUE(std::any_of(modes.begin(), modes.end(), isIt)) << w / kTurn << " Hz";
  }
  for (const ComplexMode& mode : modes) EXPECT_NEAR(mode.dampingRatio, 0.0, 1e-12);
}

TEST(Rotor, DiscOnALightShaftWhirlsAtTheRootsOfItsEquation) {
  for (const double spin : {10.0, 300.0, -300.0, 5000.0}) {
    DiscOnShaft rotor;
    rotor.spin = spin;
    expectWhirls(rotor, Component::rx);
  }
}

TEST(Rotor, AxisMayPointAnywhere) {
  for (const Vec3& direction : {Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, -1.0)}) {
    DiscOnShaft rotor;
    rotor.spin = 300.0;
    rotor.direction = direction;
    expectWhirls(rotor, direction.y() != 0.0 ? Component::ry : Component::rz);
  }
}

/// Whirls of a pinned spinning Timoshenko shaft with n half waves: the roots of
/// (S k^2 - rho A w^2)(E I k^2 + S - rho I w^2 + 2 rho I W w) = S^2 k^2.
std::vector<double> shaftWhirls(const test::StraightBeam& shaft, int halfWaves) {
  const double k = halfWaves * std::numbers::pi / shaft.length;
  const double s = shaft.material.shearModulus() * shaft.section.shearAreaY;
  const double rhoA = shaft.material.density * shaft.section.area;
  const double rhoI = shaft.material.density * shaft.section.inertiaY;
  const double bending = shaft.material.young * shaft.section.inertiaY * k * k + s;
  return realRoots({rhoA * rhoI, -2.0 * rhoA * rhoI * shaft.spin, -rhoA * bending - s * k * k * rhoI,
                    2.0 * s * k * k * rhoI * shaft.spin, s * k * k * (bending - s)});
}

test::StraightBeam spinningShaft(int elements) {
  test::StraightBeam shaft;
  shaft.elements = elements;
  shaft.length = 1.0;
  shaft.material = test::kSteel;
  shaft.section = sectionConstants(CircleSection{0.05}, 0.3);
  shaft.spin = 2000.0;
  return shaft;
}

std::vector<ComplexMode> whirlsOf(const test::StraightBeam& shaft) {
  Structure structure = shaft.structure();
  for (int node = 0; node <= shaft.elements; ++node)
    test::fix(structure, node, {Component::ux, Component::rx});
  for (const int end : {0, shaft.elements}) test::fix(structure, end, {Component::uy, Component::uz});
  return complexModes(extractModes(assembleModel(structure), {.all = true}));
}

TEST(Rotor, SpinningShaftConvergesToItsWhirls) {
  const std::vector<ComplexMode> coarse = whirlsOf(spinningShaft(20));
  const std::vector<ComplexMode> fine = whirlsOf(spinningShaft(40));
  for (int halfWaves = 1; halfWaves <= 3; ++halfWaves) {
    const std::vector<double> exact = shaftWhirls(spinningShaft(20), halfWaves);
    for (std::size_t i = 0; i < 2; ++i) {  // backward, forward; the second spectrum is at 20 kHz
      const std::size_t mode = 2 * static_cast<std::size_t>(halfWaves - 1) + i;
      const double error20 = kTurn * coarse[mode].frequency / exact[i] - 1.0;
      const double error40 = kTurn * fine[mode].frequency / exact[i] - 1.0;
      SCOPED_TRACE(mode);
      // The errors are those of a shaft at rest: too high, of order 2 for short elements, of order 4 for long
      // elements.
      EXPECT_GT(error40, 0.0);
      EXPECT_LT(error40, 8e-6 * std::pow(halfWaves, 4));
      EXPECT_GT(std::log2(error20 / error40), 1.9);
      EXPECT_LT(std::log2(error20 / error40), 4.1);
    }
  }
}

TEST(Rotor, CorrectedShaftConvergesWithTheFourthOrder) {
  // Gyroscopic moments contribute to the deflections between nodes like rotary inertia.
  for (const double spin : {0.0, 2000.0, 4000.0}) {
    std::vector<std::vector<ComplexMode>> whirls;
    test::StraightBeam shaft = spinningShaft(5);
    shaft.spin = spin;
    shaft.mass = BeamMass::corrected;
    for (const int elements : {5, 10, 20}) {
      shaft.elements = elements;
      whirls.push_back(whirlsOf(shaft));
    }
    for (std::size_t mode = 0; mode < 4; ++mode) {  // backward and forward, of one and two half waves
      const double exact = shaftWhirls(shaft, 1 + static_cast<int>(mode / 2))[mode % 2];
      std::array<double, 3> error{};
      for (std::size_t i = 0; i < 3; ++i)
        error[i] = std::abs(kTurn * whirls[i][mode].frequency) / std::abs(exact) - 1.0;
      SCOPED_TRACE(spin);
      SCOPED_TRACE(mode);
      EXPECT_LT(std::abs(error[2]), 2e-5);
      EXPECT_GT(std::log2(std::abs(error[0] / error[1])), 3.5);
      EXPECT_GT(std::log2(std::abs(error[1] / error[2])), 3.5);
    }
  }
}

TEST(Rotor, SpinBackwardsMirrorsTheWhirls) {
  // A whirl against the spin is backward: reversing the spin exchanges the names of the whirls.
  test::StraightBeam shaft = spinningShaft(8);
  const std::vector<ComplexMode> forward = whirlsOf(shaft);
  shaft.spin = -shaft.spin;
  const std::vector<ComplexMode> mirrored = whirlsOf(shaft);
  ASSERT_EQ(forward.size(), mirrored.size());
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(forward[i].frequency, mirrored[i].frequency, 1e-9 * std::abs(forward[i].frequency));
}

TEST(Rotor, GyroscopicMomentsTakeNoPower) {
  Structure structure = spinningShaft(6).structure();
  for (const int end : {0, 6})
    test::fix(structure, end, {Component::ux, Component::uy, Component::uz, Component::rx});
  const PhysicalModel model = assembleModel(structure);
  const Matrix c(model.damping);
  EXPECT_GT(c.norm(), 0.0);
  EXPECT_LE((c + c.transpose()).norm(), 1e-14 * c.norm());
  const ModalBasis basis = extractModes(model, {.modes = 8});
  EXPECT_FALSE(basis.isDampingDiagonal());
  EXPECT_LE((basis.damping + basis.damping.transpose()).norm(), 1e-12 * basis.damping.norm());
}

}  // namespace
}  // namespace ricochet
