#include "physical/elements/beam.hpp"

#include "physical/dense_solvers.hpp"
#include "verification/support/beams.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using test::kEpsilon;

/// A beam with different properties in its two planes, rotated in space.
Beam asymmetricBeam(BeamTheory theory) {
  Beam beam;
  beam.first = NodeIndex{0};
  beam.second = NodeIndex{1};
  beam.span = Vec3(0.4, -0.5, 0.7);
  beam.axes = *localAxesOfBeam(beam.span, Vec3(0.2, 0.9, 0.4));
  beam.material = test::kSteel;
  beam.section.area = 1.5e-3;
  beam.section.inertiaY = 3.0e-7;
  beam.section.inertiaZ = 1.2e-7;
  beam.section.torsion = 2.5e-7;
  beam.section.shearAreaY = 1.2e-3;
  beam.section.shearAreaZ = 1.0e-3;
  beam.theory = theory;
  return beam;
}

Beam alignedBeam(Beam beam, const Vec3& span) {
  beam.span = span;
  beam.axes = *localAxesOfBeam(span);
  return beam;
}

/// Rigid motion of both nodes: columns are three translations and three rotations about the first node.
Matrix rigidMotions(const Beam& beam) {
  Matrix r = Matrix::Zero(12, 6);
  for (int node = 0; node < 2; ++node) {
    const Vec3 p = node == 0 ? Vec3::Zero().eval() : beam.span;
    for (int axis = 0; axis < 3; ++axis) {
      r(6 * node + axis, axis) = 1.0;
      r(6 * node + 3 + axis, 3 + axis) = 1.0;
      r.block<3, 1>(6 * node, 3 + axis) = Vec3::Unit(axis).cross(p);
    }
  }
  return r;
}

/// Displacement of the second node under a force and a moment there, with the first node clamped.
Vector cantileverTipMotion(const Beam& beam, const Vec3& force, const Vec3& moment) {
  Vector load(6);
  load << force, moment;
  return Matrix(beam.stiffness()).bottomRightCorner(6, 6).lu().solve(load);
}

TEST(BeamElement, RigidMotionsMakeNoForce) {
  for (const BeamTheory theory : {BeamTheory::eulerBernoulli, BeamTheory::timoshenko}) {
    Beam beam = asymmetricBeam(theory);
    beam.section.shearCentre = {0.01, -0.02};
    const ElementMatrix k = beam.stiffness();
    // Rounding of products of three matrices with sums of 12 terms.
    EXPECT_LE((k * rigidMotions(beam)).cwiseAbs().maxCoeff(), 40.0 * kEpsilon * k.cwiseAbs().maxCoeff());
    const Vector eigenvalues = Matrix(k).selfadjointView<Eigen::Lower>().eigenvalues();
    EXPECT_GT(eigenvalues[6], 1e-6 * eigenvalues[11]);  // the seventh eigenvalue is elastic
  }
}

TEST(BeamElement, RigidMotionsHaveTheInertiaOfASolidBar) {
  // The interpolation contains linear fields: m, and m L^2/12 + rho I L about the centre, are exact.
  Beam beam = asymmetricBeam(BeamTheory::timoshenko);
  const double m = beam.material.density * beam.section.area * beam.length();
  const SectionConstants& c = beam.section;
  const Vec3 local(c.polarInertia(), c.inertiaY + c.area * beam.span.squaredNorm() / 12.0,
                   c.inertiaZ + c.area * beam.span.squaredNorm() / 12.0);
  const Mat3 inertia =
      beam.axes.transpose() * Mat3((beam.material.density * beam.length() * local).asDiagonal()) * beam.axes;
  const ElementMatrix body = PointMass{NodeIndex{0}, m, inertia, 0.5 * beam.span}.mass();
  const Matrix r = rigidMotions(beam);
  for (const BeamMass kind : {BeamMass::consistent, BeamMass::corrected}) {
    beam.massKind = kind;
    const Matrix moved = r.transpose() * beam.mass() * r;
    EXPECT_LE((moved - Matrix(body)).cwiseAbs().maxCoeff(), 100.0 * kEpsilon * m);
  }
}

