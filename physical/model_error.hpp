#pragma once

#include "physical/dof.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// The structure cannot be assembled. `dofs`: the responsible degrees of freedom, from which a caller can
/// find node names and places in the deck; what() is the reason without names.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(const std::string& reason, std::vector<Dof> dofs = {})
      : std::runtime_error(reason), dofs_(std::move(dofs)) {}

  const std::vector<Dof>& dofs() const noexcept { return dofs_; }

 private:
  std::vector<Dof> dofs_;
};

}  // namespace ricochet
