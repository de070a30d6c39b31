#include "verification/support/models.hpp"

#include "physical/dense_solvers.hpp"

#include <cmath>

namespace ricochet::test {

ModelParts oscillator(const OscillatorData& data) {
  ModelParts parts;
  parts.linear = LinearSystem(Vector::Constant(1, data.stiffness / data.mass),
                              Matrix::Constant(1, 1, data.damping / data.mass), true);
  return parts;
}

ModalChain modalChain(const ModalChainData& data) {
  const auto n = static_cast<Eigen::Index>(data.masses.size());
  const Vector root = Eigen::Map<const Vector>(data.masses.data(), n).cwiseSqrt();
  Matrix stiffness = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    Vector stretch = Vector::Zero(n);
    stretch[i] = -1.0;
    stretch[i + 1] = 1.0;
    stiffness += data.stiffness * stretch * stretch.transpose();
  }
  if (data.grounded) stiffness(0, 0) += data.stiffness;

  const Matrix scaled = root.cwiseInverse().asDiagonal() * stiffness * root.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
  Vector eigenvalues = solver.eigenvalues();
  if (!data.grounded) eigenvalues[0] = 0.0;  // zero eigenvalue of the rigid-body mode, within rounding

  ModalChain result;
  result.parts.linear = LinearSystem(eigenvalues, Matrix::Zero(n, n), true);
  result.shapes = root.cwiseInverse().asDiagonal() * solver.eigenvectors();
  return result;
}

Contact contactOf(Eigen::Index modes, AnyObstacle obstacle, AnyNormalLaw normal, AnyFrictionLaw friction) {
  Contact contact{.obstacle = obstacle, .normal = normal, .friction = friction, .rows = {}};
  contact.rows.setZero(3, modes);
  return contact;
}

ModelParts bouncer(const OscillatorData& data, AnyObstacle obstacle, LinearPenalty law) {
  ModelParts parts = oscillator(data);
  parts.contacts.push_back(contactOf(1, obstacle, law));
  parts.contacts.back().rows(0, 0) = 1.0 / std::sqrt(data.mass);
  return parts;
}

ModelParts slider(const OscillatorData& data, double load, RegularisedCoulomb law) {
  ModelParts parts = oscillator(data);
  parts.contacts.push_back(contactOf(1, NoObstacle{}, ImposedForce{}, law));
  parts.contacts.back().imposedForce = TimeFunction::constant(load);
  parts.contacts.back().rows(1, 0) = 1.0 / std::sqrt(data.mass);
  return parts;
}

Vector modeShapeOfSdnd106Mass(int mass) {
  Vector shape = Vector::Constant(2, 1.0 / std::sqrt(10.0));  // rigid-body mode, then masses in opposition
  if (mass == 2) shape[1] = -shape[1];
  return shape;
}

ModelParts sdnd106(double stickDamping) {
  ModelParts parts;
  Vector eigenvalues(2);
  eigenvalues << 0.0, 2.0 * 1e4 / 5.0;
  parts.linear = LinearSystem(eigenvalues, Matrix::Zero(2, 2), true);
  const std::vector<double> times{0.0, 0.2, 0.2, 1.0};
  const std::vector<double> forces{3000.0, 3000.0, 0.0, 0.0};
  const auto outside = TimeFunction::Outside::constant;
  parts.loads.push_back({modeShapeOfSdnd106Mass(2), TimeFunction::table(times, forces, outside, outside)});

  const RegularisedCoulomb law{.muStatic = 0.3, .muDynamic = 0.2, .stiffness = 5e7, .damping = stickDamping};
  parts.contacts.push_back(contactOf(2, NoObstacle{}, ImposedForce{}, law));
  parts.contacts.back().imposedForce = TimeFunction::constant(1e4);
  parts.contacts.back().rows.row(1) = modeShapeOfSdnd106Mass(1).transpose();
  return parts;
}

ModelParts sdnd100() {
  return slider({.mass = 1.0, .stiffness = 1e4}, 10.0, {.muStatic = 0.1, .muDynamic = 0.1, .stiffness = 4e5});
}

