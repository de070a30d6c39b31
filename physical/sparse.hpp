#pragma once

#include "physical/matrix_names.hpp"

#include <Eigen/SparseCore>
