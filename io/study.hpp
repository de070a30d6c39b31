#pragma once

/// A study with everything that a deck asks for: bare_study.hpp and what it only declares.

#include "io/bare_study.hpp"
#include "io/beam_request.hpp"
#include "io/check_request.hpp"
#include "io/contact_request.hpp"
#include "io/link_request.hpp"
#include "physical/assembler.hpp"
