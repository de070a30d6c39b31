#pragma once

#include "physical/dof.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace ricochet {

/// The requested basis cannot be computed: too many modes, no convergence, a missed mode, an unstable
/// structure, or overflow. May name the dof that causes the error.
class BasisError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  BasisError(const std::string& reason, Dof dof) : std::runtime_error(reason), dof_(dof) {}

  const std::optional<Dof>& dof() const noexcept { return dof_; }

 private:
  std::optional<Dof> dof_;
};

}  // namespace ricochet
