#include "physical/elements/beam.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Matrix4 = Eigen::Matrix4d;
using Interpolation =
    Eigen::Matrix<double, 6, 12>;  ///< u, v, w, rx, ry, rz of a section from the displacements of the nodes

/// Rows of the four dofs that describe bending in a plane. In the x-z plane the rotation is -ry.
struct Plane {
  std::array<int, 4> rows;
  double sign;  ///< sign of the rotation
};
constexpr Plane kXY{{1, 5, 7, 11}, 1.0};
constexpr Plane kXZ{{2, 4, 8, 10}, -1.0};

double signOfRotation(const Plane& plane, int i) { return i % 2 == 0 ? 1.0 : plane.sign; }

void addBendingMatrixToBeam(const Plane& plane, const Matrix4& part, Matrix12& whole) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      whole(plane.rows[static_cast<std::size_t>(i)], plane.rows[static_cast<std::size_t>(j)]) +=
          signOfRotation(plane, i) * signOfRotation(plane, j) * part(i, j);
}

/// Adds a spring (or another scalar coupling) between a dof of the first node and the same dof of the second
/// node.
void addCouplingOfEndDofs(int row, double value, Matrix12& whole) {
  whole(row, row) += value;
  whole(row + 6, row + 6) += value;
  whole(row, row + 6) -= value;
  whole(row + 6, row) -= value;
}

Matrix4 bendingStiffness(double rigidity, double length, double phi) {
  const double translation = 12.0 * rigidity / ((1.0 + phi) * length * length * length);
  const double mixed = 0.5 * length * translation;
  const double near = (4.0 + phi) * rigidity / ((1.0 + phi) * length);
  const double far = (2.0 - phi) * rigidity / ((1.0 + phi) * length);
  Matrix4 k;
  k << translation, mixed, -translation, mixed,   //
      mixed, near, -mixed, far,                   //
      -translation, -mixed, translation, -mixed,  //
      mixed, far, -mixed, near;
  return k;
}

/// Deflection and rotation at s = x/L from (v1, rz1, v2, rz2), see the formulas of Beam.
struct BendingShape {
  Eigen::Vector4d deflection;
  Eigen::Vector4d rotation;
};
BendingShape bendingShapeFunctions(double s, double length, double phi) {
  const double square = s * s;
  const double cube = square * s;
  BendingShape shape;
  shape.deflection << 1.0 + phi - phi * s - 3.0 * square + 2.0 * cube,
      length * ((1.0 + 0.5 * phi) * s - (2.0 + 0.5 * phi) * square + cube),
      phi * s + 3.0 * square - 2.0 * cube, length * (-0.5 * phi * s - (1.0 - 0.5 * phi) * square + cube);
  shape.rotation << 6.0 * (square - s) / length, 1.0 + phi - (4.0 + phi) * s + 3.0 * square,
      6.0 * (s - square) / length, 3.0 * square - (2.0 - phi) * s;
  shape.deflection /= 1.0 + phi;
  shape.rotation /= 1.0 + phi;
  return shape;
}

void setBendingInterpolation(const Plane& plane, const BendingShape& shape, int deflection, int rotation,
                             Interpolation& b) {
  for (int i = 0; i < 4; ++i) {
    const int row = plane.rows[static_cast<std::size_t>(i)];
    b(deflection, row) = signOfRotation(plane, i) * shape.deflection[i];
    b(rotation, row) = plane.sign * signOfRotation(plane, i) * shape.rotation[i];
  }
}

/// Transforms displacements of the centroids of both nodes to displacements of the shear centres.
Matrix12 shearCentreTransformation(const Eigen::Vector2d& centre) {
  Matrix12 t = Matrix12::Identity();
  for (const int node : {0, 6}) {
    t(node + 1, node + 3) = -centre.y();
    t(node + 2, node + 3) = centre.x();
  }
  return t;
}

/// Displacements of the section at s, at its centroid.
Interpolation interpolationMatrix(const Beam& beam, double s) {
  const double length = beam.length();
  const SectionConstants& c = beam.section;
  Interpolation b = Interpolation::Zero();
  for (const int linear : {0, 3}) {
    b(linear, linear) = 1.0 - s;
    b(linear, linear + 6) = s;
  }
  setBendingInterpolation(
      kXY, bendingShapeFunctions(s, length, beam.shearDeformationParameter(c.inertiaZ, c.shearAreaY)), 1, 5,
      b);
  setBendingInterpolation(
      kXZ, bendingShapeFunctions(s, length, beam.shearDeformationParameter(c.inertiaY, c.shearAreaZ)), 2, 4,
      b);
  if (c.shearCentre.isZero(0.0)) return b;
  b = Interpolation(b * shearCentreTransformation(c.shearCentre));
  b.row(1) += c.shearCentre.y() * b.row(3);
  b.row(2) -= c.shearCentre.x() * b.row(3);
  return b;
}

