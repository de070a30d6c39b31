#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/model/modal_equation.hpp"

#include <functional>
#include <span>
#include <vector>

namespace ricochet {

/// The modes of a model, sorted into planes that no row couples, for instance the two bending planes of a
/// straight tube. A row is zero outside its plane, so that products with a row and forces along a row concern
/// the modes of one plane only. Within a plane the order of the model is kept.
///
/// The model is a single plane in its own order if damping or spinning parts couple its modes, a load moves,
/// links join nodes, modes are few, or the largest plane would have more than 75 % of the modes.
class ModePlanes {
 public:
  static constexpr std::size_t kMost = 2;

  /// The rows and modes of the model must stay unchanged as long as the planes exist.
  explicit ModePlanes(const ModalModel& model);
  // A copy would keep a pointer linear_ to the own_ of the original.
  ModePlanes(const ModePlanes&) = delete;
  ModePlanes& operator=(const ModePlanes&) = delete;

  /// Number of modes of all planes, padded.
  Eigen::Index size() const noexcept { return linear_->omegaSquared.size(); }
  std::span<const ModePlane> planes() const noexcept { return planes_; }
  bool isSorted() const noexcept { return !place_.empty(); }

  /// The structure with the sorted modes. Padding between planes counts as modes without forces, with the
  /// frequency and damping of the last mode of the plane.
  const LinearSystem& linearSystem() const noexcept { return *linear_; }
  /// Copy of a row of the contacts or loads with the modes in the order of the planes; null for null.
  const double* sortedRow(const double* natural) const noexcept;

  /// Number of the plane of a sorted row; 0 for a row of zeros.
  std::size_t planeNumberOfRow(const double* row) const noexcept {
    if (planes_.size() == 1) return 0;
    const auto before = std::less<>();
    const bool known = !before(row, rows_.data()) && before(row, rows_.data() + rows_.size());
    return known ? (before(row, second_) ? 0 : 1) : planeNumberOfSortedRow(row);
  }

  /// Sorts the modes of a state into the order of the planes, and back into the order of the model.
  void sortModesOfState(const State& natural, State& sorted) const;
  void restoreModeOrder(const State& sorted, State& natural) const;

 private:
  void groupModesByPlane(const ModalModel& model, std::span<const double* const> rows);
  void sortModes(const ModalModel& model, std::span<const double* const> rows,
                 std::span<const std::size_t> planeOfMode);
  std::size_t planeNumberOfSortedRow(const double* row) const noexcept;

  const LinearSystem* linear_;
  LinearSystem own_;
  std::vector<ModePlane> planes_;
  // Index of each mode of the model in the order of the planes; empty if both orders are equal.
  std::vector<Eigen::Index> place_;
  std::vector<const double*> natural_;
  Matrix rows_;                    // rows in the order of the planes, first plane before second
  const double* second_{nullptr};  // first row of the second plane in rows_
};

}  // namespace ricochet
