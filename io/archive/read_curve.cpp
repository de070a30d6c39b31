#include "io/archive/read_curve.hpp"

#include "io/archive/field_ranges.hpp"
#include "io/archive/restored_nodes.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/quantities/table/expression.hpp"
#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace ricochet {
namespace {

/// Names of the objects of a result that have histories.
struct HeldHistories {
  const H5File& file;
  Mode mode;
  std::string root{runGroupPrefix(mode)};
  ExpressionNames names{};
  bool inTable{false};  ///< true: the contacts are stored in a table

  const std::string& contactNameOf(const QuantityAt& at) const {
    return names.contacts[static_cast<std::size_t>(at.body)];
  }
  /// Names of the numbers that the result records of a contact.
  std::vector<std::string> recordedNumberNames(const QuantityAt& at) const {
    return namesOfRecordedNumbers(file, contactNameOf(at), mode, std::get<OfRecord>(at.quantity->source));
  }
  /// Name of a recorded number; empty for a kind of record with one number only.
  std::string recordedNumberNameOf(const QuantityAt& at) const {
    const bool isNamed = at.hasPlace(QuantityPlace::recorded) || at.hasPlace(QuantityPlace::histogram);
    return isNamed ? recordedNumberNames(at)[static_cast<std::size_t>(at.part)] : std::string{};
  }
};

/// Throws if the model has a node of this name without histories in the result.
void requireNoNodeWithoutHistories(const H5File& file, std::string_view name) {
  if (!file.exists("/model/nodes/name")) return;
  const std::vector<std::string> nodes = file.readStrings("/model/nodes/name");
  if (std::ranges::find(nodes, name) != nodes.end())
    throw PlotError(
        fmt::format("node \"{}\": this result does not hold its histories ([output] nodes); "
                    "`ricochet restore RESULT --nodes {}` writes a file that does",
                    name, name));
}

/// Index of the only node of a group; empty if there are several.
std::optional<int> onlyNodeOfGroup(const HeldHistories& held, std::string_view name) {
  requireNoNodeWithoutHistories(held.file, name);
  if (held.names.nodes.empty()) throw PlotError("this result holds no histories of nodes ([output] nodes)");
  const auto groups = nodesOfGroups(held.file);
  const auto group = groups.find(std::string(name));
  if (group == groups.end()) return std::nullopt;
  if (group->second.size() != 1)
    throw PlotError(fmt::format("{}: is a group of {} nodes; a curve is of one: {}", name,
                                group->second.size(), joinNames(group->second)));
  const std::vector<std::string>& nodes = held.names.nodes;
  const auto found = std::find(nodes.begin(), nodes.end(), group->second.front());
  return found == nodes.end() ? std::nullopt : std::optional(static_cast<int>(found - nodes.begin()));
}

/// True for a dataset that every link has, including the time axis.
bool isCommonLinkDataset(std::string_view dataset) {
  return dataset == "time" || std::ranges::any_of(LinkProbe::kAll, [&](LinkProbe::Kind kind) {
           return dataset == LinkProbe{.kind = kind}.name();
         });
}

HeldHistories findHistoriesOfRun(const H5File& file, Mode mode) {
  HeldHistories held{file, mode};
  held.names.ofResult = true;
  if (file.exists(held.root + "/physical/node"))
    held.names.nodes = file.readStrings(held.root + "/physical/node");
  held.inTable = file.exists(contactTablePath(mode));
  held.names.contacts = contactNamesIn(file, mode);
  held.names.links = groupMembers(file, held.root + "/links");
  held.names.elements = beamElementsIn(file);
  return held;
}

HistoryExpression parseHistoryOfResult(HeldHistories& held, std::string_view text) {
  held.names.otherNode = [&held](std::string_view name) { return onlyNodeOfGroup(held, name); };
  held.names.linkVariables = [&held](int link) {
    std::vector<std::string> variables = held.file.namesOfGroupMembers(
        held.root + "/links/" + held.names.links[static_cast<std::size_t>(link)]);
    std::erase_if(variables, [](const std::string& each) { return isCommonLinkDataset(each); });
    return variables;
  };
  held.names.recordedNumbers = [&held](const QuantityAt& at) { return held.recordedNumberNames(at); };
  try {
    return parseHistoryExpression(text, held.names);
  } catch (const FormulaError& error) {
    throw PlotError(fmt::format("{}: {}", text, error.what()));
  }
}

HistoryColumn historyColumnOfNode(const HeldHistories& held, const QuantityAt& at) {
  const std::string group = held.root + "/physical";
  const auto components = held.file.readStrings(group + "/component");
  const std::string_view wanted = componentName(at.dof.component);
  const auto component = std::find(components.begin(), components.end(), wanted);
  if (component == components.end())
    throw PlotError(
        fmt::format("{}: no such component in this result; it has {}", wanted, joinNames(components)));
  const std::size_t offset = static_cast<std::size_t>(at.dof.node.value) * components.size() +
                             static_cast<std::size_t>(component - components.begin());
  HistoryColumn column = readColumn(held.file, group, at.quantity->keyword, offset,
                                    {held.names.nodes.size(), components.size()});
  column.units = at.unit();
  return column;
}

HistoryColumn historyColumnOfContact(const HeldHistories& held, const QuantityAt& at) {
  const auto& shown = std::get<OfContact>(at.quantity->source);
  const std::string own = held.root + "/contacts/" + held.names.contacts[static_cast<std::size_t>(at.body)];
  const std::string group = held.inTable ? held.root + "/contact_table" : own;
  std::vector<HistoryColumn> columns;
  for (const ContactProbe::Kind kind : shown.probeKinds()) {
    const ContactProbe probe{kind};
    H5Shape row;
    if (held.inTable) row.push_back(held.names.contacts.size());
    if (probe.size() > 1) row.push_back(probe.size());
    const std::size_t first = held.inTable ? static_cast<std::size_t>(at.body) * probe.size() : 0;
    for (std::size_t i = 0; i < probe.size(); ++i)
      columns.push_back(readColumn(held.file, group, probe.name(), first + i, row));
  }
  HistoryColumn made{own, columns.front().time, {}, std::string(at.unit())};
  std::array<double, OfContact::kMostChannels> channels{};
  for (std::size_t row = 0; row < made.time.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) channels[i] = columns[i].values[row];
    made.values.push_back(shown.value(channels.data(), at.part));
  }
  return made;
}

