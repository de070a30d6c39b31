#include "engine/lanes/lane_group.hpp"

#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <limits>

namespace ricochet::batch {
namespace {

std::size_t countOfExcitationFunctions(const LaneModel& model) { return model.loads + model.imposed.size(); }

const TimeFunction& timeFunctionOfExcitation(const LaneModel& model, const ModalModel& variant,
                                             std::size_t i) {
  if (i < model.loads) return variant.loads.loads()[i].scale;
  return variant.contacts.contacts()[model.imposed[i - model.loads]].imposedForce;
}

/// True if two functions have the same values everywhere; for long tables only if one is a copy of the other.
bool haveFunctionsSameValues(const TimeFunction& a, const TimeFunction& b) {
  constexpr std::size_t kLong = 64;
  if (a.isSameTableOrFormulaAs(b)) return true;
  if (a.formulaOrNull() != nullptr || b.formulaOrNull() != nullptr) return false;
  if (a.lastPiece() != b.lastPiece() || a.lastPiece() > kLong) return false;
  for (std::size_t k = 0; k <= a.lastPiece(); ++k) {
    const TimeFunction::Piece one = a.piece(k), other = b.piece(k);
    if (one.begin != other.begin || one.end != other.end || one.value != other.value ||
        one.slope != other.slope)
      return false;
  }
  return true;
}

constexpr std::array kStates{NormalState::open, NormalState::closed, NormalState::released};

}  // namespace

LaneGroup::LaneGroup(const LaneModel& laid, const LaneKernels& kernels, const ModalModel& base)
    : model(laid),
      q(model.modes.size()),
      v(q.size()),
      f(q.size()),
      load(q.size()),
      functions(countOfExcitationFunctions(model)),
      factors(functions.size()),
      sharedFactors(functions.size()),
      sharedLoad(model.blocks),
      bothLoads(model.blocks),
      contacts(static_cast<std::size_t>(base.contacts.size())),
      along(static_cast<std::size_t>(paddedSize(base.contacts.size()))),
      pushing(contacts.size()),
      changes(kWidth * contacts.size()),
      stepKernel_(kernels.step[static_cast<std::size_t>(model.scheme)]),
      alike_(functions.size(), 1) {
  due.fill(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const TimeFunction& function = timeFunctionOfExcitation(model, base, i);
    functions[i].formula = function.formulaOrNull();
    hasFormulas |= functions[i].formula != nullptr;
    cursors_.push_back([&]<std::size_t... k>(std::index_sequence<k...>) {
      return std::array<FunctionCursor, kWidth>{((void)k, FunctionCursor(function))...};
    }(std::make_index_sequence<kWidth>()));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = base.contacts.contacts()[i];
    contacts[i].kernel =
        kernels.contact[contact.obstacle.index()][contact.normal.index()][contact.friction.index()];
    const auto found = std::find(model.imposed.begin(), model.imposed.end(), i);
    contacts[i].imposedFunction = found == model.imposed.end()
                                      ? 0
                                      : model.loads + static_cast<std::size_t>(found - model.imposed.begin());
  }
  for (std::size_t lane = 0; lane < kWidth; ++lane) setConstantsOfVariant(lane, base);
}

void LaneGroup::setConstantsOfVariant(std::size_t lane, const ModalModel& variant) noexcept {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& from = variant.contacts.contacts()[i];
    LaneContact& to = contacts[i];
    copyVariantLawToLane(to.obstacle, lane, from.obstacle);
    copyVariantLawToLane(to.normal, lane, from.normal);
    copyVariantLawToLane(to.friction, lane, from.friction);
    for (std::size_t axis = 0; axis < 3; ++axis)
      to.offset[axis].lane[lane] = from.offset[static_cast<Eigen::Index>(axis)];
    to.low.lane[lane] = variant.contacts.contactFreeInterval(i).low;
    to.high.lane[lane] = variant.contacts.contactFreeInterval(i).high;
    std::visit(
        [&](const auto& law) {
          to.rateWanted.set(lane, law.doesForceDependOnGapRate());
          for (const NormalState state : kStates)
            for (std::size_t guard = 0; guard < kNormalGuards; ++guard) {
              const NormalState next = law.stateAfterTransition(state, guard);
              auto& masks = to.next[static_cast<std::size_t>(state)][guard];
              masks[0].set(lane, next == NormalState::closed);
              masks[1].set(lane, next == NormalState::released);
            }
        },
        from.normal);
    std::visit([&](const auto& law) { to.slipRateWanted.set(lane, law.contactDamping() > 0.0); },
               from.friction);
  }
}

void LaneGroup::assignVariantToLane(std::size_t lane, const Guest& guest) {
  guests_[lane] = guest;
  setConstantsOfVariant(lane, guest.equation->model());
  for (std::size_t i = 0; i < functions.size(); ++i)
    cursors_[i][lane] = FunctionCursor(timeFunctionOfExcitation(model, guest.equation->model(), i));
}

