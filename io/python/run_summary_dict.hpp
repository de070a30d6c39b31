#pragma once

#include <pybind11/pybind11.h>

namespace ricochet {

struct Deck;
struct RunSummary;

/// How a run ended, its checks and the totals of its contacts.
pybind11::dict summaryDict(const Deck& deck, const RunSummary& summary);

}  // namespace ricochet
