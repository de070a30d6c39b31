#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/study/parts/study.hpp"
#include "engine/transient/probes.hpp"
#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// A prescribed motion of the dofs that is not part of the coordinates: a field times a function of time.
/// There are four cases: the motion of a base, added only to absolute results; the static response to a load
/// that a truncated basis leaves out, always added to displacements; minus the static mode of supports,
/// always added to coordinates that contain this mode; and the response F f of dofs without inertia to the
/// loads on them (physical/assembly/massless.hpp), always added with its rates.
struct ImposedField {
  Vector field;  ///< one value per dof
  std::array<std::optional<TimeFunction>, kKinematicNames.size()>
      of;  ///< functions for displacement, velocity and acceleration
  bool isBase{false};
  bool isDifferentiated{false};  ///< velocity and acceleration are derivatives of the given displacement
  std::array<double, kComponents> direction{};  ///< direction of a base motion
  std::vector<Dof> supports;                    ///< supports that move; empty: the whole base moves
};

/// A load on all dofs [N], multiplied by a function of time.
struct FieldLoad {
  Vector force;
  TimeFunction scale;
  /// Base motion whose acceleration or velocity is `scale`; null: none.
  const BaseMotion* motion{nullptr};
  Kinematic kind{Kinematic::acceleration};
};

/// The imposed fields of a study on a basis (null: physical coordinates, which represent all responses).
/// Unchanged fields of `before` are reused. Throws StudyError.
std::vector<ImposedField> imposedFields(const Study& study, const PhysicalModel& physical,
                                        const ModalBasis* basis, std::vector<ImposedField> before);

/// Loads of gravity and of moving bases on relative coordinates: -M u_s s'' of the field u_s of a base, and
/// for moving supports also the damping forces -C u_s s', with C of the structure: Rayleigh and modal damping
/// act on the relative motion. Throws StudyError (from the field of a moving support).
std::vector<FieldLoad> inertiaLoads(const Study& study, const PhysicalModel& physical,
                                    const std::vector<ImposedField>& imposed);

/// Displacement field of dofs without inertia per unit force of a contact along e1, e2, e3, in addition to
/// the motion by the coordinates.
struct ContactField {
  std::size_t contact;
  Eigen::Matrix<double, Eigen::Dynamic, 3> field;  ///< all dofs x 3 [m/N]
};

/// Displacement field of dofs without inertia per unit force f of a link along its axes (the force on the
/// first node is -f), in addition to the motion by the coordinates.
struct LinkField {
  std::size_t link;
  Eigen::Matrix<double, Eigen::Dynamic, 2> field;  ///< all dofs x 2 [m/N]
};

/// Motion that imposed fields, and forces of contacts and links on dofs without inertia, add to a dof.
class ImposedMotion {
 public:
  ImposedMotion() = default;
  ImposedMotion(const std::vector<ImposedField>& fields, const DofMap& dofs, Dof dof, Kinematic kind,
                bool absolute);

  /// Adds the absolute motion, with the base, of a dof that is fixed and belongs to no element.
  void addMotionOfBase(const std::vector<ImposedField>& fields, const PhysicalModel& physical, Dof dof,
                       Kinematic kind);

  /// Adds the displacement (or velocity, acceleration) under forces of contacts and links.
  void addContacts(const std::vector<ContactField>& fields, const DofMap& dofs, Dof dof, Kinematic kind);
  void addLinks(const std::vector<LinkField>& fields, const DofMap& dofs, Dof dof, Kinematic kind);

  bool empty() const noexcept { return terms_.empty() && pushes_.empty() && pulls_.empty(); }
  double at(const StepView& view) const { return at(view.state.time, view.contacts, view.links); }
  double at(double time, std::span<const ContactView> contacts, std::span<const LinkState> links) const {
    return motionWithoutForces(time) + motionUnderForces(contacts, links);
  }

  /// Motion by the imposed fields alone, without forces of contacts and links.
  double motionWithoutForces(double time) const;
  ImposedMotion& operator-=(const ImposedMotion& other);

 private:
  double motionUnderForces(std::span<const ContactView> contacts,
                           std::span<const LinkState> links) const noexcept;

  struct Term {
    double factor;
    TimeFunction function;
    int derivative;  ///< order of the derivative of the function
  };
  struct Push {
    std::size_t contact;
    Kinematic kind;
    Vec3 factor;
  };
  std::vector<Term> terms_;
  struct Pull {
    std::size_t link;
    Kinematic kind;
    Eigen::Vector2d factor;
  };
  std::vector<Push> pushes_;
  std::vector<Pull> pulls_;
};

}  // namespace ricochet
