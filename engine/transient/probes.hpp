#pragma once

#include "engine/numerics/kernels.hpp"
#include "engine/numerics/type_list.hpp"
#include "engine/transient/kinematic.hpp"
#include "engine/transient/transient.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// A probe computes a row of doubles from a step view, once per archived instant. Name, unit and meaning are
/// part of the probe, so that a result file needs no other description.
template <class P>
concept Probe = requires(const P probe, const StepView& view, std::span<double> row) {
  { probe.name() } -> std::convertible_to<std::string_view>;
  { probe.unit() } -> std::convertible_to<std::string_view>;
  { probe.meaning() } -> std::convertible_to<std::string_view>;
  { probe.size() } -> std::convertible_to<std::size_t>;  // number of doubles per row
  probe.sample(view, row);                               // writes probe.size() numbers to `row`
};

inline const Vector& kinematicVector(const State& s, Kinematic kind) noexcept {
  return kind == Kinematic::displacement ? s.q : kind == Kinematic::velocity ? s.v : s.a;
}

/// Generalized coordinates, or their velocities or accelerations.
struct GeneralizedProbe {
  Kinematic kind{Kinematic::displacement};
  Eigen::Index modes{0};

  std::string_view name() const noexcept { return kKinematicNames[static_cast<std::size_t>(kind)]; }
  std::string_view unit() const noexcept {
    constexpr std::array<std::string_view, 3> units{"kg^0.5 m", "kg^0.5 m/s", "kg^0.5 m/s^2"};
    return units[static_cast<std::size_t>(kind)];
  }
  std::string_view meaning() const noexcept {
    constexpr std::array<std::string_view, 3> meanings{"generalized displacement", "generalized velocity",
                                                       "generalized acceleration"};
    return meanings[static_cast<std::size_t>(kind)];
  }
  std::size_t size() const noexcept { return static_cast<std::size_t>(modes); }
  void sample(const StepView& view, std::span<double> row) const {
    Eigen::Map<Vector>(row.data(), modes) = kinematicVector(view.state, kind).head(modes);
  }
};

/// A kinematic quantity at physical degrees of freedom: u = rows q.
class RestoredProbe {
 public:
  /// `rows`: rows of the dofs over the coordinates, a matrix dofs x modes.
  RestoredProbe(Kinematic kind, const Matrix& rows) : kind_(kind), dofs_(rows.rows()) {
    for (Eigen::Index i = 0; i < dofs_; ++i)
      if (!rows.row(i).isZero(0.0)) moving_.push_back(i);
    rows_ = Matrix::Zero(paddedSize(rows.cols()), static_cast<Eigen::Index>(moving_.size()));
    for (Eigen::Index k = 0; k < rows_.cols(); ++k)
      rows_.col(k).head(rows.cols()) = rows.row(moving_[static_cast<std::size_t>(k)]).transpose();
  }

  std::string_view name() const noexcept { return kKinematicNames[static_cast<std::size_t>(kind_)]; }
  std::string_view unit() const noexcept { return kKinematicUnits[static_cast<std::size_t>(kind_)]; }
  std::string_view meaning() const noexcept { return kKinematicMeanings[static_cast<std::size_t>(kind_)]; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(dofs_); }
  void sample(const StepView& view, std::span<double> row) const {
    std::fill(row.begin(), row.end(), 0.0);
    const Vector& x = kinematicVector(view.state, kind_);
    for (Eigen::Index k = 0; k < rows_.cols(); ++k)
      row[static_cast<std::size_t>(moving_[static_cast<std::size_t>(k)])] =
          kernels::dot(rows_.col(k).data(), x.data(), rows_.rows());
  }

 private:
  Kinematic kind_;
  Eigen::Index dofs_;
  std::vector<Eigen::Index> moving_;  // indices of the dofs that are not fixed
  Matrix rows_;                       // rows of these dofs, contiguous and padded
};

/// A kinematic quantity at dofs that depend on few physical coordinates (sparse rows).
struct PickedProbe {
  Kinematic kind{Kinematic::displacement};
  RowMajorMatrix rows;  ///< matrix dofs x coordinates

