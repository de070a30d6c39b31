#pragma once

/// A study with everything that a deck asks for: bare_study.hpp and what it only declares.

#include "io/deck/bare_study.hpp"
#include "io/deck/beam_request.hpp"
#include "io/deck/check_request.hpp"
#include "io/deck/contact_request.hpp"
#include "io/deck/link_request.hpp"
#include "physical/assembly/assembler.hpp"