HistoryColumn historyColumnOfLink(const HeldHistories& held, QuantityAt& at, bool firstOfVectors) {
  const std::string& link = held.names.links[static_cast<std::size_t>(at.body)];
  const std::string group = held.root + "/links/" + link;
  const LinkProbe::Kind kind = at.linkKind();
  if (kind == LinkProbe::Kind::variable)
    return readColumn(held.file, group, held.names.linkVariables(at.body)[static_cast<std::size_t>(at.part)],
                      0);
  const std::string_view dataset = LinkProbe{.kind = kind}.name();
  if (!at.hasPlace(QuantityPlace::linkAxes)) return readColumn(held.file, group, dataset, 0);
  const H5Shape shape = held.file.shape(fmt::format("{}/{}", group, dataset));
  const std::size_t axes = shape.size() > 1 ? shape[1] : 1;
  if (static_cast<std::size_t>(at.part) > axes)
    throw PlotError(fmt::format("{}: link \"{}\" has one axis", at.quantity->keyword, link));
  if (firstOfVectors && axes > 1 && at.part == 0) at.part = 1;
  const H5Shape row = shape.size() > 1 ? H5Shape{axes} : H5Shape{};
  HistoryColumn column = readColumn(held.file, group, dataset, at.part == 2 ? 1 : 0, row);
  if (at.part != 0 || axes == 1) return column;
  const HistoryColumn second = readColumn(held.file, group, dataset, 1, row);
  for (std::size_t i = 0; i < column.values.size(); ++i)
    column.values[i] = componentAlongAxis(column.values[i], second.values[i], 0);
  return column;
}

