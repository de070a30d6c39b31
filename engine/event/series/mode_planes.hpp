#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/model/modal_equation.hpp"

#include <functional>
#include <span>
#include <vector>

namespace ricochet {

/// The modes of a model in the order in which the event scheme keeps them: in planes that no row connects, as
/// the two in which a straight tube bends. A row is zero outside its plane, so that what is summed along it,
/// and what a force along it pushes, is a part of the modes. Within a plane the order stays.
///
/// A model is one plane, in its own order, where its modes are coupled by damping or by what spins, where a
/// load moves or links join nodes, where modes are few, or where the largest plane would not be much smaller
/// than the whole.
class ModePlanes {
 public:
  static constexpr std::size_t kMost = 2;

  /// The model's rows and modes must stay where and what they are.
  explicit ModePlanes(const ModalModel& model);
  // points into itself
  ModePlanes(const ModePlanes&) = delete;
  ModePlanes& operator=(const ModePlanes&) = delete;

  /// Of all planes, padded.
  Eigen::Index size() const noexcept { return linear_->omegaSquared.size(); }
  std::span<const ModePlane> planes() const noexcept { return planes_; }
  bool sorted() const noexcept { return !place_.empty(); }

  /// The structure in this order. Padding between planes counts as modes that nothing moves, with the
  /// frequency and the damping of their neighbour.
  const LinearSystem& linear() const noexcept { return *linear_; }
  /// A row of the model's contacts or loads in this order; null for null.
  const double* row(const double* natural) const noexcept;

  /// Number of the plane of a row in this order; of a row that is zero, the first.
  std::size_t planeOf(const double* row) const noexcept {
    if (planes_.size() == 1) return 0;
    const auto before = std::less<>();
    const bool known = !before(row, rows_.data()) && before(row, rows_.data() + rows_.size());
    return known ? (before(row, second_) ? 0 : 1) : planeOfOwn(row);
  }

  /// A state in this order from one in the model's, and back.
  void sort(const State& natural, State& sorted) const;
  void unsort(const State& sorted, State& natural) const;

 private:
  void find(const ModalModel& model, std::span<const double* const> rows);
  void arrange(const ModalModel& model, std::span<const double* const> rows,
               std::span<const std::size_t> planeOfMode);
  std::size_t planeOfOwn(const double* row) const noexcept;

  const LinearSystem* linear_;
  LinearSystem own_;
  std::vector<ModePlane> planes_;
  std::vector<Eigen::Index> place_;  // of each mode of the model; empty: its own
  std::vector<const double*> natural_;
  Matrix rows_;                    // size x rows, those of the first plane before those of the second ...
  const double* second_{nullptr};  // ... which begin here
};

}  // namespace ricochet
