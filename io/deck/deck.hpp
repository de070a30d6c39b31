#pragma once

/// A deck with everything that it asks for: bare_deck.hpp and what it only declares.

#include "engine/study/parts/study.hpp"
#include "io/deck/bare_deck.hpp"
#include "io/deck/check_request.hpp"
#include "io/deck/mesh_request.hpp"
