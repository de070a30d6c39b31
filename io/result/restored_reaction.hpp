#pragma once

#include "engine/study/imposed_field.hpp"
#include "io/archive/restored_nodes.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "physical/assembly/assembler.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// One field of restored histories: a sum of rows times generalized coordinates, some times a function of
/// time, and what is known beforehand.
struct RestoredField {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using OfTime = std::function<double(double)>;
  static constexpr const char* kReaction = "reaction";

  struct Part {
    RowMajor rows;
    Kinematic kind;
    OfTime factor;  ///< none: 1
  };
  std::string name, unit;
  std::vector<Part> parts;
  std::vector<std::pair<std::size_t, ImposedMotion>> imposed;  ///< place and motion
  std::vector<std::pair<std::size_t, OfTime>> forces;          ///< place and force
  std::optional<GrowingDataset> dataset;
};

/// What supports exert on the dofs that they fix, R = M a + C v + K u - F, u = T y and y = Phi q on the
/// independent dofs; F: the part of [[loads]] that acts on the fixed dofs themselves, that of a load which
/// moves included, gravity, and -M u_s s'' of a base that moves (a is relative to it). C holds gyroscopic
/// moments. Those of parts that spin at a speed that varies come as d/dt (W G u). Throws RestoreError: no
/// support fixes any of the nodes; some supports move against others.
RestoredField reactionField(const H5File& result, const RestoredNodes& nodes, const Deck& study,
                            const PhysicalModel& physical, const std::vector<ImposedField>& imposed);

}  // namespace ricochet
