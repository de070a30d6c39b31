#pragma once

#include "physical/dof.hpp"
#include "physical/matrix_names.hpp"

#include <Eigen/Core>