  std::string_view name() const noexcept { return kKinematicNames[static_cast<std::size_t>(kind)]; }
  std::string_view unit() const noexcept { return kKinematicUnits[static_cast<std::size_t>(kind)]; }
  std::string_view meaning() const noexcept { return kKinematicMeanings[static_cast<std::size_t>(kind)]; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(rows.rows()); }
  void sample(const StepView& view, std::span<double> row) const {
    Eigen::Map<Vector>(row.data(), rows.rows()).noalias() =
        rows * kinematicVector(view.state, kind).head(rows.cols());
  }
};

/// One result quantity of one contact.
struct ContactProbe {
  enum class Kind : unsigned char { gap, normalForce, tangentialForce, slipVelocity, position, spinMoment };
  Kind kind{Kind::gap};
  std::size_t contact{0};

  /// Quantities that every contact has; the spin moment exists for contact areas only.
  static constexpr std::array<Kind, 5> kAll{Kind::gap, Kind::normalForce, Kind::tangentialForce,
                                            Kind::slipVelocity, Kind::position};

  constexpr std::string_view name() const noexcept {
    constexpr std::array<std::string_view, 6> names{"gap",           "normal_force", "tangential_force",
                                                    "slip_velocity", "position",     "spin_moment"};
    return names[static_cast<std::size_t>(kind)];
  }
  constexpr std::string_view unit() const noexcept {
    constexpr std::array<std::string_view, 6> units{"m", "N", "N", "m/s", "m", "N m"};
    return units[static_cast<std::size_t>(kind)];
  }
  constexpr std::string_view meaning() const noexcept {
    constexpr std::array<std::string_view, 6> meanings{
        "gap, negative in penetration",
        "normal force on the first node, positive when pushed off",
        "force on the first node along tangents 1 and 2",
        "velocity along tangents 1 and 2 while closed",
        "position of the contact point in the contact frame",
        "moment on the first node, from tangent 1 to tangent 2"};
    return meanings[static_cast<std::size_t>(kind)];
  }
  constexpr std::size_t size() const noexcept {
    constexpr std::array<std::size_t, 6> sizes{1, 1, 2, 2, 3, 1};
    return sizes[static_cast<std::size_t>(kind)];
  }
  void sample(const StepView& view, std::span<double> row) const {
    writeContactQuantity(kind, view.contacts[contact], row.data());
  }

  /// Computes all quantities of kAll, one after the other.
  static void sampleAllQuantities(const ContactView& view, double* row) noexcept {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((writeContactQuantity(kAll[i], view, row), row += ContactProbe{kAll[i]}.size()), ...);
    }
    (std::make_index_sequence<kAll.size()>());
  }

 private:
  [[gnu::always_inline]] static void writeContactQuantity(Kind kind, const ContactView& c,
                                                          double* row) noexcept {
    switch (kind) {
      case Kind::gap:
        row[0] = c.gap;
        break;
      case Kind::normalForce:
        row[0] = c.normalForce;
        break;
      case Kind::tangentialForce:
        row[0] = c.tangentialForce.first;
        row[1] = c.tangentialForce.second;
        break;
      case Kind::slipVelocity:
        row[0] = c.slipVelocity.first;
        row[1] = c.slipVelocity.second;
        break;
      case Kind::position:
        for (std::size_t axis = 0; axis < 3; ++axis) row[axis] = c.position[static_cast<Eigen::Index>(axis)];
        break;
      case Kind::spinMoment:
        row[0] = c.spinMoment;
        break;
    }
  }
};

/// One result quantity of one link; a link with two axes has two columns of motion and force.
struct LinkProbe {
  enum class Kind : unsigned char { displacement, velocity, force, storedEnergy, dissipatedEnergy, variable };
  Kind kind{Kind::displacement};
  std::size_t link{0};
  std::size_t axes{1};
  bool turns{false};        ///< the link has a rotation and a moment
  LinkVariable internal{};  ///< internal variable of its law
  std::size_t memory{0};    ///< index of the internal variable in LinkState::memory

