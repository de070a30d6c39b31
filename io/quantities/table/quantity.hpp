#pragma once

#include "engine/transient/probes.hpp"
#include "engine/transient/transient.hpp"
#include "modal/complex_modes.hpp"
#include "physical/dof.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ricochet {

/// What a quantity is of: the arguments of its expression, and the keys of a check of it.
enum class QuantityPlace : unsigned char {
  // with a value at every instant
  node,          ///< NODE, DOF
  beam,          ///< section of an element of a beam
  contact,       ///< CONTACT
  tangents,      ///< CONTACT, and tangent 1 or 2: without it the size
  link,          ///< LINK
  linkAxes,      ///< LINK, and axis 1 or 2: without it the size
  linkPart,      ///< LINK, and a part of its energy
  linkVariable,  ///< LINK, and an internal variable of its law
  energyPart,    ///< a part of the energy ledger
  coordinate,    ///< MODE, from 1
  // numbers of a run
  event,          ///< CONTACT or LINK, kind of event, its number
  eventCount,     ///< CONTACT or LINK, kind of event
  impact,         ///< a contact, and the number of an impact
  wholeContact,   ///< CONTACT over the run
  contactSpan,    ///< CONTACT over the run or a stretch of it
  contactState,   ///< likewise, of one of its states
  worn,           ///< likewise, of a contact with `wear`
  contactWindow,  ///< a number of [statistics] of a contact
  nodeSpan,       ///< a node and a dof over the run or a stretch of it
  run,            ///< nothing else
  // of the basis
  mode,      ///< a mode
  modeAlong  ///< a mode and a direction
};

/// Where a quantity can be named.
enum class QuantityUse : unsigned char {
  everywhere,   ///< keys of checks, and expressions of checks, batches and pictures
  checkKeys,    ///< keys of checks
  expressions,  ///< expressions
  results,      ///< expressions over a result
  restore       ///< `restore` alone
};

// How a quantity is found in a run and in a result.

/// A kinematic quantity of a dof: dataset of /physical.
struct OfNode {
  Kinematic kind;
};
/// A force of an end section of a beam element.
struct OfBeam {};
/// Numbers that the view of a contact shows, and datasets of its group in a result hold; and what is made of
/// them.
struct OfContact {
  enum class Needs : unsigned char { nothing, axis, area };
  static constexpr std::size_t kMostChannels = 4;
  std::array<ContactProbe::Kind, 2> probes;
  std::size_t count;  ///< of the probes
  double (*value)(const double* channels, int tangent);
  /// Between instants that are shown it follows from the position, by the shape of the obstacle.
  bool byPosition{false};
  Needs needs{Needs::nothing};  ///< an obstacle with an axis, the friction of an area

  std::span<const ContactProbe::Kind> kinds() const noexcept { return std::span(probes).first(count); }
  constexpr std::size_t channels() const noexcept {
    return ContactProbe{probes[0]}.size() + (count > 1 ? ContactProbe{probes[1]}.size() : 0);
  }
  void sample(const StepView& view, std::size_t contact, double* channels) const;
};
/// A number of the state of a link: dataset of its group.
struct OfLink {
  LinkProbe::Kind kind;
};
/// A part of the energy ledger: dataset of /energy. Only views at instants have it.
struct OfEnergy {};
/// A generalized coordinate: column of /transient/displacement.
struct OfCoordinate {};
/// A number that the whole run gives.
enum class OfRun : unsigned char {
  eventTime,
  eventCount,
  totalImpulse,
  frictionEnergy,
  wearPower,
  wear,  ///< volume or depth
  energyError,
  impulse,  ///< of one impact, as the next ones
  impactDuration,
  impactPeak,
  impactVelocity,
  reboundVelocity,
  timeShare,
  period,
  contactStatistic
};
/// A number of a mode of the basis, `dof` a direction; or of a complex mode.
struct OfMode {
  double (*value)(const ModalBasis& basis, Eigen::Index mode, Eigen::Index dof);
};
struct OfComplexMode {
  double ComplexMode::*member;
};
/// A field that `restore` finds: reactions, forces of the stiffness of beams alone.
enum class OfRestored : unsigned char { reaction, beamElasticForce };