HistoryColumn historyColumnOfCoordinate(const HeldHistories& held, const QuantityAt& at) {
  if (!held.root.empty()) throw PlotError("coordinate: a direct run has no generalized coordinates");
  const std::size_t modes = held.file.rows("/modal/frequency");
  if (static_cast<std::size_t>(at.part) > modes)
    throw PlotError(fmt::format("coordinate({}): this result has {} modes", at.part, modes));
  return readColumn(held.file, "/transient", "displacement", static_cast<std::size_t>(at.part - 1), {modes});
}

/// The history of a quantity; with `firstOfVectors` the first component replaces the magnitude of a vector.
HistoryColumn historyColumnOfQuantity(const HeldHistories& held, QuantityAt& at, bool firstOfVectors) {
  if (firstOfVectors && at.hasPlace(QuantityPlace::tangents) && at.part == 0) at.part = 1;
  if (at.quantity->place == QuantityPlace::node) {
    if (at.quantity->use == QuantityUse::restored &&
        !held.file.exists(held.root + "/physical/" + std::string(at.quantity->keyword)))
      throw PlotError(fmt::format(
          "{}: this result does not hold it; `ricochet restore RESULT --fields {}` writes a file that does",
          at.quantity->keyword, at.quantity->keyword));
    return historyColumnOfNode(held, at);
  }
  if (at.isContactQuantity()) return historyColumnOfContact(held, at);
  if (at.isLinkQuantity()) return historyColumnOfLink(held, at, firstOfVectors);
  if (at.hasPlace(QuantityPlace::coordinate)) return historyColumnOfCoordinate(held, at);
  if (at.hasPlace(QuantityPlace::beam)) return readSectionForce(held.file, at);
  if (const auto* record = std::get_if<OfRecord>(&at.quantity->source)) {
    HistoryColumn column = readContactRecord(held.file, held.contactNameOf(at), held.mode, *record,
                                             held.recordedNumberNameOf(at), at.window);
    if (*record == OfRecord::state) column.units = at.unit();
    return column;
  }
  return readColumn(held.file, held.root + "/energy", EnergyProbe::kNames[static_cast<std::size_t>(at.part)],
                    0);
}

enum class Related : unsigned char { rate, integral };

