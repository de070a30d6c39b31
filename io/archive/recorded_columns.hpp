#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/quantities/table/expression.hpp"
#include "io/quantities/table/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

class H5File;

/// Relation between the values of a curve and its abscissae.
enum class CurveStyle : unsigned char {
  line,   ///< the value between two rows is close to both
  steps,  ///< a value holds until the next row
  bars,   ///< two rows are the ends of an interval with one constant value
  marks   ///< rows are single instants
};

/// A column of a result: values over time, or over another abscissa.
struct HistoryColumn {
  std::string group;
  std::vector<double> time, values;
  std::string units;
  CurveStyle style{CurveStyle::line};
  std::string abscissa{};  ///< "impact_peak [N]"; empty: time
};

/// Reads the value number `offset` of every row of a dataset whose rows have the shape `row`. Throws
/// PlotError if the result does not hold it.
HistoryColumn readColumn(const H5File& file, const std::string& group, std::string_view name,
                         std::size_t offset, const std::vector<std::size_t>& row = {});

/// States of a contact in its archived rows: 0 open, 1 stick, 2 slip.
struct ContactStates {
  std::vector<double> time;
  std::vector<std::int8_t> state;
};
std::optional<ContactStates> readContactStates(const H5File& file, const std::string& contact, Mode mode);

/// Elements of beams whose forces a restored file holds, in the order of its columns.
std::vector<BeamElementName> beamElementsIn(const H5File& file);
/// Force of an end section of a beam element, from a restored file.
HistoryColumn readSectionForce(const H5File& file, const QuantityAt& at);

/// Names of the numbers that a result records of a contact. If there are none, throws PlotError with the keys
/// that [statistics] needs.
std::vector<std::string> namesOfRecordedNumbers(const H5File& file, const std::string& contact, Mode mode,
                                                OfRecord what);
/// Numbers that a result records of a contact. `number`: their name; `window`: time window of a histogram.
HistoryColumn readContactRecord(const H5File& file, const std::string& contact, Mode mode, OfRecord what,
                                const std::string& number, int window);

}  // namespace ricochet
