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
#include <vector>

namespace ricochet {

/// Truncation of the basis at a contact: flexibility left out along each local axis over that of the contact
/// [-].
struct Truncation {
  Vec3 indicator{Vec3::Zero()};
  Vec3 withoutResidual{Vec3::Zero()};  ///< the same of the modes alone, without the residual vectors
  double largest() const { return indicator.maxCoeff<Eigen::PropagateNaN>(); }
};

struct Restart;

/// A study made ready to run: assembled, with its basis, projected, its step chosen and checked.
struct Simulation {
  Mode mode{Mode::modal};
  PhysicalModel physical;
  ModalBasis basis;             ///< of the direct mode: empty unless it is damped by mode
  ModalModel model;             ///< of the modal mode
  DirectModel direct;           ///< of the direct mode
  RowMajorMatrix toDofs;        ///< of the direct mode: all dofs x coordinates
  std::vector<int> kept;        ///< of the direct mode: index of each coordinate among independent dofs
  SparseMatrix consistentMass;  ///< of the direct mode: T^t M T, lumped or not
  State initial;                ///< padded, at the start
  std::shared_ptr<const Restart> restart;  ///< beside it, of a run that goes on from an earlier one
  std::vector<ImposedField> imposed;       ///< motion that does not come from the coordinates
  std::vector<Truncation> truncation;      ///< per contact
  std::string scheme;                      ///< given, or chosen
  double safeStep{0.0};  ///< largest stable step of the scheme [s]; infinite when nothing limits it
  double step{0.0};      ///< step taken [s]; 0 under schemes that choose their own
  std::vector<std::string> warnings;
  std::vector<std::string> choices;  ///< what was chosen for the user, in words

  const ContactSet& contacts() const noexcept {
    return mode == Mode::modal ? model.contacts : direct.contacts;
  }
  const LinkSet& links() const noexcept { return mode == Mode::modal ? model.links : direct.links; }
  /// Coordinates of the mode, without padding.
  Eigen::Index size() const noexcept {
    return mode == Mode::modal ? static_cast<Eigen::Index>(basis.size()) : direct.linear.size();
  }
  /// A dof in terms of the coordinates; zero when it does not move or does not exist.
  Eigen::RowVectorXd row(Dof dof) const;

  /// The same of several dofs: dofs x coordinates. In the direct mode a row has few entries.
  RowMajorMatrix rows(const std::vector<Dof>& dofs) const;

  /// What a dof has beside that, of the displacements, velocities or accelerations.
  ImposedMotion imposedMotion(Dof dof, Kinematic kind, bool absolute) const {
    return {imposed, physical.dofs, dof, kind, absolute};
  }
};

/// Assembles the structure of a study. Throws StudyError: a dof without stiffness and mass, a bad relation.
PhysicalModel assembleStudy(const Study& study);

/// The modal basis of a study, with its residual vectors and its damping. Throws StudyError: the basis asked
/// for cannot be given.
ModalBasis extractBasis(const Study& study, const PhysicalModel& physical);

/// Everything that a run in generalized coordinates needs. Throws StudyError (also: a step beyond the
/// stability limit, with the largest safe one).
std::unique_ptr<Simulation> prepare(const Study& study);

/// Contacts, links, loads and initial state of a study in the coordinates that a simulation has, and its
/// scheme and step: everything that a run needs beside them, in either mode. Throws StudyError.
void project(const Study& study, Simulation& simulation);

/// The same as `prepare` in physical coordinates, with the scheme of `[direct]`. With `modal`, structure and
/// basis of that simulation are taken. Throws StudyError (also: a contact whose law the direct mode cannot
/// follow).
std::unique_ptr<Simulation> prepareDirect(const Study& study, const Simulation* modal = nullptr);

}  // namespace ricochet
