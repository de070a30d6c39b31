#include "engine/lanes/lane_model.hpp"

#include "engine/schemes/modal_drift.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ricochet::batch {

LaneModel::LaneModel(LaneScheme which, const ModalModel& base, const TransientOptions& options)
    : scheme(which),
      start(options.start),
      step(options.step),
      tolerance(kSnap * options.step),
      damped(base.linear.isDamped()),
      padded(base.linear.omegaSquared.size()),
      count(nominalStepCount(options)) {
  const auto kept = static_cast<std::size_t>(base.linear.modes);
  constexpr auto width = static_cast<std::size_t>(kLanes);
  for (std::size_t j = 0; j < width; ++j) {
    begin[j] = modes.size();
    for (std::size_t i = j; i < kept; i += width) modes.push_back(i);
  }
  begin[width] = modes.size();
  buildModeTables(base.linear);
  buildLoads(base.loads);
  buildRows(base.contacts);
  listStepsComputedByScalarCode(base, options);
}

void LaneModel::buildModeTables(const LinearSystem& linear) {
  ModalDrift drift(linear);
  drift.prepare(step);
  const kernels::DriftTables tables = drift.driftCoefficientsOfModes();
  const double dv = 0.5 * step;
  for (const std::size_t mode : modes) {
    const auto i = static_cast<Eigen::Index>(mode);
    qq.push_back(tables.qq[mode]);
    qv.push_back(tables.qv[mode]);
    vq.push_back(tables.vq[mode]);
    vv.push_back(tables.vv[mode]);
    omegaSquared.push_back(linear.omegaSquared[i]);
    damping.push_back(linear.dampingDiagonal[i]);
    // This expression must equal that in ModalEquation::implicitAcceleration, with dq = 0.
    inverse.push_back(1.0 / (1.0 + dv * linear.dampingDiagonal[i] + 0.0 * linear.omegaSquared[i]));
  }
}

void LaneModel::buildLoads(const Excitation& excitation) {
  loads = static_cast<std::size_t>(excitation.termCount());
  for (const std::size_t mode : modes) {
    loadBegin.push_back(shapes.size());
    for (std::size_t r = 0; r < loads; ++r) {
      const double value = excitation.shapes()[r * static_cast<std::size_t>(padded) + mode];
      if (value != 0.0) shapes.push_back({r, value});
    }
  }
  loadBegin.push_back(shapes.size());
  blocks = (modes.size() + kWidth - 1) / kWidth;
  shapeBlocks.resize(blocks * loads);
  for (std::size_t p = 0; p < modes.size(); ++p)
    for (std::size_t r = 0; r < loads; ++r)
      shapeBlocks[p / kWidth * loads + r].lane[p % kWidth] =
          excitation.shapes()[r * static_cast<std::size_t>(padded) + modes[p]];
}

RowBundle LaneModel::makeRowBundle(const double* const* rowPointers, std::size_t rowCount) const {
  assert(rowCount <= RowBundle::kBundle);
  RowBundle made;
  made.rows = rowCount;
  for (std::size_t j = 0; j + 1 < begin.size(); ++j) {
    made.sum.begin[j] = made.sum.at.size();
    for (std::size_t place = begin[j]; place < begin[j + 1]; ++place) {
      const std::size_t mode = modes[place];
      const auto has = [mode](const double* row) { return row != nullptr && row[mode] != 0.0; };
      if (!std::any_of(rowPointers, rowPointers + rowCount, has)) continue;
      made.sum.at.push_back(place);
      (j % 2 == 0 ? made.sum.even : made.sum.odd) = true;
      for (std::size_t r = 0; r < rowCount; ++r)
        made.values.push_back(rowPointers[r] == nullptr ? 0.0 : rowPointers[r][mode]);
    }
  }
  made.sum.begin.back() = made.sum.at.size();
  return made;
}

void LaneModel::buildRows(const ContactSet& contacts) {
  std::vector<const double*> gapRows;
  for (int i = 0; i < contacts.size(); ++i) {
    gapRows.push_back(contacts.row(i, 0));
    std::array<RowBundle, 3>& own = rows.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const double* row = contacts.row(i, axis);
      if (row != nullptr) own[static_cast<std::size_t>(axis)] = makeRowBundle(&row, 1);
    }
    if (traitsOf(contacts.contact(i).normal).imposed) imposed.push_back(static_cast<std::size_t>(i));
  }
  for (std::size_t i = 0; i < gapRows.size(); i += RowBundle::kBundle)
    gaps.push_back(makeRowBundle(gapRows.data() + i, std::min(RowBundle::kBundle, gapRows.size() - i)));
}

/// Marks the steps that the scalar code computes, by the rules of TransientLoop::advanceTo, nextBreakpoint
/// and tryStep.
void LaneModel::listStepsComputedByScalarCode(const ModalModel& base, const TransientOptions& options) {
  const auto endOf = [&](long long n) {
    return n == count ? options.end : start + static_cast<double>(n) * step;
  };
  const auto grid = makeTransientGrid(base, options, true);
  special = {1, count};
  const auto around = [&](double t, auto&& wanted) {
    const double cell = std::clamp((t - start) / step, -3.0, static_cast<double>(count) + 3.0);
    const auto middle = static_cast<long long>(std::floor(cell));
    for (long long n = std::max(1LL, middle - 1); n <= std::min(count, middle + 3); ++n)
      if (wanted(n)) special.push_back(n);
  };
  for (const double t : grid->breakpoints) {
    const auto endsAfter = [&](long long n) { return t > endOf(n) && t <= endOf(n) + tolerance; };
    around(t, [&](long long n) {
      return (t > endOf(n - 1) + tolerance && t < endOf(n) - tolerance) || endsAfter(n) || endsAfter(n - 1);
    });
  }
  for (std::size_t i = 0; i < grid->outputs.size(); ++i) {
    const TransientOutput output = grid->outputs[i];
    around(output.time, [&](long long n) {
      return output.time <= endOf(n) + tolerance && (n == 1 || output.time > endOf(n - 1) + tolerance);
    });
  }
  forEachExcitationFunction(base, [&](const TimeFunction& f) {
    for (const double t : f.jumpInstants())
      around(t, [&](long long n) { return t < endOf(n) + 2.0 * tolerance; });
  });
  std::sort(special.begin(), special.end());
  special.erase(std::unique(special.begin(), special.end()), special.end());
}

}  // namespace ricochet::batch
