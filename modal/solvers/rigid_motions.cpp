#include "modal/solvers/rigid_motions.hpp"

#include "physical/dense_solvers.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

using Combinations = Eigen::Matrix<double, 6, Eigen::Dynamic>;  // coefficients of the six motions of a piece
using RowsBySix = Eigen::Matrix<double, Eigen::Dynamic, 6>;

// Smallest part of a motion that is independent of the other motions, relative to the motion.
constexpr double kIndependent = 1e-9;

/// A connected piece: some rows of a part, with the six rigid motions of these rows.
struct Piece {
  std::vector<int> rows;
  RowsBySix motions;   // translations, rotations about the centre
  double length{1.0};  // size of a piece with more than one node [m]; converts angles to lengths
};

Eigen::Matrix<double, 1, 6> rigidMotionsOfDof(const PlacedDof& at, const Vec3& centre) {
  Eigen::Matrix<double, 1, 6> row = Eigen::Matrix<double, 1, 6>::Zero();
  const int c = static_cast<int>(at.dof.component);
  row[c] = 1.0;
  if (c >= 3) return row;
  for (int axis = 0; axis < 3; ++axis) row[3 + axis] = Vec3::Unit(axis).cross(at.position - centre)[c];
  return row;
}

Piece pieceWithRigidMotions(const StructurePart& part, std::vector<int> rows) {
  const auto at = [&](int row) -> const PlacedDof& { return part.dofs[static_cast<std::size_t>(row)]; };
  Piece piece;
  const Vec3 near = at(rows.front()).position;  // exact differences of positions far from the origin
  Vec3 sum = Vec3::Zero();
  for (const int row : rows) sum += at(row).position - near;
  const Vec3 centre = near + sum / static_cast<double>(rows.size());
  double squares = 0.0;
  piece.motions.resize(static_cast<Eigen::Index>(rows.size()), 6);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    squares += (at(rows[i]).position - centre).squaredNorm();
    piece.motions.row(static_cast<Eigen::Index>(i)) = rigidMotionsOfDof(at(rows[i]), centre);
  }
  if (squares > 0.0) {
    piece.length = std::sqrt(squares / static_cast<double>(rows.size()));
    // A single node: the length at which its rotational and translational stiffness are equal.
  } else {
    double moving = 0.0, turning = 0.0;
    for (const int row : rows) {
      double& stiffest = static_cast<int>(at(row).dof.component) < 3 ? moving : turning;
      stiffest = std::max(stiffest, std::abs(part.stiffness.coeff(row, row)));
    }
    if (moving > 0.0 && turning > 0.0) piece.length = std::sqrt(turning / moving);
  }
  piece.rows = std::move(rows);
  return piece;
}

/// Right singular vectors of a tall matrix, by its triangular factor: as accurate as those of the matrix.
struct RightVectors {
  Vector values;  // singular values, decreasing
  Matrix vectors;
};
RightVectors rightSingularVectors(const Matrix& tall) {
  Matrix triangle = tall;
  if (tall.rows() > tall.cols()) {
    const Eigen::HouseholderQR<Matrix> qr(tall);
    triangle = qr.matrixQR().topRows(tall.cols()).triangularView<Eigen::Upper>();
  }
  const Eigen::JacobiSVD<Matrix> svd(triangle, Eigen::ComputeFullV);
  RightVectors right{Vector::Zero(tall.cols()), svd.matrixV()};
  right.values.head(svd.singularValues().size()) = svd.singularValues();
  return right;
}

/// The independent combinations of the six motions (rotations scaled to lengths); a line of nodes without
/// rotational dofs does not move when it rotates about itself.
Combinations independentMotions(const StructurePart& part, const Piece& piece,
                                const Eigen::Matrix<double, 6, 1>& units) {
  Matrix moved = piece.motions * units.asDiagonal();
  for (std::size_t i = 0; i < piece.rows.size(); ++i)
    if (static_cast<int>(part.dofs[static_cast<std::size_t>(piece.rows[i])].dof.component) >= 3)
      moved.row(static_cast<Eigen::Index>(i)) *= piece.length;
  const RightVectors right = rightSingularVectors(moved);
  const Eigen::Index rank = (right.values.array() > kIndependent * right.values[0]).count();
  return right.vectors.leftCols(rank);
}