TEST(BeamElement, EulerBernoulliHasNoRotaryInertiaOfItsSections) {
  const Beam beam = alignedBeam(asymmetricBeam(BeamTheory::eulerBernoulli), {2.0, 0.0, 0.0});
  const Matrix r = rigidMotions(beam);
  const Matrix moved = r.transpose() * beam.mass() * r;
  const double perLength = beam.material.density * beam.section.area;
  // About the end: m L^2 / 3 in bending; the inertia in torsion is unchanged.
  EXPECT_NEAR(moved(4, 4), perLength * 8.0 / 3.0, 1e-13 * perLength);
  EXPECT_NEAR(moved(5, 5), perLength * 8.0 / 3.0, 1e-13 * perLength);
  EXPECT_NEAR(moved(3, 3), beam.material.density * beam.section.polarInertia() * 2.0, 1e-16 * 7800.0);
}

TEST(BeamElement, TipOfACantileverMovesAsTheTheoryOfBeamsSays) {
  for (const BeamTheory theory : {BeamTheory::eulerBernoulli, BeamTheory::timoshenko}) {
    const double l = 0.5;
    const Beam beam = alignedBeam(asymmetricBeam(theory), {l, 0.0, 0.0});
    const SectionConstants& c = beam.section;
    const double e = beam.material.young, g = beam.material.shearModulus();
    const double shear = theory == BeamTheory::timoshenko ? 1.0 : 0.0;
    const Vector y = cantileverTipMotion(beam, {0.0, 1e3, 0.0}, Vec3::Zero());
    const double bendY = 1e3 * l * l * l / (3.0 * e * c.inertiaZ);
    EXPECT_NEAR(y[1], bendY + shear * 1e3 * l / (g * c.shearAreaY), 1e-12 * bendY);
    EXPECT_NEAR(y[5], 1e3 * l * l / (2.0 * e * c.inertiaZ), 1e-12 * y[5]);
    const Vector z = cantileverTipMotion(beam, {0.0, 0.0, 1e3}, Vec3::Zero());
    const double bendZ = 1e3 * l * l * l / (3.0 * e * c.inertiaY);
    EXPECT_NEAR(z[2], bendZ + shear * 1e3 * l / (g * c.shearAreaZ), 1e-12 * bendZ);
    EXPECT_NEAR(z[4], -1e3 * l * l / (2.0 * e * c.inertiaY), 1e-12 * -z[4]);
    const Vector turned = cantileverTipMotion(beam, {1e4, 0.0, 0.0}, {50.0, 20.0, 0.0});
    EXPECT_NEAR(turned[0], 1e4 * l / (e * c.area), 1e-12 * turned[0]);
    EXPECT_NEAR(turned[3], 50.0 * l / (g * c.torsion), 1e-12 * turned[3]);
    EXPECT_NEAR(turned[4], 20.0 * l / (e * c.inertiaY), 1e-12 * turned[4]);
    EXPECT_NEAR(turned[2], -20.0 * l * l / (2.0 * e * c.inertiaY), 1e-12 * -turned[2]);
  }
}

TEST(BeamElement, OnlyAForceThroughTheShearCentreDoesNotTwist) {
  Beam beam = alignedBeam(asymmetricBeam(BeamTheory::timoshenko), {0.5, 0.0, 0.0});
  const double straight = cantileverTipMotion(beam, {0.0, 1e3, 0.0}, Vec3::Zero())[1];
  beam.section.shearCentre = {0.01, 0.03};
  const double flexibility = 0.5 / (beam.material.shearModulus() * beam.section.torsion);
  // A force along y at the centroid has the moment ez Fy about the shear centre; a force along z has -ey Fz.
  const Vector y = cantileverTipMotion(beam, {0.0, 1e3, 0.0}, Vec3::Zero());
  EXPECT_NEAR(y[3], 0.03 * 1e3 * flexibility, 1e-12 * std::abs(y[3]));
  EXPECT_NEAR(y[1], straight + 0.03 * y[3], 1e-12 * y[1]);
  EXPECT_NEAR(cantileverTipMotion(beam, {0.0, 0.0, 1e3}, Vec3::Zero())[3], -0.01 * 1e3 * flexibility,
              1e-12 * 1e-3);
  // With the force at the shear centre the centroid moves like that of a beam without offset.
  const Vector through = cantileverTipMotion(beam, {0.0, 1e3, 0.0}, {-0.03 * 1e3, 0.0, 0.0});
  EXPECT_NEAR(through[3], 0.0, 1e-15);
  EXPECT_NEAR(through[1], straight, 1e-12 * straight);
}