/// The history of the derivative or antiderivative by time of a quantity; empty if the result does not hold
/// it.
std::optional<HistoryColumn> derivativeOrIntegralHistory(const HeldHistories& held, QuantityAt at,
                                                         Related wanted) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Pair, 3> kRates{Pair{"displacement", "velocity"}, Pair{"velocity", "acceleration"},
                                       Pair{"link_displacement", "link_velocity"}};
  const bool wantsRate = wanted == Related::rate;
  if (at.hasPlace(QuantityPlace::coordinate) && wantsRate && held.file.exists("/transient/velocity"))
    return readColumn(held.file, "/transient", "velocity", static_cast<std::size_t>(at.part - 1),
                      {held.file.rows("/modal/frequency")});
  for (const auto& [of, rate] : kRates) {
    if (at.quantity->keyword != (wantsRate ? of : rate)) continue;
    at.quantity = findExpressionQuantity(wantsRate ? rate : of, true);
    try {
      return historyColumnOfQuantity(held, at, true);
    } catch (const PlotError&) {  // [output] fields may leave it out
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Derivatives or antiderivatives of the variables of a formula of histories; empty if one of them has none.
std::vector<HistoryColumn> derivativeOrIntegralColumns(const HeldHistories& held,
                                                       const HistoryExpression& history,
                                                       const std::vector<double>& time, Related wanted) {
  std::vector<HistoryColumn> columns;
  for (const QuantityAt& each : history.channels) {
    std::optional<HistoryColumn> column = derivativeOrIntegralHistory(held, each, wanted);
    if (!column || column->time != time) return {};
    columns.push_back(std::move(*column));
  }
  return columns;
}

/// Fills the rates of a curve by the chain rule, or, of a sum of histories without rates, the integrals.
void fillRatesOfCurve(const HeldHistories& held, const HistoryExpression& history,
                      const std::vector<HistoryColumn>& columns, Curve& curve) {
  const std::size_t variables = columns.size();
  std::vector<double> values(variables), slopes(variables);
  if (const auto rates = derivativeOrIntegralColumns(held, history, curve.time, Related::rate);
      !rates.empty()) {
    for (std::size_t row = 0; row < curve.time.size(); ++row) {
      for (std::size_t i = 0; i < variables; ++i) {
        values[i] = columns[i].values[row];
        slopes[i] = rates[i].values[row];
      }
      curve.rates.push_back(history.formula.rateAt(values, slopes));
    }
    if (!std::ranges::all_of(curve.rates, [](double each) { return std::isfinite(each); }))
      curve.rates.clear();
    return;
  }
  const std::optional<AffineForm> sum = affineFormOf(history.formula, variables);
  const auto integrals = derivativeOrIntegralColumns(held, history, curve.time, Related::integral);
  if (!sum || sum->ofSize || integrals.empty()) return;
  for (std::size_t row = 0; row < curve.time.size(); ++row) {
    double integral = sum->constant * curve.time[row];
    for (std::size_t i = 0; i < variables; ++i) integral += sum->factors[i] * integrals[i].values[row];
    curve.integrals.push_back(integral);
  }
}

/// Impulse of the normal force of a contact over the whole run; empty if the result does not hold it.
std::optional<double> normalImpulseOf(const HeldHistories& held, const QuantityAt& at) {
  const std::string table = contactTablePath(held.mode) + "/impulse";
  if (held.inTable && held.file.exists(table))
    return held.file.read(table, {held.names.contacts.size()}).values[static_cast<std::size_t>(at.body)];
  const std::string group = held.root + "/contacts/" + held.contactNameOf(at);
  if (held.inTable || !held.file.hasAttribute(group, "impulse")) return std::nullopt;
  return held.file.numberAttribute(group, "impulse");
}

/// Largest share of the impulse of a normal force that the rows of its history do not have: rigid contacts
/// have impulses without force, and an impact may lie between two rows.
double shareOfImpulseMissedByRows(const HeldHistories& held, const HistoryExpression& history,
                                  const std::vector<HistoryColumn>& columns) {
  double missed = 0.0;
  const std::vector<double> events = eventInstantsIn(held.file, held.mode);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const QuantityAt& at = history.channels[i];
    // Rows of a part of the run have a part of the impulse.
    const std::vector<double>& rows = columns[i].time;
    const bool areAll = rows.size() > 1 &&
                        (events.empty() || (events.front() >= rows.front() && events.back() <= rows.back()));
    if (!areAll) continue;
    if (at.quantity->keyword != ContactProbe{ContactProbe::Kind::normalForce}.name()) continue;
    const std::optional<double> impulse = normalImpulseOf(held, at);
    if (!impulse || !(*impulse > 0.0)) continue;
    double ofRows = 0.0;
    const HistoryColumn& c = columns[i];
    for (std::size_t row = 1; row < c.time.size(); ++row)
      ofRows += 0.5 * (c.time[row] - c.time[row - 1]) * (c.values[row] + c.values[row - 1]);
    missed = std::max(missed, std::abs(1.0 - ofRows / *impulse));
  }
  return missed;
}

bool usesGeneralizedCoordinates(const HistoryExpression& history) {
  return std::ranges::any_of(history.channels,
                             [](const QuantityAt& each) { return each.hasPlace(QuantityPlace::coordinate); });
}

Curve buildCurve(const HeldHistories& held, HistoryExpression history, Mode mode, bool drives) {
  Curve curve;
  std::vector<HistoryColumn> columns;
  for (QuantityAt& each : history.channels) {
    const int part = each.part;
    columns.push_back(historyColumnOfQuantity(held, each, drives));
    curve.tookFirst |= each.part != part;
    if (columns.back().time != columns.front().time || columns.back().abscissa != columns.front().abscissa)
      throw PlotError(fmt::format("{}: its histories are not of the same instants", history.text));
  }
  const FormulaShape shape = formOfFormula(history.formula);
  const Quantity& first = *history.channels.front().quantity;
  curve.label = history.text;
  const std::string number =
      first.place == QuantityPlace::recorded ? held.recordedNumberNameOf(history.channels.front()) : "";
  curve.quantity = shape != FormulaShape::variable            ? history.text
                   : first.place == QuantityPlace::coordinate ? std::string(first.meaning)
                   : first.place == QuantityPlace::recorded   ? number
                                                              : std::string(first.keyword);
  curve.style = columns.front().style;
  if (!columns.front().abscissa.empty()) curve.abscissa = columns.front().abscissa;
  if (shape != FormulaShape::other) curve.units = columns.front().units;
  if (shape == FormulaShape::variable) curve.group = columns.front().group;
  curve.mode = mode;
  curve.time = columns.front().time;
  if (drives) {
    fillRatesOfCurve(held, history, columns, curve);
    curve.missedImpulse = shareOfImpulseMissedByRows(held, history, columns);
  }
  if (shape == FormulaShape::variable) {
    curve.values = std::move(columns.front().values);
    return curve;
  }
  std::vector<double> arguments(columns.size());
  for (std::size_t row = 0; row < curve.time.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) arguments[i] = columns[i].values[row];
    curve.values.push_back(history.formula.evaluate(std::span<const double>(arguments)));
  }
  return curve;
}

}  // namespace

