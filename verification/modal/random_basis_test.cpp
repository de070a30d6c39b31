#include "modal/eigen_solver.hpp"
#include "modal/solvers/structure_parts.hpp"
#include "physical/assembly/assembler.hpp"
#include "physical/dense_solvers.hpp"
#include "verification/support/beams.hpp"
#include "verification/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace ricochet {
namespace {

const std::vector<Component> kPlaceOfANode{Component::ux, Component::uy, Component::uz};
const std::vector<Component> kAllOfANode{Component::ux, Component::uy, Component::uz,
                                         Component::rx, Component::ry, Component::rz};

/// Random numbers of one variant of a structure.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double uniform(double from, double to) { return std::uniform_real_distribution(from, to)(random_); }
  double logarithmic(double from, double to) { return std::exp(uniform(std::log(from), std::log(to))); }
  int among(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  bool chance(double share) { return uniform(0.0, 1.0) < share; }
  Vec3 direction() {
    if (chance(0.4)) return Vec3::Unit(among(0, 2));
    Vec3 d;
    do d = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    while (d.norm() < 0.1);
    return d.normalized();
  }

 private:
  std::mt19937 random_;
};

/// A structure, and the number of its motions without strain, by its supports.
struct RandomStructure {
  Structure structure;
  int zeros{0};
  std::string kind;
};

/// One straight slender part with random proportions.
struct SlenderPart {
  double length{0.0}, slenderness{0.0};
  Material material;
  SectionConstants section;
  int elements{1};
  Vec3 span{Vec3::Zero()};  // length of an element
  bool jointed{false};      // true: two bars joined by a ball joint in the middle
  int first{0}, last{0};    // nodes
};

SlenderPart randomPart(Draw& draw, double unit, double mass, int elements) {
  SlenderPart part;
  part.length = draw.logarithmic(1e-3, 1e3) * unit;
  part.slenderness = draw.logarithmic(5.0, 1e5);
  part.material = {2.1e11 * mass / unit, draw.uniform(0.0, 0.49), 7800.0 * mass / (unit * unit * unit)};
  const double radius = part.length / part.slenderness;
  part.section = draw.chance(0.5)
                     ? sectionConstants(TubeSection{2.0 * radius, 0.3 * radius}, part.material.poisson)
                     : sectionConstants(RectangleSection{2.0 * radius, radius}, part.material.poisson);
  part.elements = elements;
  part.span = draw.direction() * part.length / elements;
  part.jointed = elements >= 2 && draw.chance(0.15);
  return part;
}

/// Adds nodes and beams of a part, with a random theory and form of mass.
void addBeams(Draw& draw, SlenderPart& part, Structure& s) {
  const BeamTheory theory = draw.chance(0.5) ? BeamTheory::timoshenko : BeamTheory::eulerBernoulli;
  const auto form = static_cast<BeamMass>(draw.among(0, 2));
  const Vec3 origin = draw.uniform(-10.0, 10.0) * part.length * draw.direction();
  part.first = static_cast<int>(s.positions.size());
  part.last = part.first + part.elements;
  const int middle = part.first + part.elements / 2;
  int twin = -1;
  for (int i = 0; i <= part.elements; ++i) s.positions.push_back(origin + i * part.span);
  if (part.jointed) {
    twin = static_cast<int>(s.positions.size());
    s.positions.push_back(Vec3(s.positions[static_cast<std::size_t>(middle)]));
    for (const Component c : kPlaceOfANode)
      s.relations.push_back({{{test::dofOf(middle, c), 1.0}, {test::dofOf(twin, c), -1.0}}});
  }
  for (int i = part.first; i < part.last; ++i) {
    Beam beam;
    beam.first = NodeIndex{i == middle && part.jointed ? twin : i};
    beam.second = NodeIndex{i + 1};
    beam.span = s.positions[static_cast<std::size_t>(i + 1)] - s.positions[static_cast<std::size_t>(i)];
    beam.axes = *localAxesOfBeam(beam.span);
    beam.material = part.material;
    beam.section = part.section;
    beam.theory = theory;
    beam.massKind = form;
    s.elements.emplace_back(beam);
  }
}

/// Adds, with some probability, a mass at one of the nodes, with or without an offset.
void addMass(Draw& draw, const SlenderPart& part, Structure& s) {
  if (!draw.chance(0.3)) return;
  const double m = part.material.density * part.section.area * part.length * draw.logarithmic(1e-3, 1e2);
  const double inertia = m * part.span.squaredNorm() * draw.logarithmic(1e-4, 1.0);
  const Vec3 offset = draw.chance(0.5) ? Vec3(0.1 * part.span.norm() * draw.direction()) : Vec3(Vec3::Zero());
  s.elements.emplace_back(PointMass{NodeIndex{draw.among(part.first, part.last)}, m,
                                    Mat3(inertia * Vec3(1.0, 1.3, 1.7).asDiagonal()), offset});
}

/// Supports a part in one of six ways; returns the number of motions without strain.
int supportPart(Draw& draw, const SlenderPart& part, int kind, Structure& s) {
  const int joint = part.jointed ? 3 : 0;  // the bars rotate relative to each other
  switch (kind) {
    case 0:  // free
      return 6 + joint;
    case 1:  // clamped
      test::fix(s, part.first, kAllOfANode);
      return joint;
    case 2:  // supported by a ball joint
      test::fix(s, part.first, kPlaceOfANode);
      return 3 + joint;
    case 3:
      test::fix(s, part.first, kPlaceOfANode);
      test::fix(s, part.last, kPlaceOfANode);
      // A shaft rotates about its axis; so does each of two bars, and the joint between them has lateral
      // motions whose strain is of second order.
      return part.jointed ? 2 + 2 : 1;
    case 4:  // a spring in every direction at one end
      s.elements.emplace_back(test::springBetween(part.first, -1,
                                                  Vec3::Constant(part.material.young * part.section.area /
                                                                 part.length * draw.logarithmic(1e-8, 1e2))));
      return 3 + joint;
    default:  // slides and rotates along an axis if the part lies along this axis
      for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(part.span.normalized()[axis]) <= 1.0 - 1e-12) continue;
        for (const int node : {part.first, part.last})
          for (int c = 0; c < 3; ++c)
            if (c != axis) s.fixed.push_back(test::dofOf(node, componentOfIndex(c)));
        return part.jointed ? 1 + 2 + 2 : 2;
      }
      test::fix(s, part.last, kAllOfANode);
      return joint;
  }
}

