#pragma once

#include "physical/dof.hpp"

#include <vector>

namespace ricochet {

/// Homogeneous linear relation: sum(factor * dof) = 0.
struct LinearRelation {
  struct Term {
    Dof dof;
    double factor{0.0};
  };
  std::vector<Term> terms;
};

}  // namespace ricochet
