#include "io/deck/read_parts.hpp"
#include "physical/dense_solvers.hpp"
#include "physical/elements/elements.hpp"

#include <Eigen/Geometry>
#include <fmt/core.h>

#include <cmath>

namespace ricochet {
namespace {

/// Relative rounding of a printed matrix.
constexpr double kPrintedRounding = 1e-9;

bool isSymmetric(const Matrix& matrix) {
  return (matrix - matrix.transpose()).cwiseAbs().maxCoeff() <=
         kPrintedRounding * matrix.cwiseAbs().maxCoeff();
}

Matrix symmetricPart(const Matrix& matrix) { return 0.5 * (matrix + matrix.transpose()); }

/// Smallest eigenvalue of a symmetric matrix; 0 if it is negative only by rounding.
double lowestEigenvalue(const Matrix& matrix) {
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  const double lowest = values.minCoeff();
  return lowest < 0.0 && -lowest <= kPrintedRounding * values.cwiseAbs().maxCoeff() ? 0.0 : lowest;
}

/// Reports a problem if a mass has a motion with negative kinetic energy.
void requireNonNegativeMass(const Section& section, std::string_view key, const Matrix& matrix) {
  const double lowest = lowestEigenvalue(matrix);
  if (lowest < 0.0) {
    section.problem(key,
                    fmt::format("must be positive semi-definite, but has the eigenvalue {:.6g}", lowest));
  }
}

bool requireSymmetric(const Section& section, std::string_view key, const Matrix& matrix) {
  if (isSymmetric(matrix)) return true;
  section.problem(key, "must be symmetric");
  return false;
}

/// Reads J from [Ixx, Iyy, Izz, Ixy, Iyz, Ixz].
std::optional<Mat3> readInertiaTensor(const Section& section) {
  const ProblemWatch watch(section);
  const std::optional<std::vector<double>> given = section.numbers("inertia", {6}, {.unit = "kg m^2"});
  if (!given || !watch.isFreeOfProblems()) return std::nullopt;
  const std::vector<double>& v = *given;
  Mat3 inertia;
  inertia << v[0], v[3], v[5], v[3], v[1], v[4], v[5], v[4], v[2];
  requireNonNegativeMass(section, "inertia", inertia);
  return inertia;
}

/// True if the axis is principal and the inertia is equal about all axes orthogonal to this axis.
bool isRotationallySymmetric(const Mat3& inertia, const Vec3& axis) {
  const Vec3 along = inertia * axis;
  const double polar = axis.dot(along);
  const double across = 0.5 * (inertia.trace() - polar);
  const Mat3 round = polar * axis * axis.transpose() + across * (Mat3::Identity() - axis * axis.transpose());
  return (inertia - round).cwiseAbs().maxCoeff() <= kPrintedRounding * inertia.cwiseAbs().maxCoeff();
}

void readSpin(const Section& section, PointMass& mass) {
  const ProblemWatch watch(section);
  mass.spin = ricochet::readSpin(section).speed;
  const std::optional<Vec3> axis = section.direction("spin_axis");
  if (axis && !section.hasKey("spin")) section.problem("spin_axis", "needs `spin`");
  if (!section.hasKey("spin")) return;
  if (!section.hasKey("inertia")) section.problem("spin", "needs `inertia`");
  if (!axis) section.problem("spin", "needs `spin_axis`");
  if (!watch.isFreeOfProblems() || !axis || !mass.inertia) return;
  mass.spinAxis = *axis;
  if (!isRotationallySymmetric(*mass.inertia, *axis))
    section.problem("spin", "needs an inertia that is the same in all directions across `spin_axis`");
  if (axis->cross(mass.offset).norm() > kPrintedRounding * mass.offset.norm())
    section.problem("offset", "must be along `spin_axis` of a mass that spins");
}

PointMass readPointMass(const Section& section) {
  PointMass mass;
  const ProblemWatch watch(section);
  mass.value = section.number("mass", kRequired, rangeAtLeast(0.0, "kg"));
  if (watch.isFreeOfProblems() && mass.value == 0.0 && !section.hasKey("inertia"))
    section.problem("mass", "must be above 0 kg; 0 is for a mass with `inertia`");
  mass.inertia = readInertiaTensor(section);
  mass.offset = section.vector3("offset", {.unit = "m"}).value_or(Vec3::Zero());
  readSpin(section, mass);
  return mass;
}

Matrix readMassMatrix(const Section& section) {
  const ProblemWatch watch(section);
  Matrix matrix = section.matrix("matrix", kRequired, {{3, 3}, {6, 6}});
  for (const std::string_view key : {"inertia", "offset", "spin", "spin_axis"}) {
    if (section.hasKey(key))
      section.problem(key, "contradicts `matrix`, which holds the whole mass; give one of them");
  }
  if (!watch.isFreeOfProblems() || !requireSymmetric(section, "matrix", matrix)) return matrix;
  requireNonNegativeMass(section, "matrix", symmetricPart(matrix));
  return symmetricPart(matrix);
}

/// Reads local axes as rows: x as given, y made orthogonal to x.
Mat3 readLocalAxes(const Section& section) {
  const ProblemWatch watch(section);
  const Vec3 x = section.direction("x", kRequired);
  const Vec3 y = section.direction("y", kRequired);
  const Vec3 orthogonal = y - y.dot(x) * x;
  if (!watch.isFreeOfProblems() || !section.exists()) return Mat3::Identity();
  if (orthogonal.norm() <= kPrintedRounding) {
    section.problem("y", "must not be parallel to `x`");
    return Mat3::Identity();
  }
  Mat3 axes;
  axes << x.transpose(), orthogonal.normalized().transpose(), x.cross(orthogonal.normalized()).transpose();
  return axes;
}

struct ConnectorKind {
  std::string_view table;        ///< "springs"
  std::string_view coefficient;  ///< "stiffness"
  std::string_view unit, turningUnit;
  bool symmetric;  ///< its matrix must be symmetric
};

/// Reads a spring or damper; empty if it is invalid.
std::optional<Connector> readSpringOrDamper(ReadContext& context, const Section& section,
                                            const ConnectorKind& kind) {
  const ProblemWatch watch(section);
  std::optional<std::vector<NodeIndex>> nodes = context.readDifferentNodes(section, "nodes");
  if (nodes && nodes->size() > 2) {
    section.problem("nodes", fmt::format("must be one node (to the ground) or two (between them), got {}; "
                                         "write one entry per element",
                                         nodes->size()));
    nodes.reset();
  }

  Connector connector;
  const bool both = section.hasKey("matrix") && section.hasKey(kind.coefficient);
  if (both) section.onlyPresentKeyOf({kind.coefficient, "matrix"});
  if (section.hasKey("matrix")) {
    MatrixShapes shapes{{3, 3}, {6, 6}, {12, 12}};
    if (nodes) shapes = nodes->size() == 1 ? MatrixShapes{{3, 3}, {6, 6}} : MatrixShapes{{6, 6}, {12, 12}};
    const ProblemWatch matrixWatch(section);
    const Matrix matrix = section.matrix("matrix", kRequired, shapes);
    if (matrixWatch.isFreeOfProblems() && kind.symmetric) requireSymmetric(section, "matrix", matrix);
    connector.matrix = kind.symmetric && matrixWatch.isFreeOfProblems() ? symmetricPart(matrix) : matrix;
  }
  if (both || !section.hasKey("matrix")) {
    const std::vector<double> values =
        section.numbers(kind.coefficient, kRequired, {3, 6},
                        {.lowest = 0.0, .unit = kind.unit, .turningUnit = kind.turningUnit});
    const Vector coefficients =
        Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
    if (nodes) connector = Connector::connectorFromDiagonal(*nodes, coefficients);
  }
  if (const std::optional<Section> axes = section.section("axes")) connector.axes = readLocalAxes(*axes);
  if (!watch.isFreeOfProblems() || !nodes) return std::nullopt;
  connector.nodes = *nodes;
  return connector;
}

}  // namespace

void readMasses(ReadContext& context) {
  for (const Section& section : context.root.sections("masses")) {
    const ProblemWatch watch(section);
    const auto nodes = context.readNodesOfKey(section, "nodes");
    const bool isMatrix = section.hasKey("matrix");
    if (isMatrix) section.onlyPresentKeyOf({"mass", "matrix"});
    const Matrix matrix = isMatrix ? readMassMatrix(section) : Matrix{};
    const PointMass mass = isMatrix ? PointMass{} : readPointMass(section);
    if (!watch.isFreeOfProblems() || !nodes) continue;
    const std::size_t first = context.study.structure.elements.size();
    for (const NodeIndex node : *nodes) {
      PointMass here = mass;
      here.node = node;
      if (isMatrix)
        context.study.structure.elements.emplace_back(MassMatrix{node, matrix});
      else
        context.study.structure.elements.emplace_back(here);
    }
    recordVaryingSpin(context, section, first);
  }
}

void readSpringsAndDampers(ReadContext& context) {
  const ConnectorKind spring{"springs", "stiffness", "N/m", "N m", true};
  for (const Section& section : context.root.sections(spring.table)) {
    if (auto connector = readSpringOrDamper(context, section, spring))
      context.study.structure.elements.emplace_back(Spring{std::move(*connector)});
  }
  const ConnectorKind damper{"dampers", "damping", "N s/m", "N m s", false};
  for (const Section& section : context.root.sections(damper.table)) {
    auto connector = readSpringOrDamper(context, section, damper);
    if (!connector) continue;
    for (const NodeIndex node : connector->nodes)
      context.study.places.addPlaceOfPart("dampers." + context.nodeName(node), section.where());
    context.study.structure.elements.emplace_back(Dashpot{std::move(*connector)});
  }
}

}  // namespace ricochet