using QuantitySource = std::variant<OfNode, OfBeam, OfContact, OfLink, OfEnergy, OfCoordinate, OfRun, OfMode,
                                    OfComplexMode, OfRestored>;

/// A quantity of a run: its name, unit and meaning, and how it is found. Decks, checks, batches, pictures,
/// `restore` and the manual read this.
struct Quantity {
  std::string_view keyword;
  std::string_view unit;
  std::string_view turningUnit;  ///< of rotations and moments; empty: the same
  std::string_view meaning;
  QuantityPlace place;
  QuantitySource source;
  QuantityUse use{QuantityUse::everywhere};
  std::string_view call{};  ///< its name in expressions; empty: the keyword

  constexpr bool isHistory() const noexcept { return place <= QuantityPlace::coordinate; }
  constexpr std::string_view name() const noexcept { return call.empty() ? keyword : call; }
  constexpr bool isInExpressions() const noexcept {
    return use != QuantityUse::checkKeys && use != QuantityUse::restore;
  }
  constexpr bool isKeyOfChecks() const noexcept {
    return use == QuantityUse::everywhere || use == QuantityUse::checkKeys;
  }
  /// Of a link whose law has an internal variable of this name.
  constexpr bool isVariableOfItsName() const noexcept {
    const auto* link = std::get_if<OfLink>(&source);
    return link != nullptr && link->kind == LinkProbe::Kind::variable && place == QuantityPlace::link;
  }
  /// Fields that `restore` finds from the coordinates: of nodes, of beams.
  constexpr bool isRestored() const noexcept {
    return place == QuantityPlace::node || place == QuantityPlace::beam;
  }
  const OfRun* ofRun() const noexcept { return std::get_if<OfRun>(&source); }
  bool is(OfRun number) const noexcept { return ofRun() != nullptr && *ofRun() == number; }
};

/// All of them. A quantity that is added there can be asked for wherever quantities are.
std::span<const Quantity> quantities();

/// The one of a keyword that checks take by keys, or `restore`; the one of a name in expressions. Null: there
/// is none.
const Quantity* quantityOfChecks(std::string_view keyword);
const Quantity* quantityToRestore(std::string_view keyword);
const Quantity* quantityInExpressions(std::string_view name);

/// Names of those for which `wanted` holds.
std::vector<std::string_view> quantityNames(bool (*wanted)(const Quantity&));

/// "displacement(NODE, DOF)": how it is written in an expression.
std::string usageOf(const Quantity& quantity);

/// Parts of the energy of a link, in the order of LinkProbe::Kind.
inline constexpr std::array<std::string_view, 2> kLinkParts{"stored", "dissipated"};

/// A quantity with a value at every instant, and where: `displacement(shoe, ux)`, `gap(sole)`.
struct QuantityAt {
  const Quantity* quantity{nullptr};
  Dof dof{};    ///< of a node
  int body{0};  ///< contact or link
  /// Tangent or axis (0: the size), index of a part of an energy, place of a variable in the memory of a law,
  /// number of a mode.
  int part{0};

  const OfNode* ofNode() const noexcept { return std::get_if<OfNode>(&quantity->source); }
  bool isOf(QuantityPlace place) const noexcept { return quantity->place == place; }
  bool isOfContact() const noexcept { return std::holds_alternative<OfContact>(quantity->source); }
  bool isOfLink() const noexcept { return std::holds_alternative<OfLink>(quantity->source); }
  bool turns() const noexcept;  ///< of a rotation of a node
  std::string_view unit() const noexcept { return turns() ? quantity->turningUnit : quantity->unit; }
  bool operator==(const QuantityAt&) const = default;

  /// Its value where a run shows itself, of a contact, of a link, or of the energy.
  double valueIn(const StepView& view) const;
  /// Which number of a link it is.
  LinkProbe::Kind linkKind() const;
};

/// Along an axis, or the size: with a sign where there is motion along the first axis alone.
double alongAxis(double first, double second, int axis) noexcept;

}  // namespace ricochet
