#pragma once

/// A study with the definitions of the parts that bare_study.hpp only declares.

#include "engine/study/parts/bare_study.hpp"
#include "engine/study/parts/beam_request.hpp"
#include "engine/study/parts/contact_request.hpp"
#include "engine/study/parts/link_request.hpp"
#include "physical/assembly/assembler.hpp"