std::vector<std::string> contactNamesIn(const H5File& file, Mode mode) {
  const std::string table = contactTablePath(mode);
  std::vector<std::string> names = file.exists(table)
                                       ? file.readStrings(table + "/name")
                                       : groupMembers(file, std::string(runGroupPrefix(mode)) + "/contacts");
  for (std::string& each : names) each = hdf5ObjectName(each);
  return names;
}

std::vector<double> eventInstantsIn(const H5File& file, Mode mode) {
  const std::string times = std::string(runGroupPrefix(mode)) + "/events/time";
  if (!file.exists(times)) return {};
  std::vector<double> instants = file.read(times, {kAny}).values;
  std::ranges::sort(instants);
  return instants;
}

void requireCurveRows(const H5File& file, const Curve& curve) {
  if (!curve.time.empty()) return;
  const bool hasInstants = curve.style == CurveStyle::line || curve.style == CurveStyle::steps;
  throw PlotError(hasInstants ? fmt::format("{}: holds no instant yet", file.name())
                              : fmt::format("{}: there is none in this run", curve.label));
}

Curve readCurve(const H5File& file, std::string_view quantity, Mode mode, bool drives) {
  HeldHistories held = findHistoriesOfRun(file, mode);
  return buildCurve(held, parseHistoryOfResult(held, quantity), mode, drives);
}

std::vector<Curve> readCurves(const H5File& file, std::string_view quantity) {
  const bool modal = file.exists("/transient");
  const bool direct = file.exists("/direct");
  if (!direct) return {readCurve(file, quantity, Mode::modal)};
  if (!modal) return {readCurve(file, quantity, Mode::direct)};
  HeldHistories held = findHistoriesOfRun(file, Mode::modal);
  HistoryExpression history = parseHistoryOfResult(held, quantity);
  const bool onlyModal = usesGeneralizedCoordinates(history);
  std::vector<Curve> curves{buildCurve(held, std::move(history), Mode::modal, false)};
  if (onlyModal) return curves;
  curves.push_back(readCurve(file, quantity, Mode::direct));
  curves[0].label += ", modal";
  curves[1].label += ", direct";
  return curves;
}

}  // namespace ricochet