void LaneGroup::setChannels(const std::vector<StepChannel>& wanted) {
  channels.clear();
  for (const StepChannel& channel : wanted) {
    const double* row = channel.row.data();
    channels.push_back({model.makeRowBundle(&row, 1), channel.ofDisplacement, {}});
  }
}

/// Updates whether all variants have reached the same step and which functions are equal in all lanes, and
/// places every cursor in its function again.
void LaneGroup::updateStepsAndFunctionsSharedByLanes() noexcept {
  changed_ = false;
  if (shared)
    for (std::size_t p = 0; p < load.size(); ++p)
      for (std::size_t lane = 0; lane < kWidth; ++lane)
        if (!fresh_.isSet(lane)) load[p].lane[lane] = loadSharedByLanes(p);
  fresh_ = {};
  first_ = kWidth;
  together_ = true;
  for (std::size_t lane = kWidth; lane-- > 0;) {
    if (!active.isSet(lane)) continue;
    if (first_ < kWidth) together_ &= number.lane[lane] == number.lane[first_];
    first_ = lane;
  }
  runs_ = first_ < kWidth;
  setFunctionCursors();
  shared = runs_ && std::all_of(alike_.begin(), alike_.end(), [](char alike) { return alike != 0; });
  if (shared)
    for (std::size_t p = 0; p < load.size(); ++p)
      sharedLoad[p / kWidth].lane[p % kWidth] = load[p].lane[first_];
}

/// Finds the functions that are equal in all lanes, and moves every cursor to the instant of its lane.
void LaneGroup::setFunctionCursors() noexcept {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    alike_[i] = together_ ? 1 : 0;
    for (std::size_t lane = first_; lane < kWidth && alike_[i] != 0; ++lane)
      if (active.isSet(lane) &&
          !haveFunctionsSameValues(timeFunctionOfExcitation(model, guests_[lane].equation->model(), i),
                                   timeFunctionOfExcitation(model, guests_[first_].equation->model(), i)))
        alike_[i] = 0;
  }
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    if (!active.isSet(lane)) continue;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      // The next step skips the pieces that end within the tolerance after this instant.
      cursors_[i][lane].seek(time.lane[lane]);
      readFunctionPiece(i, lane, cursors_[i][lane]);
    }
  }
  findNextPieceEndsOfFunctions();
}

void LaneGroup::readFunctionPiece(std::size_t function, std::size_t lane,
                                  const FunctionCursor& cursor) noexcept {
  functions[function].begin.lane[lane] = cursor.piece().begin;
  functions[function].value.lane[lane] = cursor.piece().value;
  functions[function].slope.lane[lane] = cursor.piece().slope;
}

/// Earliest end of a piece in each lane; if all variants have reached the same step, the earliest end of all
/// lanes.
void LaneGroup::findNextPieceEndsOfFunctions() noexcept {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  due.fill(kNever);
  double earliest = kNever;
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      if (!active.isSet(lane)) continue;
      const double end = cursors_[i][lane].piece().end;
      due.lane[lane] = std::min(due.lane[lane], end);
      earliest = std::min(earliest, end);
      if (alike_[i] != 0) break;  // the first cursor serves all lanes
    }
  if (!together_) return;
  for (std::size_t lane = 0; lane < kWidth; ++lane)
    if (active.isSet(lane)) due.lane[lane] = earliest;
}

void LaneGroup::advanceFunctions() noexcept {
  const std::size_t first = first_;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (alike_[i] != 0) {  // one cursor serves all lanes
      FunctionCursor& cursor = cursors_[i][first];
      cursor.advance(time.lane[first], model.tolerance);
      functions[i].begin.fill(cursor.piece().begin);
      functions[i].value.fill(cursor.piece().value);
      functions[i].slope.fill(cursor.piece().slope);
      continue;
    }
    for (std::size_t lane = first; lane < kWidth; ++lane) {
      if (!active.isSet(lane)) continue;
      cursors_[i][lane].advance(time.lane[lane], model.tolerance);
      readFunctionPiece(i, lane, cursors_[i][lane]);
    }
  }
  findNextPieceEndsOfFunctions();
}

void LaneGroup::evaluateFunctionsSharedByLanes() noexcept {
  const double now = time.lane[first_];
  const double then = instant.lane[first_];
  for (std::size_t i = 0; i < functions.size(); ++i) {
    FunctionCursor& cursor = cursors_[i][first_];
    cursor.advance(now, model.tolerance);
    sharedFactors[i] = cursor.at(then);
  }
}

void LaneGroup::evaluateFormulas() noexcept {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].formula == nullptr) continue;
    for (std::size_t lane = 0; lane < kWidth; ++lane)
      if (active.isSet(lane)) factors[i].lane[lane] = (*functions[i].formula)(instant.lane[lane]);
  }
}

}  // namespace ricochet::batch