void addPart(Draw& draw, double unit, double mass, int elements, RandomStructure& all) {
  SlenderPart part = randomPart(draw, unit, mass, elements);
  addBeams(draw, part, all.structure);
  addMass(draw, part, all.structure);
  const int kind = draw.among(0, 5);
  all.zeros += supportPart(draw, part, kind, all.structure);
  all.kind += " kind " + std::to_string(kind) + (part.jointed ? "j" : "") + " n" + std::to_string(elements);
}

RandomStructure randomStructure(unsigned seed, int mostElements, int mostParts) {
  Draw draw(seed);
  RandomStructure all;
  const bool millimetres = draw.chance(0.5);  // mm, N, t
  const double unit = millimetres ? 1e3 : 1.0, mass = millimetres ? 1e-3 : 1.0;
  const int parts = draw.chance(0.7) ? 1 : static_cast<int>(draw.logarithmic(1.0, mostParts));
  for (int i = 0; i < parts; ++i)
    addPart(draw, unit, mass, static_cast<int>(draw.logarithmic(1.0, 1.0 + mostElements / parts)), all);
  return all;
}

using Real = long double;
using DenseMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using DenseVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// Eigenvalues of a part by a dense solver in long double; combinations of dofs without mass are condensed.
DenseVector denseEigenvalues(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const DenseMatrix k = Matrix(stiffness).cast<Real>(), m = Matrix(mass).cast<Real>();
  const DenseVector scale =
      m.diagonal().unaryExpr([](Real value) { return value > 0 ? 1 / std::sqrt(value) : Real(1); });
  const Eigen::SelfAdjointEigenSolver<DenseMatrix> masses(
      DenseMatrix(scale.asDiagonal() * m * scale.asDiagonal()));
  const Eigen::Index massless = (masses.eigenvalues().array() < Real(1e-10)).count();
  const Eigen::Index massive = m.rows() - massless;
  if (massive == 0) return {};
  const DenseMatrix basis = scale.asDiagonal() * masses.eigenvectors();
  const DenseMatrix y =
      basis.rightCols(massive) * masses.eigenvalues().tail(massive).cwiseSqrt().cwiseInverse().asDiagonal();
  DenseMatrix condensed = y.transpose() * k * y;
  if (massless > 0) {
    // The matrices are scaled, so that pivots do not mix metres and radians.
    const DenseMatrix z = basis.leftCols(massless);
    const DenseMatrix inner = z.transpose() * k * z, coupling = z.transpose() * k * y;
    const DenseVector d = inner.diagonal().cwiseSqrt().cwiseInverse();
    const DenseMatrix scaled = d.asDiagonal() * inner * d.asDiagonal();
    condensed -=
        coupling.transpose() * (d.asDiagonal() * scaled.ldlt().solve(DenseMatrix(d.asDiagonal() * coupling)));
  }
  return Eigen::SelfAdjointEigenSolver<DenseMatrix>(DenseMatrix((condensed + condensed.transpose()) / 2),
                                                    Eigen::EigenvaluesOnly)
      .eigenvalues();
}

