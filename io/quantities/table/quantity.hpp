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

/// Kind of object that a quantity belongs to. The kind determines the arguments of its expression (words in
/// capitals are names in the deck), and the keys of its check.
enum class QuantityPlace : unsigned char {
  // Quantities with a value at every instant.
  node,          ///< arguments NODE, DOF
  beam,          ///< BEAM, number of an element, force of one of its end sections
  contact,       ///< argument CONTACT
  tangents,      ///< CONTACT, and tangent 1 or 2; without tangent: the magnitude
  link,          ///< argument LINK
  linkAxes,      ///< LINK, and axis 1 or 2; without axis: the magnitude
  linkPart,      ///< LINK, and a part of its energy
  linkVariable,  ///< LINK, and an internal variable of its law
  energyPart,    ///< a part of the energy balance
  recorded,      ///< CONTACT, and the name of a recorded number
  histogram,     ///< CONTACT, the name of a number, and a window
  coordinate,    ///< number of the MODE, from 1
  // Quantities with one value per run.
  event,          ///< CONTACT or LINK, kind of event, its number
  eventCount,     ///< CONTACT or LINK, kind of event
  impact,         ///< a contact, and the number of an impact
  wholeContact,   ///< CONTACT; value over the whole run
  contactSpan,    ///< CONTACT; value over the run or an interval of time
  contactState,   ///< CONTACT and one of its states; over the run or an interval
  worn,           ///< CONTACT with `wear`; over the run or an interval
  contactWindow,  ///< CONTACT; one number of its [statistics] in one of its windows
  nodeSpan,       ///< a node and a dof, over the run or an interval
  run,            ///< no argument: a value of the run
  // Quantities of the basis.
  mode,      ///< number of a mode
  modeAlong  ///< number of a mode, and a direction
};

/// Contexts in which the name of a quantity is allowed.
enum class QuantityUse : unsigned char {
  everywhere,     ///< keys of checks, and expressions of checks, batches and pictures
  checkKeys,      ///< keys of checks only
  expressions,    ///< expressions only
  decks,          ///< keys of checks, and expressions of checks and batches
  results,        ///< expressions that are evaluated on a result
  restored,       ///< the command `restore`, and expressions that are evaluated on the file that it writes
  keysOrRestored  ///< keys of checks, and the contexts of `restored`
};

// ---- sources of a quantity in a run and in a result ----

/// Source of a kinematic quantity of a dof: a dataset of /physical.
struct OfNode {
  Kinematic kind;
};
/// Source of a force of an end section of a beam element.
struct OfBeam {};
/// Source of a quantity of a contact: values in the view of a contact and in the datasets of its group, and
/// the function that computes the quantity from these values.
struct OfContact {
  enum class Needs : unsigned char { nothing, axis, area };
  static constexpr std::size_t kMostChannels = 4;
  std::array<ContactProbe::Kind, 2> probes;
  std::size_t count;  ///< number of probes
  double (*value)(const double* channels, int tangent);
  /// True if the quantity depends on the position only. Between instants, such a quantity is computed from
  /// the position and the shape of the obstacle.
  bool byPosition{false};
  Needs needs{Needs::nothing};  ///< requirement: an obstacle with an axis, or the friction of an area

  std::span<const ContactProbe::Kind> probeKinds() const noexcept { return std::span(probes).first(count); }
  constexpr std::size_t probeChannelCount() const noexcept {
    return ContactProbe{probes[0]}.size() + (count > 1 ? ContactProbe{probes[1]}.size() : 0);
  }
  void sample(const StepView& view, std::size_t contact, double* channels) const;

  // ---- between instants ----
  // The quantity may have a kink between instants: a gap where the nearest side changes, the size of a vector
  // where its sign changes. The numbers below have none; they are interpolated, and give the quantity.

  /// Number of the smooth numbers: the three coordinates of the position, or the channels.
  constexpr std::size_t interpolatedNumberCount() const noexcept {
    return byPosition ? 3 : probeChannelCount();
  }
  constexpr bool mayHaveKinks() const noexcept { return byPosition || probeChannelCount() > 1; }
  void sampleInterpolatedNumbers(const StepView& view, std::size_t contact, double* numbers) const;
};
/// Source of a quantity of a link: a number of its state, and a dataset of its group.
struct OfLink {
  LinkProbe::Kind kind;
};
/// Source of a part of the energy ledger: a dataset of /energy. Views have a value at instants only.
struct OfEnergy {};
/// Source of a generalized coordinate: a column of /transient/displacement.
struct OfCoordinate {};
/// Data of a contact in a result in addition to its histories: states, and with [statistics] numbers of
/// windows, the table of impacts, and histograms.
enum class OfRecord : unsigned char { state, statistic, impact, histogram };
/// Source of a number of a whole run.
enum class OfRun : unsigned char {
  eventTime,
  eventCount,
  totalImpulse,
  frictionEnergy,
  wearPower,
  wear,  ///< worn volume or depth
  energyError,
  /// Impulse of one impact; the following entries are quantities of one impact too.
  impulse,
  impactDuration,
  impactPeak,
  impactVelocity,
  reboundVelocity,
  timeShare,
  period,
  contactStatistic
};
/// Source of a number of a mode: a real mode (for some numbers along the direction `dof`), or a complex mode.
struct OfMode {
  double (*value)(const ModalBasis& basis, Eigen::Index mode, Eigen::Index dof);
};
struct OfComplexMode {
  double ComplexMode::*member;
};
/// Source of a field that `restore` computes: reactions, or stiffness forces of beams.
enum class OfRestored : unsigned char { reaction, beamElasticForce };