/// Integral over the length of B^t D B by four Gauss points: exact, because B is cubic.
template <class Density>
Matrix12 integrateOverBeamLength(const Beam& beam, const Density& density) {
  const double inner = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(1.2));
  const double outer = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(1.2));
  const double heavy = (18.0 + std::sqrt(30.0)) / 72.0;
  const double light = (18.0 - std::sqrt(30.0)) / 72.0;
  Matrix12 sum = Matrix12::Zero();
  for (const auto& [x, weight] :
       {std::pair{-outer, light}, {-inner, heavy}, {inner, heavy}, {outer, light}}) {
    const Interpolation b = interpolationMatrix(beam, 0.5 * (1.0 + x));
    sum.noalias() += weight * beam.length() * (b.transpose() * (density * b));
  }
  return sum;
}

ElementMatrix rotateToGlobalAxes(const Beam& beam, const Matrix12& local) {
  Matrix12 rotation = Matrix12::Zero();
  for (int i = 0; i < 12; i += 3) rotation.block<3, 3>(i, i) = beam.axes;
  return rotation.transpose() * local * rotation;
}

/// Mass per length of u, v, w, rx, ry, rz.
Eigen::Matrix<double, 6, 1> massPerLength(const Beam& beam) {
  const SectionConstants& c = beam.section;
  const bool rotary = beam.theory == BeamTheory::timoshenko;
  Eigen::Matrix<double, 6, 1> mass;
  mass << c.area, c.area, c.area, c.polarInertia(), rotary ? c.inertiaY : 0.0, rotary ? c.inertiaZ : 0.0;
  return beam.material.density * mass;
}

/// Correction of the consistent mass matrix (bending in one plane) for the dynamic deflection, which static
/// shape functions neglect; `translation`, `rotary`: mass and rotary inertia per length. The square of the
/// shear is a term of eighth order: it keeps the mass positive for thin tubes with l/r = 10 to 30.
Matrix4 dynamicBendingMassCorrection(double translation, double rotary, double length, double phi) {
  const Eigen::Vector4d deflection(-1.0, 0.0, 1.0, 0.0);
  const Eigen::Vector4d turn(0.0, -1.0, 0.0, 1.0);
  const double share = phi / (1.0 + phi);
  const Eigen::Vector4d slant = deflection / length - Eigen::Vector4d(0.0, 0.5, 0.0, 0.5);
  const Eigen::Vector4d shear = share * slant;
  const auto product = [](const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
    return Matrix4(0.5 * (a * b.transpose() + b * a.transpose()));
  };
  return translation * length * length / 12.0 *
             product(deflection + length / std::pow(1.0 + phi, 3) * slant, shear) +
         rotary * share * length / 12.0 * product(turn, turn) -
         rotary / (1.0 + phi) * product(shear, deflection - length * shear);
}

/// Adds the antisymmetric coupling of bending rates in x-z with bending in x-y, and with opposite sign the
/// reverse coupling.
void addGyroscopicCoupling(const Matrix4& part, Matrix12& whole) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int y = kXY.rows[static_cast<std::size_t>(i)];
      const int z = kXZ.rows[static_cast<std::size_t>(j)];
      const double entry = signOfRotation(kXY, i) * signOfRotation(kXZ, j) * part(i, j);
      whole(y, z) += entry;
      whole(z, y) -= entry;
    }
}

Matrix12 dynamicMassCorrection(const Beam& beam, const Eigen::Matrix<double, 6, 1>& density) {
  const double length = beam.length();
  const SectionConstants& c = beam.section;
  Matrix12 m = Matrix12::Zero();
  addCouplingOfEndDofs(0, density[0] * length / 12.0, m);
  addCouplingOfEndDofs(3, density[3] * length / 12.0, m);
  addBendingMatrixToBeam(
      kXY,
      dynamicBendingMassCorrection(density[1], density[5], length,
                                   beam.shearDeformationParameter(c.inertiaZ, c.shearAreaY)),
      m);
  addBendingMatrixToBeam(
      kXZ,
      dynamicBendingMassCorrection(density[2], density[4], length,
                                   beam.shearDeformationParameter(c.inertiaY, c.shearAreaZ)),
      m);
  const Matrix12 t = shearCentreTransformation(c.shearCentre);
  return t.transpose() * m * t;
}

}  // namespace