TEST(BeamElement, MassAboutTheShearCentreIsThatOfABodyTurningThere) {
  Beam beam = alignedBeam(asymmetricBeam(BeamTheory::timoshenko), {0.5, 0.0, 0.0});
  beam.section.shearCentre = {0.01, 0.03};
  // Both sections rotate about the shear centre: the centroids at (0, -ey, -ez) from the shear centre move.
  Vector swing = Vector::Zero(12);
  for (const int node : {0, 6}) swing.segment<6>(node) << 0.0, 0.03, -0.01, 1.0, 0.0, 0.0;
  const SectionConstants& c = beam.section;
  const double expected = 0.5 * 7800.0 * (c.polarInertia() + c.area * (0.01 * 0.01 + 0.03 * 0.03));
  EXPECT_NEAR(swing.dot(beam.mass() * swing), expected, 1e-13 * expected);
}

/// Coefficients of Friedman and Kosmatka in their printed closed form.
struct ClosedForm {
  double phi, slenderness, mass, length;  // Phi, I/(A L^2), rho A L
  double massFactor() const { return mass / ((1.0 + phi) * (1.0 + phi)); }
  double quadraticInPhi(double a, double b, double d) const { return a + b * phi + d * phi * phi; }
  double rotaryFactor() const { return slenderness; }
  Matrix matrix() const {
    const double l = length;
    const double m11 = massFactor() * (quadraticInPhi(13.0 / 35, 7.0 / 10, 1.0 / 3) + 1.2 * rotaryFactor());
    const double m12 =
        massFactor() * l *
        (quadraticInPhi(11.0 / 210, 11.0 / 120, 1.0 / 24) + rotaryFactor() * (0.1 - 0.5 * phi));
    const double m13 = massFactor() * (quadraticInPhi(9.0 / 70, 3.0 / 10, 1.0 / 6) - 1.2 * rotaryFactor());
    const double m14 = -massFactor() * l *
                       (quadraticInPhi(13.0 / 420, 3.0 / 40, 1.0 / 24) - rotaryFactor() * (0.1 - 0.5 * phi));
    const double m22 = massFactor() * l * l *
                       (quadraticInPhi(1.0 / 105, 1.0 / 60, 1.0 / 120) +
                        rotaryFactor() * quadraticInPhi(2.0 / 15, 1.0 / 6, 1.0 / 3));
    const double m24 = -massFactor() * l * l *
                       (quadraticInPhi(1.0 / 140, 1.0 / 60, 1.0 / 120) +
                        rotaryFactor() * quadraticInPhi(1.0 / 30, 1.0 / 6, -1.0 / 6));
    Matrix m(4, 4);
    m << m11, m12, m13, m14, m12, m22, -m14, m24, m13, -m14, m11, -m12, m14, m24, -m12, m22;
    return m;
  }
};