/// An eigenvalue and its possible rounding error in the dense solver.
struct ReferenceMode {
  double eigenvalue, rounding;
};

/// Eigenvalues of all parts in increasing order. Each part is solved alone, because the stiffest part would
/// limit the accuracy of the softest.
std::vector<ReferenceMode> referenceModes(const PhysicalModel& model) {
  std::vector<ReferenceMode> modes;
  for (const StructurePart& part : partsOfStructure(model)) {
    const DenseVector values = denseEigenvalues(part.stiffness, part.mass);
    if (values.size() == 0) continue;
    const double rounding =
        10.0 * std::sqrt(static_cast<double>(part.size())) *
        static_cast<double>(std::numeric_limits<Real>::epsilon() * values[values.size() - 1]);
    for (const Real value : values) modes.push_back({static_cast<double>(value), rounding});
  }
  std::sort(modes.begin(), modes.end(),
            [](const auto& a, const auto& b) { return a.eigenvalue < b.eigenvalue; });
  return modes;
}

/// Change of an eigenvalue by the rounding of the entries of K and M in double precision: some eps of |x|^t
/// |K| |x| and of omega^2 |x|^t |M| |x|, whose terms cancel in a slender oblique part.
double entryRounding(const PhysicalModel& model, double eigenvalue, const Vector& shape) {
  constexpr double kRoundings = 16.0 * test::kEpsilon;
  const Vector x = shape.cwiseAbs();
  return kRoundings *
         (x.dot(model.stiffness.cwiseAbs() * x) + eigenvalue * x.dot(model.mass.cwiseAbs() * x)) /
         shape.dot(model.mass * shape);
}

/// The unused reference mode that is nearest to an eigenvalue.
std::size_t nearestReferenceMode(const std::vector<ReferenceMode>& modes, const std::vector<bool>& taken,
                                 double eigenvalue) {
  std::size_t best = modes.size();
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (!taken[k] && (best == modes.size() || std::abs(modes[k].eigenvalue - eigenvalue) <
                                                  std::abs(modes[best].eigenvalue - eigenvalue)))
      best = k;
  return best;
}

/// Every elastic mode has a reference mode, and below the last mode the reference has no further modes except
/// zeros, which the dense solver computes with errors.
void expectFrequencies(const PhysicalModel& model, const ModalBasis& basis) {
  const std::vector<ReferenceMode> reference = referenceModes(model);
  std::vector<bool> taken(reference.size(), false);
  for (Eigen::Index i = basis.rigidModes; i < basis.size(); ++i) {
    const std::size_t at = nearestReferenceMode(reference, taken, basis.eigenvalue[i]);
    ASSERT_LT(at, reference.size());
    taken[at] = true;
    const auto [exact, rounding] = reference[at];
    EXPECT_NEAR(basis.eigenvalue[i], exact,
                2e-9 * exact + rounding + entryRounding(model, exact, basis.reducedShapes.col(i)))
        << "mode " << i + 1;
  }
  int left = 0;
  for (std::size_t k = 0; k < reference.size(); ++k)
    if (!taken[k] && basis.size() > 0 && reference[k].eigenvalue < 0.999 * basis.eigenvalue.tail(1)[0])
      ++left;
  EXPECT_LE(left, basis.rigidModes);
}

// 20 000 random structures in full runs: none fails, none is refused, all have the zero eigenvalues of their
// supports, and the frequencies of a dense solver.
TEST(RandomStructures, HaveTheirZerosAndFrequencies) {
  const int count = test::variants(200, 20000);
  for (int seed = 1; seed <= count; ++seed) {
    const bool large = seed % 50 == 0;
    const RandomStructure random =
        randomStructure(static_cast<unsigned>(seed), large ? 400 : 12, large ? 500 : 8);
    SCOPED_TRACE("structure " + std::to_string(seed) + random.kind.substr(0, 200));
    const PhysicalModel model = assembleModel(random.structure);
    Draw draw(static_cast<unsigned>(seed) + 1000000U);
    const int available = [&] {
      if (model.size() > 300) return 60;
      return extractModes(model, {.all = true}).size();
    }();
    ASSERT_GT(available, 0);
    const int modes = draw.chance(0.2) ? available : draw.among(1, available);
    ModalBasis basis;
    EXPECT_NO_THROW(basis = extractModes(model, {.modes = modes, .wholeMultiplets = true}));
    if (basis.size() == 0) continue;
    EXPECT_EQ(basis.rigidModes, random.zeros);
    EXPECT_GE(basis.size(), std::max(modes, random.zeros));
    EXPECT_EQ(basis.missedModes, 0);
    if (model.size() <= 700) expectFrequencies(model, basis);
    if (::testing::Test::HasFailure() && !test::isFull()) break;
  }
}

}  // namespace
}  // namespace ricochet