double Beam::shearDeformationParameter(double inertia, double shearArea) const noexcept {
  if (theory == BeamTheory::eulerBernoulli) return 0.0;
  return 12.0 * material.young * inertia / (material.shearModulus() * shearArea * span.squaredNorm());
}

ElementMatrix Beam::stiffness() const {
  const double l = length();
  Matrix12 k = Matrix12::Zero();
  addCouplingOfEndDofs(0, material.young * section.area / l, k);
  addCouplingOfEndDofs(3, material.shearModulus() * section.torsion / l, k);
  addBendingMatrixToBeam(kXY,
                         bendingStiffness(material.young * section.inertiaZ, l,
                                          shearDeformationParameter(section.inertiaZ, section.shearAreaY)),
                         k);
  addBendingMatrixToBeam(kXZ,
                         bendingStiffness(material.young * section.inertiaY, l,
                                          shearDeformationParameter(section.inertiaY, section.shearAreaZ)),
                         k);
  if (!section.shearCentre.isZero(0.0)) {
    const Matrix12 t = shearCentreTransformation(section.shearCentre);
    k = Matrix12(t.transpose() * k * t);
  }
  return rotateToGlobalAxes(*this, k);
}

ElementMatrix Beam::mass() const {
  const Eigen::Matrix<double, 6, 1> density = massPerLength(*this);
  if (massKind == BeamMass::lumped) {
    Matrix12 lumped = Matrix12::Zero();
    lumped.diagonal() << 0.5 * length() * density, 0.5 * length() * density;
    return rotateToGlobalAxes(*this, lumped);
  }
  Matrix12 m = integrateOverBeamLength(*this, density.asDiagonal());
  if (massKind == BeamMass::corrected) m += dynamicMassCorrection(*this, density);
  return rotateToGlobalAxes(*this, m);
}

/// Gyroscopic matrix. With the corrected mass it includes the effect of gyroscopic moments, a distributed
/// load like rotary inertia, on the deflections between the nodes.
ElementMatrix Beam::gyroscopicMatrix() const {
  if (spin == 0.0) return ElementMatrix::Zero(12, 12);
  Eigen::Matrix<double, 6, 6> moments = Eigen::Matrix<double, 6, 6>::Zero();
  moments(4, 5) = material.density * section.polarInertia() * spin;
  moments(5, 4) = -moments(4, 5);
  Matrix12 g = integrateOverBeamLength(*this, moments);
  if (massKind == BeamMass::corrected) {
    const double phi = shearDeformationParameter(section.inertiaZ, section.shearAreaY);
    addGyroscopicCoupling(dynamicBendingMassCorrection(0.0, moments(4, 5), length(), phi), g);
  }
  return rotateToGlobalAxes(*this, g);
}

Eigen::Matrix<double, 12, 4> Beam::equivalentNodalForces(const Eigen::Matrix<double, 6, 1>& load) const {
  Eigen::Matrix<double, 6, 1> local;
  local << axes * load.head<3>(), axes * load.tail<3>();
  Eigen::Matrix<double, 12, 4> values;  // values at s = 0, 1/3, 2/3, 1
  for (int i = 0; i < 4; ++i) values.col(i) = interpolationMatrix(*this, i / 3.0).transpose() * local;
  Matrix4 toCoefficients;  // coefficients of the cubic through these values, a column per coefficient
  toCoefficients << 1.0, -5.5, 9.0, -4.5,  //
      0.0, 9.0, -22.5, 13.5,               //
      0.0, -4.5, 18.0, -13.5,              //
      0.0, 1.0, -4.5, 4.5;
  Eigen::Matrix<double, 12, 4> forces = values * toCoefficients;
  for (int i = 0; i < 12; i += 3)
    forces.middleRows<3>(i) = (axes.transpose() * forces.middleRows<3>(i)).eval();
  return forces;
}

std::optional<Mat3> localAxesOfBeam(const Vec3& span, const std::optional<Vec3>& axisY) {
  // sine of the smallest angle between y axis and beam for which the y direction is meaningful
  constexpr double kParallel = 1e-6;
  const Vec3 x = span.normalized();
  const bool alongY = x.cross(Vec3::UnitY()).norm() <= kParallel;
  const Vec3 wanted = axisY.value_or(alongY ? Vec3::UnitZ() : Vec3::UnitY());
  const Vec3 y = wanted - wanted.dot(x) * x;
  if (!(y.norm() > kParallel * wanted.norm())) return std::nullopt;
  Mat3 axes;
  axes << x.transpose(), y.normalized().transpose(), x.cross(y.normalized()).transpose();
  return axes;
}

}  // namespace ricochet