TEST(BeamElement, ConsistentMassHasTheClosedFormOfFriedmanAndKosmatka) {
  for (const BeamTheory theory : {BeamTheory::eulerBernoulli, BeamTheory::timoshenko}) {
    const double l = 0.2;
    const Beam beam = alignedBeam(asymmetricBeam(theory), {l, 0.0, 0.0});
    const SectionConstants& c = beam.section;
    const bool shear = theory == BeamTheory::timoshenko;
    const double m = 7800.0 * c.area * l;
    const auto phi = [&](double inertia, double area) {
      return shear ? 12.0 * 2.6 * inertia / (area * l * l) : 0.0;  // E/G = 2.6
    };
    const auto slenderness = [&](double inertia) { return shear ? inertia / (c.area * l * l) : 0.0; };
    const Matrix xy = ClosedForm{phi(c.inertiaZ, c.shearAreaY), slenderness(c.inertiaZ), m, l}.matrix();
    Matrix xz = ClosedForm{phi(c.inertiaY, c.shearAreaZ), slenderness(c.inertiaY), m, l}.matrix();
    for (const int rotation : {1, 3}) {
      xz.row(rotation) *= -1.0;
      xz.col(rotation) *= -1.0;
    }
    const std::array<int, 4> inXy{1, 5, 7, 11}, inXz{2, 4, 8, 10};
    const ElementMatrix mass = beam.mass();
    EXPECT_LE((Matrix(mass(inXy, inXy)) - xy).cwiseAbs().maxCoeff(), 40.0 * kEpsilon * m);
    EXPECT_LE((Matrix(mass(inXz, inXz)) - xz).cwiseAbs().maxCoeff(), 40.0 * kEpsilon * m);
    EXPECT_LE(Matrix(mass(inXy, inXz)).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_NEAR(mass(0, 0), m / 3.0, 4.0 * kEpsilon * m);
    EXPECT_NEAR(mass(3, 9), 7800.0 * c.polarInertia() * l / 6.0, 4.0 * kEpsilon * m);
  }
}

TEST(BeamElement, LumpedMassIsThatOfTheHalvesAtTheNodes) {
  Beam beam = alignedBeam(asymmetricBeam(BeamTheory::timoshenko), {0.2, 0.0, 0.0});
  beam.massKind = BeamMass::lumped;
  const ElementMatrix m = beam.mass();
  EXPECT_EQ(Matrix(m), Matrix(m.diagonal().asDiagonal()));
  EXPECT_DOUBLE_EQ(m(7, 7), 0.1 * 7800.0 * 1.5e-3);
  EXPECT_DOUBLE_EQ(m(3, 3), 0.1 * 7800.0 * 4.2e-7);
  EXPECT_DOUBLE_EQ(m(4, 4), 0.1 * 7800.0 * 3.0e-7);
  EXPECT_DOUBLE_EQ(m(11, 11), 0.1 * 7800.0 * 1.2e-7);
  beam.theory = BeamTheory::eulerBernoulli;
  EXPECT_EQ(beam.mass()(11, 11), 0.0);
}

TEST(BeamElement, CorrectedMassIsPositive) {
  // From Phi = 1e5 to 1e-3; a thin tube has the smallest shear area.
  for (const SectionConstants& section :
       {asymmetricBeam(BeamTheory::timoshenko).section, sectionConstants(TubeSection{0.02, 1e-4}, 0.3)})
    for (double length = 1e-3; length < 10.0; length *= 1.2) {
      Beam beam = alignedBeam(asymmetricBeam(BeamTheory::timoshenko), {length, 0.0, 0.0});
      beam.section = section;
      beam.massKind = BeamMass::consistent;
      const Matrix consistent = beam.mass();
      beam.massKind = BeamMass::corrected;
      const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Matrix(beam.mass()), consistent,
                                                                    Eigen::EigenvaluesOnly);
      EXPECT_GT(solver.eigenvalues()[0], 0.3) << length;
    }
}

TEST(BeamElement, GyroscopicMatrixHasTheClosedFormOfNelson) {
  Beam beam = alignedBeam(asymmetricBeam(BeamTheory::timoshenko), {0.3, 0.0, 0.0});
  beam.section = sectionConstants(TubeSection{0.05, 0.01}, 0.3);
  beam.spin = 200.0;
  const double l = 0.3;
  const double phi = beam.shearDeformationParameter(beam.section.inertiaZ, beam.section.shearAreaY);
  const double r = 200.0 * 7800.0 * beam.section.polarInertia() / (30.0 * l * (1.0 + phi) * (1.0 + phi));
  const double mixed = (3.0 - 15.0 * phi) * l;
  const double near = (4.0 + 5.0 * phi + 10.0 * phi * phi) * l * l;
  const double far = -(1.0 + 5.0 * phi - 5.0 * phi * phi) * l * l;
  // Integrals of products of rotations; -ry belongs to w as rz belongs to v.
  Matrix products(4, 4);
  products << 36.0, mixed, -36.0, mixed, mixed, near, -mixed, far, -36.0, -mixed, 36.0, -mixed, mixed, far,
      -mixed, near;
  const std::array<int, 4> inXy{1, 5, 7, 11}, inXz{2, 4, 8, 10};
  const Vector sign = Eigen::Vector4d(-1.0, 1.0, -1.0, 1.0);
  const ElementMatrix g = beam.gyroscopicMatrix();
  const Matrix expected = r * (sign.asDiagonal() * products);
  EXPECT_LE((Matrix(g(inXz, inXy)) - expected).cwiseAbs().maxCoeff(), 60.0 * kEpsilon * 36.0 * r);
  EXPECT_LE((Matrix(g + g.transpose())).cwiseAbs().maxCoeff(), 10.0 * kEpsilon * 36.0 * r);
  EXPECT_EQ(Matrix(g(inXy, inXy)).cwiseAbs().maxCoeff(), 0.0);
}

