#pragma once

#include "physical/dof.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace ricochet {

/// The basis asked for cannot be given: too many modes, no convergence, a mode missed, an unstable structure,
/// numbers that overflow. It may be the fault of one dof.
class BasisError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  BasisError(const std::string& reason, Dof dof) : std::runtime_error(reason), dof_(dof) {}

  const std::optional<Dof>& dof() const noexcept { return dof_; }

 private:
  std::optional<Dof> dof_;
};

}  // namespace ricochet
