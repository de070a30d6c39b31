#pragma once

#include "engine/accounts/events.hpp"
#include "io/archive/recorded_columns.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// Numbers of the states of a contact in a result.
inline constexpr std::int8_t kOpenState = 0, kStickState = 1, kSlipState = 2;
/// State of a contact that closed and opened again between two rows: neither a row nor an event says whether
/// it stuck or slipped.
inline constexpr std::int8_t kClosedState = 3;

/// A part of a run in which a contact has one state.
struct StatePhase {
  double from, to;  ///< [s]
  std::int8_t state;
};

/// Changes of the states of contacts: instant [s] and kind of event.
using ContactEvents = std::vector<std::pair<double, EventKind>>;

/// The events of a run by the groups of its contacts and links.
std::map<std::string, ContactEvents> eventsByContact(const H5File& file, Mode mode);

/// Phases of a contact over the whole run, exact to its events. Rows tell what a contact does after it
/// closed; without a row in the contact, the next event tells: what begins to slip stuck before. Of a contact
/// without events the rows alone tell.
std::vector<StatePhase> phasesOfContact(const ContactStates& rows, const ContactEvents& events);

}  // namespace ricochet