using QuantitySource = std::variant<OfNode, OfBeam, OfContact, OfLink, OfEnergy, OfCoordinate, OfRecord,
                                    OfRun, OfMode, OfComplexMode, OfRestored>;

/// A quantity of a run: its name, unit and meaning, and its source. Used by decks, checks, batches, pictures,
/// `restore` and the manual.
struct Quantity {
  std::string_view keyword;
  std::string_view unit;
  std::string_view turningUnit;  ///< unit of rotations and moments; empty: the unit of translations
  std::string_view meaning;
  QuantityPlace place;
  QuantitySource source;
  QuantityUse use{QuantityUse::everywhere};
  std::string_view call{};  ///< name in expressions; empty: the keyword

  constexpr bool isHistory() const noexcept { return place <= QuantityPlace::coordinate; }
  constexpr std::string_view name() const noexcept { return call.empty() ? keyword : call; }
  constexpr bool isAllowedInExpressions() const noexcept { return use != QuantityUse::checkKeys; }
  /// True for a quantity that is allowed only in expressions on files written by `restore`.
  constexpr bool isOnlyForRestoredFiles() const noexcept {
    return use == QuantityUse::restored || use == QuantityUse::keysOrRestored;
  }
  /// True for a quantity that is allowed only in expressions on results.
  constexpr bool isOnlyForResults() const noexcept {
    return use == QuantityUse::results || isOnlyForRestoredFiles();
  }
  constexpr bool isAllowedAsCheckKey() const noexcept {
    return use == QuantityUse::everywhere || use == QuantityUse::checkKeys || use == QuantityUse::decks ||
           use == QuantityUse::keysOrRestored;
  }
  /// True for a quantity whose name is an internal variable of the law of a link.
  constexpr bool isLinkVariable() const noexcept {
    const auto* link = std::get_if<OfLink>(&source);
    return link != nullptr && link->kind == LinkProbe::Kind::variable && place == QuantityPlace::link;
  }
  /// True for fields that `restore` computes from the coordinates, for nodes or for beams.
  constexpr bool isRestoredField() const noexcept {
    return place == QuantityPlace::node || place == QuantityPlace::beam;
  }
  const OfRun* runNumberOrNull() const noexcept { return std::get_if<OfRun>(&source); }
  bool isNumberOfRun(OfRun number) const noexcept {
    return runNumberOrNull() != nullptr && *runNumberOrNull() == number;
  }
};

/// All quantities. A quantity added to this list is available everywhere.
std::span<const Quantity> allQuantities();

/// Quantity with a keyword in checks or `restore`, and quantity with a name in expressions; null if there is
/// none.
const Quantity* findCheckQuantity(std::string_view keyword);
const Quantity* findQuantityToRestore(std::string_view keyword);
const Quantity* findExpressionQuantity(std::string_view name, bool ofResult);

/// Names of the quantities that satisfy `wanted`.
std::vector<std::string_view> quantityNames(bool (*wanted)(const Quantity&));

/// Syntax of a quantity in an expression: "displacement(NODE, DOF)".
std::string syntaxOfQuantity(const Quantity& quantity);

/// Parts of the energy of a link, in the order of LinkProbe::Kind.
inline constexpr std::array<std::string_view, 2> kLinkParts{"stored", "dissipated"};

/// A quantity with a value at every instant, and its object: `displacement(shoe, ux)`, `gap(sole)`.
struct QuantityAt {
  const Quantity* quantity{nullptr};
  Dof dof{};  ///< dof of a node
  /// Index of the contact or link, or index of a beam element in the list of elements.
  int body{0};
  /// Tangent or axis (0: the magnitude), index of a part of an energy, index of a variable in the memory of a
  /// law, number of a mode, index of a force of both end sections, or index of a recorded number.
  int part{0};
  int window{0};  ///< time window of a histogram, from 1; 0: the only histogram

  const OfNode* nodeQuantityOrNull() const noexcept { return std::get_if<OfNode>(&quantity->source); }
  bool hasPlace(QuantityPlace place) const noexcept { return quantity->place == place; }
  const OfContact* contactQuantityOrNull() const noexcept {
    return std::get_if<OfContact>(&quantity->source);
  }
  bool isContactQuantity() const noexcept { return std::holds_alternative<OfContact>(quantity->source); }
  bool isLinkQuantity() const noexcept { return std::holds_alternative<OfLink>(quantity->source); }
  bool isRotational() const noexcept;  ///< true for a rotation of a node, or a moment of a section
  std::string_view unit() const noexcept { return isRotational() ? quantity->turningUnit : quantity->unit; }
  bool operator==(const QuantityAt&) const = default;

  /// Number of the numbers that are interpolated between instants: see OfContact.
  std::size_t interpolatedNumberCount() const noexcept {
    return contactQuantityOrNull() != nullptr ? contactQuantityOrNull()->interpolatedNumberCount() : 1;
  }

  /// Value of a quantity of a contact, a link or the energy in a view of a state.
  double valueInView(const StepView& view) const;
  /// Kind of the quantity of a link.
  LinkProbe::Kind linkKind() const;
};

/// Component of a vector along an axis, or its magnitude; the magnitude has the sign of the first component
/// if all others are zero.
double componentAlongAxis(double first, double second, int axis) noexcept;

}  // namespace ricochet
