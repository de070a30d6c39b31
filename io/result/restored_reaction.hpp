#pragma once

#include "engine/study/imposed_field.hpp"
#include "io/archive/restored_nodes.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "physical/assembly/assembler.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// One field of restored histories: rows times generalized coordinates, some of them times a function of
/// time, plus imposed motions and forces.
struct RestoredField {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using OfTime = std::function<double(double)>;
  /// Adds what a result holds in these archived rows to the values, one row of values per archived row.
  using OfRows = std::function<void(std::span<const std::size_t> rows, RowMajor& values)>;
  static constexpr const char* kReaction = "reaction";

  struct Part {
    RowMajor rows;
    Kinematic kind;
    OfTime factor;  ///< factor of the row; null: 1
  };
  std::string name, unit;
  std::vector<Part> parts;
  std::vector<std::pair<std::size_t, ImposedMotion>> imposed;  ///< output column and imposed motion
  std::vector<std::pair<std::size_t, OfTime>> forces;          ///< output column and force
  std::vector<OfRows> archived;
  std::size_t archivedValues{0};  ///< number of values that `archived` reads per instant
  std::optional<GrowingDataset> dataset;
};

/// True if contacts or links put moments on rotations of these nodes that a support fixes.
bool doContactsLoadFixedRotations(const RestoredNodes& nodes, const Deck& study);

/// Reactions of the supports at the dofs that they fix, R = M a + C v + K u - F, u = T y and y = Phi q on the
/// independent dofs, plus the displacement that a static correction adds. F: the part of [[loads]] that acts
/// on the fixed dofs, moving loads included, the archived forces of contacts and links there, gravity, and
/// -M u_s s'' of a moving base (a is relative to the base). C contains gyroscopic moments; parts that spin
/// with a variable speed W contribute d/dt (W G u). Keeps a reference to the result. Throws RestoreError if
/// no support fixes any of the nodes, if some supports move relative to others, if a relation ties a fixed
/// dof to free ones, or if the result does not tell the direction of the force of a contact.
RestoredField reactionField(const H5File& result, const RestoredNodes& nodes, const Deck& study,
                            const PhysicalModel& physical, const std::vector<ImposedField>& imposed);

}  // namespace ricochet
