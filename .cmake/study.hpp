#pragma once

/// A study and its run (ricochet::run), with all that a study is made of.
#include "engine/study/run.hpp"
