#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/numerics/eight.hpp"
#include "engine/transient/transient.hpp"
#include "engine/transient/transient_grid.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet::batch {

/// Schemes that run in lanes.
enum class LaneScheme : std::size_t { kickDrift, centralDifference };
inline constexpr std::size_t kLaneSchemes = 2;

/// A sum over modes as the kernels of one run form it: eight partial sums, over modes i = j mod 8 in order,
/// then
///     ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
/// Modes are stored here partial sum after partial sum (`LaneModel::modes`), padding left out. A mode whose
/// entries are zero in a row is left out of it: it would add a zero of either sign to a partial sum, which
/// starts at +0 and therefore keeps its bits. Two exceptions. A zero times a motion that is no longer finite:
/// such a variant is taken back to the scalar code. And a partial sum that is -0 because it was flushed to
/// zero, which takes terms below 1e-291: there the sign of a zero may differ.
struct ModeSum {
  std::array<std::size_t, kLanes + 1> begin{};  ///< of each partial sum, into `at`
  std::vector<std::size_t> at;                  ///< places of modes
  bool even{false};                             ///< whether partial sums 0, 2, 4, 6 have a term
  bool odd{false};                              ///< and the others
};

/// Up to kBundle rows that share their modes, values of one mode after the other.
struct RowBundle {
  static constexpr std::size_t kBundle = 4;
  ModeSum sum;
  std::size_t rows{0};
  std::vector<double> values;
};

/// What all lanes of all groups share: laid out once for a batch.
class LaneModel {
 public:
  LaneModel(LaneScheme scheme, const ModalModel& base, const TransientOptions& options);

  LaneScheme scheme;
  double start, step, tolerance;  ///< of the grid [s]
  bool damped;

  Eigen::Index padded;                          ///< number of modes with padding
  std::vector<std::size_t> modes;               ///< the mode stored at each place
  std::array<std::size_t, kLanes + 1> begin{};  ///< of each partial sum, into `modes`

  // by place. kick_drift: q+ = qq q + qv w, v+ = vq q + vv w. central_difference: omegaSquared, inverse.
  std::vector<double> qq, qv, vq, vv;
  std::vector<double> omegaSquared, damping, inverse;

  /// Shapes of the loads that a mode has: loadBegin[place] .. loadBegin[place + 1].
  struct Shape {
    std::size_t load;
    double value;
  };
  std::vector<std::size_t> loadBegin;
  std::vector<Shape> shapes;
  std::vector<Eight>
      shapeBlocks;        ///< the same with modes side by side: eight places of each load, then the next
  std::size_t blocks{0};  ///< of eight places
  std::size_t loads{0};
  std::vector<std::size_t>
      imposed;  ///< contacts with an imposed force, whose functions follow those of the loads

  std::vector<RowBundle> gaps;  ///< rows of local axis 0, kBundle contacts each
  /// Row of each contact and axis by itself; without rows when no mode moves it.
  std::vector<std::array<RowBundle, 3>> rows;

  /// Nominal steps (from 1) that the scalar code takes: the first and the last, those with a breakpoint or an
  /// output inside, and those that begin where something jumps.
  std::vector<long long> special;
  long long count{0};  ///< nominal steps

  RowBundle bundle(const double* const* rowPointers, std::size_t count) const;

 private:
  void layTables(const LinearSystem& linear);
  void layLoads(const Excitation& excitation);
  void layRows(const ContactSet& contacts);
  void markSpecial(const ModalModel& base, const TransientOptions& options);
};

/// Why runs of this model cannot go in lanes; empty when they can.
std::string whyNotInLanes(std::string_view scheme, const ModalModel& base, const TransientOptions& options);

/// Why a variant cannot share lanes with the first model of its batch; empty when it can: linear system,
/// shapes of loads, rows and kinds of contacts, breakpoints and jumps must be the same.
std::string whyNotTogether(const ModalModel& base, const ModalModel& variant);

}  // namespace ricochet::batch
