#include "modal/eigen_solver.hpp"

#include "modal/basis_limits.hpp"
#include "modal/basis_properties.hpp"
#include "modal/part_modes.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

constexpr double kEqual = 1e-6;  // largest relative difference of eigenvalues of one multiplet

/// A mode of a part of the structure, with its eigenvalue.
struct ModePlace {
  std::size_t part;
  Eigen::Index column;  // column in the zero modes or in the elastic modes of the part
  double eigenvalue{0.0};
};

bool areMatricesEqual(const SparseMatrix& a, const SparseMatrix& b) {
  return a.rows() == b.rows() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), b.valuePtr());
}

/// The modes of a structure, part by part: a part that moves independently has its own modes, independent of
/// the units and frequencies of other parts.
class StructureModes {
 public:
  explicit StructureModes(const PhysicalModel& model) {
    for (StructurePart& part : partsOfStructure(model)) {
      parts_.push_back(std::make_shared<const StructurePart>(std::move(part)));
      modes_.push_back(findModesOfPart(parts_.back(), model.rounding));
    }
    collectZeroModesOfParts();
    for (const auto& modes : modes_) elastic_ += modes->elasticModeCount();
  }

  int zeroModeCount() const noexcept { return static_cast<int>(zeros_.size()); }
  int countAvailableModes() const noexcept { return zeroModeCount() + elastic_; }

  /// Zero modes: translations of all parts, then rotations, then mechanisms.
  const std::vector<ModePlace>& zeroModes() const noexcept { return zeros_; }

  /// At least `wanted` elastic modes, increasing, with all copies of the last frequency.
  std::vector<ModePlace> lowestModes(int wanted) {
    wanted = std::min(wanted, elastic_);
    if (wanted <= 0) return {};
    std::vector<int> asked(modes_.size(), wanted);
    while (true) {
      for (std::size_t i = 0; i < modes_.size(); ++i) modes_[i]->findModes(asked[i]);
      std::vector<ModePlace> found = allElasticModes();
      const double reach = lowestCompletenessLimit();
      auto end = static_cast<std::size_t>(wanted);
      while (end < found.size() && areEigenvaluesCoincident(found[end - 1].eigenvalue, found[end].eigenvalue))
        ++end;
      // Above the range in which the modes of every part are complete, a mode may be missing.
      if (end <= found.size() && found[end - 1].eigenvalue * (1.0 + kEqual) < reach) {
        found.resize(end);
        return found;
      }
      for (std::size_t i = 0; i < modes_.size(); ++i)
        if (modes_[i]->completenessLimit() == reach)
          asked[i] = static_cast<int>(modes_[i]->foundModes().values.size()) + wanted;
    }
  }

  /// All elastic modes below an eigenvalue [rad^2/s^2].
  std::vector<ModePlace> modesBelow(double eigenvalue) {
    for (const auto& modes : modes_) modes->findModesBelow(eigenvalue);
    std::vector<ModePlace> found = allElasticModes();
    std::erase_if(found, [&](const ModePlace& mode) { return mode.eigenvalue > eigenvalue; });
    return found;
  }

  int countEigenvaluesBelow(double eigenvalue) const {
    return std::accumulate(modes_.begin(), modes_.end(), 0, [&](int sum, const auto& modes) {
      return sum + (modes->part().mass.nonZeros() > 0 ? modes->countEigenvaluesBelow(eigenvalue) : 0);
    });
  }

  /// Elastic inverse of all parts.
  std::shared_ptr<const StructureInverse> elasticInverse() const {
    std::vector<StructureInverse::Piece> pieces;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      pieces.push_back({parts_[i]->rows, modes_[i]->elasticInverse()});
    return std::make_shared<const StructureInverse>(std::move(pieces));
  }

  /// Shapes of these modes as columns on all rows of the model.
  Matrix shapesOfModes(const std::vector<ModePlace>& zeros, const std::vector<ModePlace>& elastic,
                       Eigen::Index rows) const {
    Matrix shapes = Matrix::Zero(rows, static_cast<Eigen::Index>(zeros.size() + elastic.size()));
    Eigen::Index column = 0;
    const auto place = [&](const ModePlace& mode, const Matrix& vectors) {
      const StructurePart& part = *parts_[mode.part];
      for (Eigen::Index i = 0; i < part.size(); ++i)
        shapes(part.rows[static_cast<std::size_t>(i)], column) = vectors(i, mode.column);
      ++column;
    };
    for (const ModePlace& mode : zeros) place(mode, modes_[mode.part]->zeroModes());
    for (const ModePlace& mode : elastic) place(mode, modes_[mode.part]->foundModes().vectors);
    return shapes;
  }