/// Forces of a piece: K times motions, and the sum of the absolute terms of each product.
struct Forces {
  Matrix sums, terms;
};
Forces computeElasticForces(const SparseMatrix& stiffness, const std::vector<int>& rows,
                            const Matrix& motions, std::vector<int>& local) {
  Forces forces{Matrix::Zero(motions.rows(), motions.cols()), Matrix::Zero(motions.rows(), motions.cols())};
  for (std::size_t i = 0; i < rows.size(); ++i)
    local[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (SparseMatrix::InnerIterator entry(stiffness, rows[j]); entry; ++entry) {
      const auto i = static_cast<Eigen::Index>(local[static_cast<std::size_t>(entry.row())]);
      const auto moved = motions.row(static_cast<Eigen::Index>(j));
      forces.sums.row(i) += entry.value() * moved;
      forces.terms.row(i) += std::abs(entry.value()) * moved.cwiseAbs();
    }
  return forces;
}

/// Combinations of the motions `independent` that cause no strain.
Combinations combinationsOfZeroStrain(const Forces& forces, const Combinations& independent,
                                      const Eigen::Matrix<double, 6, 1>& units, double limit) {
  const Vector size = (forces.terms * units.asDiagonal()).rowwise().maxCoeff();
  const Vector scale = size.unaryExpr([](double s) { return s > 0.0 ? 1.0 / s : 0.0; });
  const Matrix scaledForces = scale.asDiagonal() * forces.sums * units.asDiagonal();
  const Matrix strained = scaledForces * independent;
  const Matrix vectors = rightSingularVectors(strained).vectors;
  const Matrix shares = (strained * vectors).cwiseAbs();
  Combinations free(6, 0);
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    if (shares.col(k).maxCoeff() > limit) continue;
    free.conservativeResize(Eigen::NoChange, free.cols() + 1);
    free.rightCols(1) = independent * vectors.col(k);
  }
  return free;
}

/// An orthonormal basis of the space of `directions`, along the global axes as far as possible.
Matrix basisAlignedWithAxes(const Matrix& directions) {
  Matrix projector = directions * directions.transpose();
  Matrix basis(3, directions.cols());
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    Eigen::Index axis = 0;
    projector.diagonal().maxCoeff(&axis);
    Vec3 direction = projector.col(axis).normalized();
    for (double& value : direction)
      if (std::abs(value) < kIndependent) value = 0.0;
    direction.normalize();
    basis.col(k) = direction;
    projector -= direction * direction.transpose();
  }
  // sorts the directions: x before y before z
  std::vector<Eigen::Index> order(static_cast<std::size_t>(basis.cols()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  const auto axisOf = [&](Eigen::Index k) {
    Eigen::Index axis = 0;
    basis.col(k).cwiseAbs().maxCoeff(&axis);
    return axis;
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return axisOf(a) < axisOf(b); });
  return Matrix(basis(Eigen::all, order));
}

/// A basis of the same motions: pure translations, then rotations about the centre of mass and principal
/// axes. Rows of rotational dofs are scaled to lengths.
struct PureMotions {
  Combinations translations, rotations;
};
PureMotions separateTranslationsAndRotations(const Combinations& free, const Matrix& inertia) {
  PureMotions pure{Combinations(6, 0), Combinations(6, 0)};
  if (free.cols() == 0) return pure;
  const Matrix turning = free.bottomRows(3);
  const RightVectors right = rightSingularVectors(turning);
  const Eigen::Index turns =
      (right.values.head(std::min<Eigen::Index>(3, free.cols())).array() > kIndependent).count();
  const Combinations moving = free * right.vectors.rightCols(free.cols() - turns);
  if (moving.cols() > 0) {
    pure.translations = Combinations::Zero(6, moving.cols());
    const Matrix directions = moving.topRows(3);
    pure.translations.topRows(3) = basisAlignedWithAxes(orthonormalBasisOfColumns(directions));
  }
  if (turns == 0) return pure;
  Combinations about = free * right.vectors.leftCols(turns);
  // rotations about the centre of mass: no linear momentum along the free translations
  if (moving.cols() > 0) {
    const Matrix& t = pure.translations;
    const Matrix momenta = t.transpose() * inertia;
    const Eigen::LDLT<Matrix> solver(Matrix(momenta * t));
    if (solver.vectorD().minCoeff() > 0.0) {
      const Matrix along = solver.solve(Matrix(momenta * about));
      about -= t * along;
    }
  }
  const Matrix turned = about.transpose() * inertia;
  const Matrix moments = turned * about;
  const Matrix angles = about.bottomRows(3).transpose() * about.bottomRows(3);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> axes(0.5 * (moments + moments.transpose()), angles);
  pure.rotations = axes.info() == Eigen::Success ? Combinations(about * axes.eigenvectors()) : about;
  return pure;
}

