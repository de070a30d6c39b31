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

/// Schemes that have kernels for lanes.
enum class LaneScheme : std::size_t { kickDrift, centralDifference };
inline constexpr std::size_t kLaneSchemes = 2;

/// Index list of a sum over modes in the order of the kernels of a single run: eight partial sums, partial
/// sum j over the modes i = j mod 8 in increasing order, added as
///     ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
/// `LaneModel::modes` stores the modes partial sum after partial sum, without padding. A mode with a zero
/// entry in the row is left out: a product of +0 or -0 does not change a partial sum, which starts at +0. Two
/// exceptions remain. First, 0 times a motion that is not finite: such a variant is recomputed by the scalar
/// code. Second, a partial sum that was flushed to -0, which needs terms below 1e-291: there the sign of a
/// zero may differ.
struct ModeSum {
  std::array<std::size_t, kLanes + 1> begin{};  ///< first entry of each partial sum in `at`
  std::vector<std::size_t> at;                  ///< places of the modes in `LaneModel::modes`
  bool even{false};                             ///< true if partial sum 0, 2, 4 or 6 has a term
  bool odd{false};                              ///< true if partial sum 1, 3, 5 or 7 has a term
};

/// Up to kBundle rows with the same modes; the values of one mode are contiguous.
struct RowBundle {
  static constexpr std::size_t kBundle = 4;
  ModeSum sum;
  std::size_t rows{0};
  std::vector<double> values;
};

/// Data that all lanes of all groups share, built once per batch.
class LaneModel {
 public:
  LaneModel(LaneScheme scheme, const ModalModel& base, const TransientOptions& options);

  LaneScheme scheme;
  double start, step, tolerance;  ///< time grid [s]
  bool damped;

  Eigen::Index padded;                          ///< number of modes with padding
  std::vector<std::size_t> modes;               ///< index of the mode that is stored at each place
  std::array<std::size_t, kLanes + 1> begin{};  ///< first place of each partial sum in `modes`

  // Coefficients of the scheme for the mode at each place. kick_drift: the new q is qq q + qv w and the new v
  // is vq q + vv w, with w the velocity after the kick. central_difference: omegaSquared, inverse.
  std::vector<double> qq, qv, vq, vv;
  std::vector<double> omegaSquared, damping, inverse;

  /// Shape entries of the loads that act on a mode: loadBegin[place] .. loadBegin[place + 1].
  struct Shape {
    std::size_t load;
    double value;
  };
  std::vector<std::size_t> loadBegin;
  std::vector<Shape> shapes;
  std::vector<Eight>
      shapeBlocks;  ///< load shapes in blocks of eight places: one block of each load, then the next block
  std::size_t blocks{0};  ///< number of blocks of eight places
  std::size_t loads{0};
  std::vector<std::size_t>
      imposed;  ///< contacts with an imposed force; their functions follow the functions of the loads

  std::vector<RowBundle> gaps;  ///< rows of local axis 0 (gap), kBundle contacts in each bundle
  /// Row of each contact and axis in a bundle of its own; an empty bundle if no mode moves the axis.
  std::vector<std::array<RowBundle, 3>> rows;

  /// Nominal steps (from 1) that the scalar code computes: the first and the last, steps with a breakpoint or
  /// an output inside, and steps at whose start a function jumps.
  std::vector<long long> special;
  long long count{0};  ///< number of nominal steps

  RowBundle makeRowBundle(const double* const* rowPointers, std::size_t count) const;

 private:
  void buildModeTables(const LinearSystem& linear);
  void buildLoads(const Excitation& excitation);
  void buildRows(const ContactSet& contacts);
  void listStepsComputedByScalarCode(const ModalModel& base, const TransientOptions& options);
};

/// Reason why runs of this model cannot use lanes; empty if they can.
std::string reasonAgainstLanes(std::string_view scheme, const ModalModel& base,
                               const TransientOptions& options);

/// Reason why a variant cannot share lanes with the first model of its batch; empty if it can. The linear
/// system, shapes of loads, rows and types of contacts, breakpoints and jumps must be equal.
std::string reasonAgainstSharingLanes(const ModalModel& base, const ModalModel& variant);

}  // namespace ricochet::batch