  /// Quantities that every link has; internal variables depend on the law.
  static constexpr std::array<Kind, 5> kAll{Kind::displacement, Kind::velocity, Kind::force,
                                            Kind::storedEnergy, Kind::dissipatedEnergy};

  constexpr std::string_view name() const noexcept {
    constexpr std::array<std::string_view, 5> names{"displacement", "velocity", "force", "stored_energy",
                                                    "dissipated_energy"};
    return kind == Kind::variable ? internal.name : names[static_cast<std::size_t>(kind)];
  }
  constexpr std::string_view unit() const noexcept {
    constexpr std::array<std::string_view, 5> units{"m", "m/s", "N", "J", "J"};
    constexpr std::array<std::string_view, 5> turning{"rad", "rad/s", "N m", "J", "J"};
    if (kind == Kind::variable) return internal.unit;
    return (turns ? turning : units)[static_cast<std::size_t>(kind)];
  }
  constexpr std::string_view meaning() const noexcept {
    constexpr std::array<std::string_view, 5> meanings{
        "displacement of the first node relative to the second along the axes",
        "velocity of the first node relative to the second as the law saw it",
        "force f of the law: the first node is pushed by -f", "energy that the link gives back",
        "energy that it has dissipated"};
    return kind == Kind::variable ? internal.meaning : meanings[static_cast<std::size_t>(kind)];
  }
  constexpr std::size_t size() const noexcept { return kind <= Kind::force ? axes : 1; }
  void sample(const StepView& view, std::span<double> row) const {
    const LinkState& s = view.links[link];
    if (kind == Kind::storedEnergy) row[0] = s.stored;
    if (kind == Kind::dissipatedEnergy) row[0] = s.dissipated;
    if (kind == Kind::variable) row[0] = s.memory[memory];
    if (kind > Kind::force) return;
    const auto& values = kind == Kind::force ? s.force : kind == Kind::velocity ? s.motion.v : s.motion.x;
    std::copy_n(values.begin(), axes, row.begin());
  }
};

/// One term of the energy ledger.
struct EnergyProbe {
  enum class Part : unsigned char { kinetic, elastic, damping, contact, friction, external, balance };
  Part part{Part::kinetic};

  static constexpr std::array<Part, 7> kAll{Part::kinetic,  Part::elastic,  Part::damping, Part::contact,
                                            Part::friction, Part::external, Part::balance};
  static constexpr std::array<std::string_view, 7> kNames{"kinetic",  "elastic",  "damping", "contact",
                                                          "friction", "external", "balance"};

  constexpr std::string_view name() const noexcept { return kNames[static_cast<std::size_t>(part)]; }
  constexpr std::string_view unit() const noexcept { return "J"; }
  constexpr std::string_view meaning() const noexcept {
    constexpr std::array<std::string_view, 7> meanings{"kinetic energy",
                                                       "elastic energy of the structure",
                                                       "energy dissipated by damping and dashpots",
                                                       "energy stored in contacts and links",
                                                       "energy dissipated by slip",
                                                       "work of loads and imposed normal forces",
                                                       "residual of the energy ledger"};
    return meanings[static_cast<std::size_t>(part)];
  }
  constexpr std::size_t size() const noexcept { return 1; }

  /// Values of all terms of kAll.
  static std::array<double, 7> values(const EnergyLedger& ledger) noexcept {
    return {ledger.kinetic,  ledger.elastic,  ledger.damping,          ledger.contact,
            ledger.friction, ledger.external, ledger.balanceResidual()};
  }
  double value(const EnergyLedger& ledger) const noexcept {
    return values(ledger)[static_cast<std::size_t>(part)];
  }
  void sample(const StepView& view, std::span<double> row) const { row[0] = value(view.ledger); }
};

using Probes = TypeList<GeneralizedProbe, RestoredProbe, PickedProbe, ContactProbe, LinkProbe, EnergyProbe>;
using AnyProbe = Probes::Variant;

}  // namespace ricochet