/// Sets of rows connected by stiffness; rows without stiffness are grouped by mass coupling.
std::vector<std::vector<int>> findConnectedRowSets(const StructurePart& part) {
  CoupledRows coupled(part.size());
  coupled.coupleRowsOfMatrix(part.stiffness);
  const auto loose = [&](Eigen::Index row) { return part.stiffness.col(row).nonZeros() == 0; };
  for (Eigen::Index j = 0; j < part.mass.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(part.mass, j); entry; ++entry)
      if (loose(entry.row()) && loose(entry.col())) coupled.coupleRowsOfMatrix(entry.row(), entry.col());
  return coupled.setsOfCoupledRows();
}

void addMotionsOfPiece(const Piece& piece, const Matrix& shapes, Eigen::Index size,
                       std::vector<Vector>& motions) {
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    Vector motion = Vector::Zero(size);
    for (std::size_t i = 0; i < piece.rows.size(); ++i)
      motion[piece.rows[i]] = shapes(static_cast<Eigen::Index>(i), k);
    motions.push_back(std::move(motion));
  }
}

}  // namespace

double relativeStrainForceLimit(double rounding) {
  // An entry of K is the sum of a few elements, each rotated into global axes: some rounding errors.
  constexpr double kRoundings = 64.0;
  return kRoundings * std::max(rounding, kMachineEpsilon);
}

double relativeStrainForce(const SparseMatrix& stiffness, const Vector& motion) {
  const Vector sums = stiffness * motion, terms = stiffness.cwiseAbs() * motion.cwiseAbs();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < sums.size(); ++i)
    if (terms[i] > 0.0) largest = std::max(largest, std::abs(sums[i]) / terms[i]);
  return largest;
}

RigidMotions rigidMotions(const StructurePart& part, double rounding) {
  std::vector<Vector> translations, rotations;
  std::vector<int> local(static_cast<std::size_t>(part.size()));
  for (std::vector<int>& rows : findConnectedRowSets(part)) {
    const Piece piece = pieceWithRigidMotions(part, std::move(rows));
    Eigen::Matrix<double, 6, 1> units = Eigen::Matrix<double, 6, 1>::Ones();
    units.tail(3) /= piece.length;
    const Combinations independent = independentMotions(part, piece, units);
    const Combinations free =
        combinationsOfZeroStrain(computeElasticForces(part.stiffness, piece.rows, piece.motions, local),
                                 independent, units, relativeStrainForceLimit(rounding));
    if (free.cols() == 0) continue;
    // The piece may share mass with other pieces: only the momentum on its own rows counts.
    Matrix momenta = Matrix::Zero(piece.motions.rows(), 6);
    for (std::size_t i = 0; i < piece.rows.size(); ++i)
      local[static_cast<std::size_t>(piece.rows[i])] = static_cast<int>(i);
    for (std::size_t j = 0; j < piece.rows.size(); ++j)
      for (SparseMatrix::InnerIterator entry(part.mass, piece.rows[j]); entry; ++entry) {
        const auto i = static_cast<std::size_t>(local[static_cast<std::size_t>(entry.row())]);
        if (i < piece.rows.size() && piece.rows[i] == entry.row())
          momenta.row(static_cast<Eigen::Index>(i)) +=
              entry.value() * piece.motions.row(static_cast<Eigen::Index>(j));
      }
    Matrix inertia = piece.motions.transpose() * momenta;
    inertia = units.asDiagonal() * inertia * units.asDiagonal();
    const PureMotions pure = separateTranslationsAndRotations(free, inertia);
    const RowsBySix scaled = piece.motions * units.asDiagonal();
    addMotionsOfPiece(piece, scaled * pure.translations, part.size(), translations);
    addMotionsOfPiece(piece, scaled * pure.rotations, part.size(), rotations);
  }
  RigidMotions motions;
  motions.translations = static_cast<int>(translations.size());
  motions.shapes.resize(part.size(), static_cast<Eigen::Index>(translations.size() + rotations.size()));
  Eigen::Index column = 0;
  for (const std::vector<Vector>* kind : {&translations, &rotations})
    for (const Vector& motion : *kind) motions.shapes.col(column++) = motion;
  return motions;
}

}  // namespace ricochet
