#pragma once

/// A complete deck: bare_deck.hpp and the headers of all types that it only declares.

#include "engine/study/parts/study.hpp"
#include "io/deck/bare_deck.hpp"
#include "io/deck/check_request.hpp"
#include "io/deck/mesh_request.hpp"
