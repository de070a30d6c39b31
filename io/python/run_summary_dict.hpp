#pragma once

#include <pybind11/pybind11.h>

namespace ricochet {

struct Deck;
struct RunSummary;

/// Summary of a run as a dictionary: its status, its checks and the totals of its contacts.
pybind11::dict runSummaryAsDict(const Deck& deck, const RunSummary& summary);

}  // namespace ricochet
