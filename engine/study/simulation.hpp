#pragma once

#include "engine/model/direct_equation.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/study/imposed_field.hpp"
#include "engine/study/parts/mode.hpp"
#include "engine/study/parts/study.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/transient/transient.hpp"
#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"
#include "physical/sparse.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Truncation error of the basis at a contact: missing flexibility along each local axis divided by the
/// flexibility of the contact [-].
struct Truncation {
  Vec3 indicator{Vec3::Zero()};
  Vec3 withoutResidual{Vec3::Zero()};  ///< truncation error of the modes alone, without residual vectors
  double largest() const { return indicator.maxCoeff<Eigen::PropagateNaN>(); }
};

/// Effect of dofs without inertia on a link: the compliance of the springs that hold them, and their motion
/// by loads (massless_forces.hpp).
struct MasslessLink {
  Eigen::Matrix2d compliance{Eigen::Matrix2d::Zero()};  ///< compliance along the axes of the link [m/N]
  std::vector<LinkDrive> drives;
  Eigen::RowVectorXd row;  ///< elongation of a dashpot of 1 N s/m per unit of the coordinates
  Vector force;            ///< reduced force of the dashpot
  /// True: the forces of the link are solved together with others (StaticCoupling).
  bool coupled{false};
};

struct Restart;

/// A study that is ready to run: assembled, projected on its basis, with a checked scheme and step.
struct Simulation {
  Mode mode{Mode::modal};
  PhysicalModel physical;
  ModalBasis basis;       ///< in the direct mode empty, except with modal damping
  ModalModel model;       ///< model in generalized coordinates, modal mode
  DirectModel direct;     ///< model in physical coordinates, direct mode
  RowMajorMatrix toDofs;  ///< direct mode: all dofs x coordinates
  std::vector<int> kept;  ///< direct mode: index of each coordinate among the independent dofs
  SparseMatrix
      consistentMass;  ///< direct mode: T^t M T with the consistent mass, even if the run has a lumped mass
  State initial;       ///< initial state, padded
  std::shared_ptr<const Restart> restart;   ///< stored state of an earlier run that this run continues
  std::vector<ImposedField> imposed;        ///< prescribed motion that is not part of the coordinates
  std::vector<ContactField> contactFields;  ///< motion of dofs without inertia under contact forces
  /// Motion of dofs without inertia under forces of links and dashpots.
  std::vector<LinkField> linkFields;
  /// Compliances of the links, then of the dashpots on dofs without inertia.
  std::vector<MasslessLink> masslessLinks;
  /// Displacement fields of unknown size by loads on dofs without inertia: all dofs.
  std::vector<Vector> unknown;
  std::vector<Truncation> truncation;  ///< truncation error of each contact
  std::string scheme;                  ///< given or selected scheme
  double safeStep{0.0};                ///< largest stable step of the scheme [s]; infinite without a limit
  double step{0.0};                    ///< step length [s]; 0 for schemes that choose their steps
  std::vector<std::string> warnings;
  std::vector<std::string> choices;  ///< texts that report the automatic choices

  const ContactSet& contacts() const noexcept {
    return mode == Mode::modal ? model.contacts : direct.contacts;
  }
  const LinkSet& links() const noexcept { return mode == Mode::modal ? model.links : direct.links; }
  /// Number of coordinates of the mode, without padding.
  Eigen::Index size() const noexcept {
    return mode == Mode::modal ? static_cast<Eigen::Index>(basis.size()) : direct.linear.size();
  }
  /// Row of a dof over the coordinates; zero if the dof is fixed or does not exist.
  Eigen::RowVectorXd row(Dof dof) const;

  /// Rows of several dofs: dofs x coordinates. In the direct mode a row has few nonzero entries.
  RowMajorMatrix rows(const std::vector<Dof>& dofs) const;

  /// Motion of a dof that imposed fields add as displacement, velocity or acceleration; for a dof without
  /// inertia also the motion by forces of contacts and links. Throws StudyError if the motion of the dof is
  /// not known (`unknown`).
  ImposedMotion imposedMotion(Dof dof, Kinematic kind, bool absolute) const;
  /// True if loads move a dof without inertia in a way that is not known (`unknown`).
  bool isMotionUnknown(Dof dof) const;
};

/// Problem of a degree of freedom, at the place of its node: "uz of this node: no mass; give it one".
StudyProblem problemAtNode(const Study& study, Dof dof, std::string_view why);

/// Problem of a dof whose motion is not known (Simulation::isMotionUnknown), at its node, with the reason.
StudyProblem problemOfUnknownMotion(const Study& study, Dof dof);

/// Assembles the structure of a study. Throws StudyError for a dof without stiffness and mass, or an invalid
/// relation.
PhysicalModel assembleStudy(const Study& study);

/// Computes the modal basis of a study with its residual vectors and its damping. Throws StudyError if the
/// basis cannot be computed.
ModalBasis computeModalBasisOfStudy(const Study& study, const PhysicalModel& physical);

/// Prepares a run in generalized coordinates. Throws StudyError (also for a step beyond the stability limit;
/// the message gives the largest stable step).
std::unique_ptr<Simulation> prepare(const Study& study);

/// Adds contacts, links, loads, initial state, scheme and step of a study to a simulation that has its
/// coordinates (either mode). Throws StudyError.
void projectStudy(const Study& study, Simulation& simulation);

/// Prepares a run in physical coordinates with the scheme of `[direct]`. If `modal` is given, its structure
/// and basis are reused. Throws StudyError (also for a contact whose law the direct mode does not support).
std::unique_ptr<Simulation> prepareDirectSimulation(const Study& study, const Simulation* modal = nullptr);

}  // namespace ricochet
