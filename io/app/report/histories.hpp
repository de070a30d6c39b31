#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/app/report/history_sources.hpp"
#include "io/app/report/page_data.hpp"

#include <cstddef>
#include <string>

namespace ricochet {

/// A run of a result as JSON: its instants, its histories reduced to `buckets` pairs of rows where they are
/// longer, their spectra, the spans of the states of its contacts, events and totals.
std::string runAsJson(const H5File& file, Mode mode, const ShownHistories& shown, std::size_t buckets,
                      PageData& data);

}  // namespace ricochet
