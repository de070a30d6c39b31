#pragma once

#include "engine/accounts/events.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/quantities/table/reduction.hpp"
#include "io/text/input_error.hpp"
#include "physical/elements/beam.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace ricochet {

struct WearRequest;

/// A force of an end section of a beam element, physical/elements/beam_forces.hpp.
struct BeamForceAt {
  std::string name;  ///< "posts 3 Mz2"
  Beam element;
  int component{0};            ///< index of the component in kSectionForces
  Vec3 gravity{Vec3::Zero()};  ///< acceleration of gravity [m/s^2]
};

/// Request of a check. `at` is an instant, an event, or empty (frequencies, totals).
struct CheckRequest {
  const Quantity* quantity{nullptr};
  SourceLocation where;
  std::optional<NodeIndex> node;
  std::optional<NodeIndex> node2;  ///< the value is relative to this node
  std::optional<Component> dof;
  std::optional<int> contact;
  std::optional<int> link;
  std::optional<int> component;  ///< 1 or 2; absent: the norm
  std::optional<BeamForceAt> beamForce;
  std::string variable;   ///< name of an internal variable of the law of a link
  std::size_t memory{0};  ///< index of this variable in LinkState::memory
  std::optional<double> time;
  struct EventAt {
    int contact;  ///< index of the contact, as in an Event
    EventKind kind;
    int index;  ///< number of the event, from 1
  };
  std::optional<EventAt> at;      ///< event that gives the instant, instead of `time`
  std::optional<EventKind> kind;  ///< quantity "event", "event_count"
  int index{1};                   ///< event index or mode, from 1; window of a statistic, 0: the whole run
  int mode{0};
  bool absoluteMotion{false};  ///< adds the motion of the base
  bool direct{false};          ///< true: applies to the direct run; false: to the modal run
  bool ofSize{false};          ///< the absolute value of the history is checked
  std::string part;            ///< quantity "energy", "link_energy"; name of a "contact_statistic"
  /// Statistic over an interval, instead of the value at `time`; null: none.
  const Reduction* statistic{nullptr};
  std::string state;  ///< quantity "time_share"
  std::optional<double> from, to;
  std::shared_ptr<const WearRequest> wear{};  ///< quantity "wear_volume", "wear_depth"
  double reference{0.0};
  std::optional<double> absolute, relative;
  std::string source;
  std::optional<double> published;  ///< value given in a published document, for information

  /// The checked quantity with its location, for a quantity that has a value at every instant.
  QuantityAt history() const;
};

}  // namespace ricochet
