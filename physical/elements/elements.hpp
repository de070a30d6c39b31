#pragma once

#include "physical/elements/any_element.hpp"
#include "physical/elements/beam.hpp"
#include "physical/elements/connector.hpp"
#include "physical/elements/point_mass.hpp"