TEST(BeamElement, YAxisIsGlobalYUnlessTheBeamIsAlongIt) {
  EXPECT_EQ(*localAxesOfBeam({2.0, 0.0, 0.0}), Mat3(Mat3::Identity()));
  EXPECT_EQ(Vec3(localAxesOfBeam({0.0, 3.0, 0.0})->row(1)), Vec3(Vec3::UnitZ()));
  const Mat3 inclined = *localAxesOfBeam({1.0, 1.0, 0.0});
  EXPECT_NEAR(inclined(1, 0), -std::sqrt(0.5), 2.0 * kEpsilon);
  EXPECT_NEAR(inclined(1, 1), std::sqrt(0.5), 2.0 * kEpsilon);
  EXPECT_EQ(Vec3(localAxesOfBeam({2.0, 0.0, 0.0}, Vec3(5.0, 0.0, 2.0))->row(1)), Vec3(Vec3::UnitZ()));
  EXPECT_FALSE(localAxesOfBeam({2.0, 0.0, 0.0}, Vec3(-1.0, 0.0, 0.0)).has_value());
}

TEST(BeamSection, TubeAndCircleHaveTheirConstants) {
  // The tube of verification/data/tube_frequencies.csv.
  const SectionConstants tube = TubeSection{0.010, 0.0012}.computeSectionConstants();
  EXPECT_NEAR(tube.area, 7.087433e-5, 0.5e-11);  // as printed
  EXPECT_NEAR(tube.inertiaY, 3.143985e-9, 0.5e-15);
  const SectionConstants disc = CircleSection{2.0}.computeSectionConstants();
  EXPECT_DOUBLE_EQ(disc.area, 4.0 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(disc.inertiaZ, 4.0 * std::numbers::pi);  // pi r^4 / 4
  EXPECT_DOUBLE_EQ(disc.torsion, 8.0 * std::numbers::pi);
}

TEST(BeamSection, RectangleBendsAndTwistsAsKnown) {
  const SectionConstants c = RectangleSection{2.0, 6.0}.computeSectionConstants();
  EXPECT_DOUBLE_EQ(c.inertiaZ, 6.0 * 8.0 / 12.0);
  EXPECT_DOUBLE_EQ(c.inertiaY, 2.0 * 216.0 / 12.0);
  // J / (a b^3) of Timoshenko and Goodier, article 94, printed to three figures (and 0.1406 for the square).
  const auto ratio = [](double a) { return RectangleSection{1.0, a}.computeSectionConstants().torsion / a; };
  EXPECT_NEAR(ratio(1.0), 0.1406, 0.5e-4);
  EXPECT_NEAR(ratio(1.5), 0.196, 0.5e-3);
  EXPECT_NEAR(ratio(2.0), 0.229, 0.5e-3);
  EXPECT_NEAR(ratio(3.0), 0.263, 0.5e-3);
  EXPECT_NEAR(ratio(10.0), 0.312, 0.5e-3);
  EXPECT_DOUBLE_EQ(RectangleSection({6.0, 2.0}).computeSectionConstants().torsion, c.torsion);
}

TEST(BeamSection, ShearCoefficientsAreCowpers) {
  // nu = 0.3: table 2 of Cowper has 0.886 and 0.850; a thin ring has 2 (1 + nu) / (4 + 3 nu).
  EXPECT_NEAR(CircleSection{1.0}.shearCoefficient(0.3), 0.886, 0.5e-3);
  EXPECT_NEAR((RectangleSection{1.0, 2.0}.shearCoefficient(0.3)), 0.850, 0.5e-3);
  EXPECT_NEAR((TubeSection{1.0, 1e-6}.shearCoefficient(0.3)), 2.6 / 4.9, 1e-6);
  const SectionConstants c = sectionConstants(RectangleSection{1.0, 2.0}, 0.3, 5.0 / 6.0);
  EXPECT_DOUBLE_EQ(c.shearAreaY, 10.0 / 6.0);
  EXPECT_DOUBLE_EQ(c.shearAreaZ, 10.0 / 6.0);
}

TEST(PointMass, SpinGivesTheMomentOfATurningAngularMomentum) {
  PointMass disc{NodeIndex{0}, 2.0, Mat3(Vec3(0.2, 0.2, 0.3).asDiagonal()), Vec3(0.0, 0.0, 0.1)};
  disc.spin = 50.0;
  disc.spinAxis = Vec3::UnitZ();
  Vector rate = Vector::Zero(6);
  rate.tail<3>() = Vec3(0.4, -0.5, 0.7);
  const Vec3 moment = (disc.gyroscopicMatrix() * rate).tail<3>();
  // d/dt of H n with H = 15 N m s and n' = w x n
  EXPECT_LE((moment - 15.0 * Vec3(0.4, -0.5, 0.7).cross(Vec3::UnitZ())).norm(), 30.0 * kEpsilon);
}

}  // namespace
}  // namespace ricochet