 private:
  /// Modes of a part; parts with equal matrices, as the tubes of a bundle, share one object.
  std::shared_ptr<PartModes> findModesOfPart(const std::shared_ptr<const StructurePart>& part,
                                             double rounding) const {
    for (std::size_t i = 0; i < modes_.size(); ++i)
      if (areMatricesEqual(parts_[i]->stiffness, part->stiffness) &&
          areMatricesEqual(parts_[i]->mass, part->mass))
        return modes_[i];
    return std::make_shared<PartModes>(part, rounding);
  }

  void collectZeroModesOfParts() {
    const auto list = [&](auto&& first, auto&& last) {
      for (std::size_t i = 0; i < modes_.size(); ++i)
        for (int k = first(*modes_[i]->elasticInverse()); k < last(*modes_[i]->elasticInverse()); ++k)
          zeros_.push_back({i, k});
    };
    const auto none = [](const ElasticInverse&) { return 0; };
    const auto translations = [](const ElasticInverse& inverse) { return inverse.translationCount(); };
    const auto rigid = [](const ElasticInverse& inverse) {
      return static_cast<int>(inverse.zeroModes().cols()) - inverse.mechanismCount();
    };
    const auto free = [](const ElasticInverse& inverse) {
      return static_cast<int>(inverse.zeroModes().cols());
    };
    list(none, translations);
    list(translations, rigid);
    list(rigid, free);
  }

  static bool areEigenvaluesCoincident(double eigenvalue, double next) {
    return next - eigenvalue <= kEqual * next;
  }

  std::vector<ModePlace> allElasticModes() const {
    std::vector<ModePlace> found;
    for (std::size_t i = 0; i < modes_.size(); ++i)
      for (Eigen::Index k = 0; k < modes_[i]->foundModes().values.size(); ++k)
        found.push_back({i, k, modes_[i]->foundModes().values[k]});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.eigenvalue < b.eigenvalue; });
    return found;
  }

  double lowestCompletenessLimit() const {
    double reach = std::numeric_limits<double>::infinity();
    for (const auto& modes : modes_) reach = std::min(reach, modes->completenessLimit());
    return reach;
  }

  std::vector<std::shared_ptr<const StructurePart>> parts_;
  std::vector<std::shared_ptr<PartModes>> modes_;
  std::vector<ModePlace> zeros_;
  int elastic_{0};
};

}  // namespace

int countEigenvaluesBelow(const PhysicalModel& model, double eigenvalue) {
  return StructureModes(model).countEigenvaluesBelow(eigenvalue);
}

ModalBasis extractModes(const PhysicalModel& model, const BasisSelection& selection) {
  requireComputableModes(model);
  StructureModes structure(model);
  const int available = structure.countAvailableModes();
  if (available < 1)
    throw BasisError(
        "nothing that moves has a mass, so that there is no mode: give one with [[masses]] or a "
        "density");
  const int wanted = selection.modes.value_or(available);
  if (wanted > available)
    throw BasisError(std::to_string(wanted) + " modes asked for, but the structure has " +
                     std::to_string(available));

  std::vector<ModePlace> zeros = structure.zeroModes(), elastic;
  int missed = 0;
  if (selection.frequencyMax) {
    // tolerance: a mode at the limit is included in spite of its rounding error
    constexpr double kIncluded = 1.0 + 1e-10;
    const double omega = 2.0 * std::numbers::pi * *selection.frequencyMax;
    elastic = structure.modesBelow(omega * omega * kIncluded);
    if (zeros.empty() && elastic.empty())
      throw BasisError("no mode below the highest frequency asked for: raise it");
  } else {
    elastic = structure.lowestModes(wanted - structure.zeroModeCount());
    missed = std::max(0, static_cast<int>(zeros.size() + elastic.size()) - wanted);
    if (selection.wholeMultiplets) missed = 0;
    const auto cut = [&](std::vector<ModePlace>& modes, int from) {
      modes.resize(std::min(modes.size(), static_cast<std::size_t>(std::max(0, wanted - from))));
    };
    if (missed > 0) {
      cut(elastic, structure.zeroModeCount());
      cut(zeros, 0);
    }
  }

  ModalBasis basis;
  basis.rigidModes = static_cast<int>(zeros.size());
  basis.eigenvalue = Vector::Zero(static_cast<Eigen::Index>(zeros.size() + elastic.size()));
  for (std::size_t i = 0; i < elastic.size(); ++i)
    basis.eigenvalue[static_cast<Eigen::Index>(zeros.size() + i)] = elastic[i].eigenvalue;
  basis.reducedShapes = structure.shapesOfModes(zeros, elastic, model.size());
  basis.inverse = structure.elasticInverse();
  fixSignsOfModeShapes(basis.reducedShapes);
  basis.complete = basis.size() >= available;
  basis.missedModes = basis.complete ? 0 : missed;
  computeBasisProperties(model, basis);
  requireFiniteBasis(basis);
  return basis;
}

}  // namespace ricochet