namespace {

constexpr double kLength = 10.0;              // [m]
constexpr double kMassPerLength = 0.5528198;  // [kg/m]
constexpr double kFirstFrequency = 0.542848;  // first frequency [Hz]; f_n = n^2 f_1

double tubeModeShapeValue(int wave, double x) {
  return std::sqrt(2.0 / (kMassPerLength * kLength)) * std::sin(wave * std::numbers::pi * x / kLength);
}

/// Value of mode shapes at x for bending in y (parity 0: modes 0, 2, 4, ...) or z (parity 1).
Vector tubeModeShapeRow(int modes, int parity, double x) {
  Vector row = Vector::Zero(modes);
  for (int i = parity; i < modes; i += 2) row[i] = tubeModeShapeValue(i / 2 + 1, x);
  return row;
}

TimeFunction tableOfHarmonicLoad(double amplitude, double frequency, const TubeData& data) {
  constexpr double kSampling = 1e-5;  // [s]
  std::vector<double> times, values;
  const auto first = static_cast<long>(std::floor(data.loadsFrom / kSampling + 1e-6));
  const auto last = static_cast<long>(std::ceil(data.loadsTo / kSampling - 1e-6));
  for (long i = first; i <= last; ++i) {
    times.push_back(static_cast<double>(i) * kSampling);
    values.push_back(amplitude * std::sin(2.0 * std::numbers::pi * frequency * times.back()));
  }
  const auto outside = TimeFunction::Outside::constant;
  return TimeFunction::table(times, values, outside, outside);
}

}  // namespace

std::vector<double> positionsOfTubeSlots(int count) {
  std::vector<double> stations;
  const double pitch = kLength / count;
  for (int i = 0; i < count; ++i) stations.push_back(count == 1 ? 3.75 : (i + 0.5) * pitch);
  return stations;
}

ModelParts tube(const TubeData& data) {
  ModelParts parts;
  Vector eigenvalues(data.modes);
  for (int i = 0; i < data.modes; ++i) {
    const int wave = i / 2 + 1;
    const double omega = 2.0 * std::numbers::pi * kFirstFrequency * wave * wave;
    eigenvalues[i] = omega * omega;
  }
  const Vector damping = 2.0 * 0.01 * eigenvalues.cwiseSqrt();
  parts.linear = LinearSystem(eigenvalues, damping.asDiagonal(), true);

  struct Force {
    double x, amplitude, frequency;
    int parity;
  };
  for (const Force& force : {Force{3.425, 20.0, 13.0, 0}, Force{6.125, 15.0, 29.0, 1},
                             Force{8.3, 10.0, 47.0, 0}, Force{1.9, 10.0, 61.0, 1}}) {
    parts.loads.push_back({tubeModeShapeRow(data.modes, force.parity, force.x),
                           tableOfHarmonicLoad(force.amplitude, force.frequency, data)});
  }
  for (const double x : data.stations) {
    if (data.round) {  // e1 = y, e2 = z
      Automaton friction;
      friction.muStatic = friction.muDynamic = 0.2;
      friction.stiffness = 1e5;
      Contact contact = contactOf(data.modes, Curved{Circle{.clearance = 0.5e-3}},
                                  LinearPenalty{.stiffness = 1e6}, friction);
      contact.rows.row(0) = tubeModeShapeRow(data.modes, 0, x).transpose();
      contact.rows.row(1) = tubeModeShapeRow(data.modes, 1, x).transpose();
      parts.contacts.push_back(contact);
      continue;
    }
    // e1 = z (direction of the slot), e2 = x (along the tube, no motion in bending), e3 = y
    const RegularisedCoulomb friction{.muStatic = 0.2, .muDynamic = 0.2, .stiffness = 1e5, .damping = 0.0};
    Contact contact = contactOf(data.modes, Slot{0.5e-3}, LinearPenalty{.stiffness = 1e6}, friction);
    contact.rows.row(0) = tubeModeShapeRow(data.modes, 1, x).transpose();
    contact.rows.row(2) = tubeModeShapeRow(data.modes, 0, x).transpose();
    parts.contacts.push_back(contact);
  }
  return parts;
}

}  // namespace ricochet::test
