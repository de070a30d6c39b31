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
/// with the matrices of the element (C_e: gyroscopic), the absolute motion where a base moves, and gravity g.
/// K_e u alone is what structural codes print; it leaves out that inertia and weight bend the element between
/// its ends, so that it jumps from element to element and its moments err as h^2. The first form adds the
/// consistent forces of the load within the element: it is continuous at nodes that carry no load, equals the
/// reaction at a support, and its moments err as h^4. A load that travels within the element is taken off
/// likewise. Forces of dampers are in neither.
///
/// What is kept in memory is the mode shapes at the nodes of the beams.
class RestoredBeams {
 public:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Coordinates = std::array<RowMajor, kKinematicNames.size()>;  ///< instants x modes, of each kind

  /// `names`: of [[beams]]; empty: all. Throws RestoreError: no such beam; a load with a static correction; a
  /// spin that varies ("force"); a motion of supports without the displacement that strains the beams.
  RestoredBeams(const H5File& result, const Deck& study, const PhysicalModel& physical,
                const std::vector<ImposedField>& imposed, const std::vector<std::string>& names,
                BeamForceFields fields);

  std::size_t size() const noexcept { return elements_.size(); }
  std::size_t valuesPerInstant() const noexcept;
  /// Which coordinates `append` reads.
  bool needs(Kinematic kind) const noexcept;

  /// /beams: what the elements are, and empty histories along /physical/time.
  void create(const H5File& to, std::size_t instants);
  /// Histories of a block of instants.
  void append(const Coordinates& coordinates, std::span<const double> times);
  void close() { datasets_ = {}; }

 private:
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  struct Element {
    std::array<Eigen::Index, 2> nodes{};  ///< places among the nodes of the beams
    std::size_t beam{0};                  ///< place in `names_`
    std::int64_t number{0};
    Beam beamElement;
  };
  /// A field of nodes times a function of time, of one kind of motion.
  struct Imposed {
    Kinematic kind;
    Vector field;  ///< six components of each node
    TimeFunction of;
    bool strains{false};  ///< no rigid motion
  };

  /// A load on the way along beams.
  struct Travelling {
    MovingLoadRequest load;
    std::vector<WayElement> way;
  };

  void choose(const Deck& study, const std::vector<std::string>& names);
  void findNodes(const H5File& result, const Deck& study);
  void addImposed(const Deck& study, const PhysicalModel& physical, const std::vector<ImposedField>& imposed);
  void subtractTravelling(std::span<const double> times, RowMajor& force) const;
  RowMajor motion(Kinematic kind, const Coordinates& coordinates, std::span<const double> times) const;

  BeamForceFields fields_;
  std::vector<std::string> names_;
  std::vector<Element> elements_;
  RestoredNodes nodes_;
  RowMajor shapes_;  ///< six components of each node x modes
  std::vector<Imposed> imposed_;
  std::vector<Travelling> travelling_;
  std::unordered_map<std::size_t, std::size_t> places_;  ///< in `elements_`, of an element of the structure
  bool spins_{false};
  std::array<std::optional<GrowingDataset>, 2> datasets_;
};

}  // namespace ricochet
