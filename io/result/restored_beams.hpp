#pragma once

#include "engine/study/imposed_field.hpp"
#include "engine/study/moving_loads.hpp"
#include "io/archive/restored_nodes.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/result/restore.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ricochet {

/// Forces of the sections at both ends of beam elements (physical/elements/beam_forces.hpp: signs), from the
/// mode shapes and the generalized coordinates of a result,
///
///     f = K_e u + C_e v + M_e (a - g)      ("force")
///     f = K_e u                            ("elastic_force")
///
/// with the matrices of the element, the absolute motion if the base moves, and gravity g. C_e v contains the
/// gyroscopic moments, and Rayleigh damping with the coefficients b and a of K_e and M_e as in the equation
/// of motion: b K_e v of the absolute velocity, which strains the element, and a M_e v_r of the velocity
/// relative to the base or to the static modes of moving supports. Rates of what a load moves beside the
/// coordinates
/// (`static_correction`) make no force: the balance of the modes does not contain them either.
/// Structural codes print K_e u alone, which neglects the bending by inertia and weight between the ends of
/// an element: this force jumps from element to element, and its moments have an error of order h^2. The
/// first form adds the consistent forces of the load within the element: it is continuous at nodes without
/// load, equals the reaction at a support, and its moments have an error of order h^4. The consistent forces
/// of a load that travels within the element are subtracted in the same way. Neither form contains forces of
/// dampers or of `damping_ratio`.
///
/// Only the mode shapes at the nodes of the beams are kept in memory.
class RestoredBeams {
 public:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// Instants x modes, for each kind of coordinate.
  using Coordinates = std::array<RowMajor, kKinematicNames.size()>;

  /// `names`: beams of [[beams]]; empty: all beams. Throws RestoreError for an unknown beam,
  /// a spin with variable speed ("force"), or support motions without the displacement
  /// by which they strain the beams, or the velocity by which they damp them.
  RestoredBeams(const H5File& result, const Deck& study, const PhysicalModel& physical,
                const std::vector<ImposedField>& imposed, const std::vector<std::string>& names,
                BeamForceFields fields);

  std::size_t size() const noexcept { return elements_.size(); }
  std::size_t valuesPerInstant() const noexcept;
  /// True if `append` reads coordinates of this kind.
  bool isCoordinateKindNeeded(Kinematic kind) const noexcept;

  /// Creates /beams: description of the elements, and empty histories along /physical/time.
  void createBeamGroup(const H5File& to, std::size_t instants);
  /// Appends the histories of a block of instants.
  void appendInstants(const Coordinates& coordinates, std::span<const double> times);
  void close() { datasets_ = {}; }

 private:
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  struct Element {
    std::array<Eigen::Index, 2> nodes{};  ///< indices among the nodes of the beams
    std::size_t beam{0};                  ///< index in `names_`
    std::int64_t number{0};
    Beam beamElement;
  };
  /// A displacement field times a function of time, for one kind of motion.
  struct Imposed {
    Kinematic kind;
    Vector field;  ///< six components per node
    TimeFunction of;
    bool strains{false};  ///< the field is not a rigid motion
    bool isBase{false};   ///< part of the absolute motion only
  };

  /// A load that travels along beams.
  struct Travelling {
    MovingLoadRequest load;
    std::vector<WayElement> way;
  };

  /// Motion of the nodes without that of the base, with the base as far as it strains the beams, and with all
  /// of it.
  enum class Motion : std::uint8_t { relative, straining, absolute };
  struct Motions {
    RowMajor u;                         ///< straining
    RowMajor a;                         ///< absolute
    RowMajor v, strainingV, relativeV;  ///< empty if no force needs them
  };

  bool isDamped() const noexcept {
    return fields_.force && (rayleigh_.stiffness != 0.0 || rayleigh_.mass != 0.0);
  }
  void selectElements(const Deck& study, const std::vector<std::string>& names);
  void findNodesOfElements(const H5File& result, const Deck& study);
  void addImposedMotion(const Deck& study, const PhysicalModel& physical,
                        const std::vector<ImposedField>& imposed);
  void addBeamForces(const Motions& motions, RowMajor& elastic, RowMajor& force) const;
  void subtractForcesOfTravellingLoads(std::span<const double> times, RowMajor& force) const;
  RowMajor motionOfNodes(Kinematic kind, Motion part, const Coordinates& coordinates,
                         std::span<const double> times) const;

  BeamForceFields fields_;
  RayleighDamping rayleigh_;
  std::vector<std::string> names_;
  std::vector<Element> elements_;
  RestoredNodes nodes_;
  RowMajor shapes_;  ///< (six components per node) x modes
  std::vector<Imposed> imposed_;
  std::vector<Travelling> travelling_;
  /// Index in `elements_` for an element number of the structure.
  std::unordered_map<std::size_t, std::size_t> places_;
  bool spins_{false};
  std::array<std::optional<GrowingDataset>, 2> datasets_;
};

/// Converts the forces of travelling contacts in the archived rows of a result into travelling loads of the
/// study, so that beam forces and reactions include them. Throws RestoreError for contacts in slots if the
/// result has so many contacts that it does not store their positions.
void addLoadsOfTravellingContacts(const H5File& result, Deck& study);

}  // namespace ricochet
