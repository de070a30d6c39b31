#pragma once

#include "engine/modal_equation.hpp"
#include "engine/transient.hpp"
#include "io/study.hpp"
#include "modal/modal_basis.hpp"
#include "physical/assembler.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ricochet {

/// Truncation of the basis at a contact: flexibility left out along each local axis over that of the contact
/// [-].
struct Truncation {
  Vec3 indicator{Vec3::Zero()};
  Vec3 withoutResidual{Vec3::Zero()};  ///< the same of the modes alone, without the residual vectors
  double largest() const { return indicator.maxCoeff(); }
};

/// A study made ready to run: assembled, with its basis, projected, its step chosen and checked.
struct Simulation {
  PhysicalModel physical;
  ModalBasis basis;
  ModalModel model;
  State initial;                       ///< padded, at the start
  std::vector<Truncation> truncation;  ///< per contact
  std::string scheme;                  ///< given, or chosen
  double safeStep{0.0};  ///< largest stable step of the scheme [s]; infinite when nothing limits it
  double step{0.0};      ///< step taken [s]; 0 under schemes that choose their own
  std::vector<std::string> warnings;
  std::vector<std::string> choices;  ///< what was chosen for the user, in words
};

/// Assembles the structure of a study. Throws InputError: a dof without stiffness and mass, a bad relation.
PhysicalModel assembleStudy(const Study& study);

/// The modal basis of a study, with its residual vectors and its damping. Throws InputError: the basis asked
/// for cannot be given.
ModalBasis extractBasis(const Study& study, const PhysicalModel& physical);

/// Everything. Throws InputError (also: a step beyond the stability limit, with the largest safe one).
std::unique_ptr<Simulation> prepare(const Study& study);

}  // namespace ricochet
