#include "verification/cross_check/laws/judge.hpp"

#include "verification/cross_check/laws/column.hpp"
#include "verification/cross_check/laws/column_runs.hpp"
#include "verification/cross_check/laws/numbers.hpp"
#include "verification/cross_check/laws/plain_forces.hpp"
#include "verification/cross_check/laws/plain_motion.hpp"
#include "verification/cross_check/laws/restart.hpp"
#include "verification/cross_check/reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

namespace ricochet::cross {
namespace {

constexpr int kComparedInstants = 20;
// A few steps per bounce may not be conclusive, nor an impact of moreau just after an instant of its steps.
constexpr int kMostLevels = 6;
constexpr double kFalls = 1.0 / 3.0;  // fall of a difference that converges
constexpr double kLonger = 10.0;      // time of finer runs, relative to the others

/// Largest allowed difference at an instant: sum of the estimated errors of both columns.
double allowedDifferenceAt(const ColumnRuns& a, const ColumnRuns& b, Eigen::Index instant) {
  constexpr double kMultiple = 3.0, kRounding = 1e-7;
  return kMultiple * (a.estimate(instant) + b.estimate(instant)) + kRounding;
}

/// Difference of two columns as long as the motion is not sensitive.
struct Distance {
  double largest{0.0};  ///< difference relative to the motion
  Eigen::Index at{-1};  ///< first instant with more than the allowed difference; -1: none
  double excess{0.0};   ///< difference at this instant
};

Distance compare(const ColumnRuns& a, const ColumnRuns& b, const MotionScale& scale) {
  Distance distance;
  for (Eigen::Index i = 0; i < scale.decisive; ++i) {
    const double difference = scale.distance(a.motion(), b.motion(), i);
    distance.largest = std::max(distance.largest, difference);
    if (distance.at < 0 && !(difference <= allowedDifferenceAt(a, b, i))) {
      distance.at = i;
      distance.excess = difference;
    }
  }
  return distance;
}

/// Depth at which a body outside of an obstacle reaches its centre, where the force has no direction;
/// infinite for other obstacles.
double depthOfCentre(const Part& contact) {
  const std::string* type = valueOf(contact, "obstacle.type");
  const std::string* side = valueOf(contact, "obstacle.side");
  const bool isRound =
      type != nullptr && (*type == "\"disc\"" || *type == "\"sphere\"" || *type == "\"torus\"");
  if (!isRound || (side != nullptr && *side == "\"inside\"")) return std::numeric_limits<double>::infinity();
  double depth = 0.0;
  for (const char* key : {"obstacle.radius", "thickness"})
    if (const std::string* value = valueOf(contact, key))
      for (const double x : numbersOfValue(*value)) depth += x;
  return depth;
}

/// True if a body reaches the centre of its obstacle in a run with a quarter of the step.
bool doesBodyReachCentre(const PartModel& model, const EngineRun& run) {
  constexpr double kNear = 0.95;  // fraction of the depth
  std::size_t contact = 0;
  for (const Part& part : model.parts) {
    if (part.head != "[[contacts]]") continue;
    if (contact < run.smallestGaps.size() && run.smallestGaps[contact] <= -kNear * depthOfCentre(part))
      return true;
    ++contact;
  }
  return false;
}

/// True if a dashpot has an infinite slope at rest: explicit pairs with error control stop at such a dashpot.
bool isSteepAtRest(const Part& part) {
  const std::string* exponent = valueOf(part, "exponent");
  const std::string* law = valueOf(part, "law");
  return part.head == "[[links]]" && law != nullptr && *law == "\"antiseismic\"" && exponent != nullptr &&
         numbersOfValue(*exponent).front() < 1.0;
}

/// True if friction jumps where its slip turns, and may change its sign in every step there.
bool jumpsAtRest(const Part& part) {
  const std::string* law = valueOf(part, "friction.law");
  return part.head == "[[contacts]]" && law != nullptr && *law == "\"automaton\"";
}

class Judge {
 public:
  Judge(const PartModel& model, const LawEffort& effort, LawExamination& found)
      : model_(model), effort_(effort), found_(found) {}

  void judge() {
    if (!prepare()) return;
    runAll();
    if (found_.throughCentre) return found_.faults.clear();
    if (whole_.empty()) return;
    chooseReference();
    for (ColumnRuns* column : whole_) judgeLedger(*column);
    judgeMotions();
    judgeEquations();
    judgeMemory();
  }

 private:
  bool prepare();
  void removeExcessColumns();
  void runAll();
  void chooseReference();
  bool isAtRest(const ColumnRuns& column) const;
  bool isLedgerOfChatter(const ColumnRuns& column) const;
  void judgeLedger(ColumnRuns& column);
  void judgeMotions();
  bool convergesTo(ColumnRuns& column, ColumnRuns& reference, double difference) const;
  void judgeEquations();
  void judgeMemory();
  void add(LawFaultKind kind, const ColumnRuns& column, std::string text, double size = 0.0);
  void expect(const ColumnRuns& right, const std::vector<double>& instants, Eigen::Index last);

  const PartModel& model_;
  const LawEffort& effort_;
  LawExamination& found_;
  std::vector<double> instants_;
  Refinement refinement_;
  std::vector<ColumnRuns> columns_;
  std::vector<ColumnRuns*> whole_;  ///< columns that completed
  ColumnRuns* reference_{nullptr};
  MotionScale scale_;
};

void Judge::add(LawFaultKind kind, const ColumnRuns& column, std::string text, double size) {
  const Column& c = column.study().column();
  if (found_.faults.empty()) {
    found_.head.scheme = c.scheme;
    found_.head.direct = c.direct;
    found_.head.limitsStep = c.limitsStep;
    found_.head.step = c.tolerated ? 0.0 : refinement_.stepAt(1);
  }
  found_.faults.push_back({kind, c.name(), std::move(text), size});
}

/// Prepares the model for all columns; false if no column runs the model or the steps would be too short.
bool Judge::prepare() {
  double safe = model_.duration;
  for (const Column& column : allColumns()) {
    ColumnStudy study(model_, column);
    if (!study.refusal().empty()) {
      found_.refused[column.name()] = study.refusal();
      continue;
    }
    if (column.scheme == "central_difference") safe = std::min(safe, study.safeStep());
    columns_.emplace_back(std::move(study));
  }
  removeExcessColumns();
  constexpr double kFewest = 500.0;
  refinement_.step = std::min(model_.duration / kFewest, 0.2 * safe);
  found_.runs = !columns_.empty() && model_.duration / refinement_.step <= effort_.steps;
  instants_ = outputInstants(model_.duration, kComparedInstants);
  return found_.runs;
}

/// Removes columns beyond the requested number, different ones for different models; event is never removed.
void Judge::removeExcessColumns() {
  const auto keep = static_cast<std::size_t>(effort_.columns);
  if (columns_.size() <= keep) return;
  const auto first = columns_.begin() + (columns_.front().study().column().series ? 1 : 0);
  std::rotate(first, first + effort_.index % (columns_.end() - first), columns_.end());
  columns_.erase(columns_.begin() + effort_.columns, columns_.end());
}

void Judge::runAll() {
  for (ColumnRuns& column : columns_) {
    const std::string name = column.study().column().name();
    found_.taken.push_back(name);
    for (int level = 0; level < 2; ++level)
      if (!column.refine(refinement_, instants_, effort_.seconds)) break;
    const EngineRun& last = column.last();
    found_.throughCentre = found_.throughCentre || doesBodyReachCentre(model_, column.at(0));
    if (effort_.tells)
      fmt::print("  {:26} {} energy error {:.2g}\n", name, last.complete() ? "completes" : last.failure,
                 last.energyError);
    if (last.complete())
      whole_.push_back(&column);
    else if (last.ending == EngineRun::Ending::late ||
             (last.ending == EngineRun::Ending::stalled && column.study().column().tolerated &&
              !column.study().column().series && std::ranges::any_of(model_.parts, isSteepAtRest)))
      found_.late.push_back(name);
    else
      add(LawFaultKind::stops, column, last.failure);
  }
}

/// Selects the reference: a column with located events, else the column that changes least under refinement.
/// Also finds the instant at which runs from neighbouring starts separate.
void Judge::chooseReference() {
  scale_ = MotionScale(whole_);
  for (ColumnRuns* column : whole_) column->estimateErrorWithScale(scale_);
  const auto error = [](const ColumnRuns* c) {
    return c->study().column().series ? -1.0 : c->estimate(kComparedInstants - 1);
  };
  reference_ = *std::ranges::min_element(whole_, {}, error);
  constexpr double kGrowth = 1e3;
  for (double apart : {1e-10, 1e-6}) {
    RunChoice choice{.apart = apart, .scale = &reference_->last().end};
    const EngineRun other = reference_->study().run(refinement_, 1, instants_, effort_.seconds, choice);
    if (!other.complete()) continue;
    Eigen::Index i = 0;
    while (i < scale_.decisive &&
           scale_.distance(other.positions, reference_->motion(), i) <= kGrowth * apart)
      ++i;
    scale_.decisive = i;
  }
  found_.comparedUntil = static_cast<double>(scale_.decisive) / kComparedInstants;
}

/// True if a run moves by the rounding of a structure at rest: the ledger has no scale then.
bool Judge::isAtRest(const ColumnRuns& column) const {
  constexpr double kRest = 1e-16;
  const double speed = scale_.length.norm() / model_.duration;
  return column.last().largestEnergy <= kRest * speed * speed;
}

/// True if forces may change their signs at half steps, which the ledger of devogelaere does not contain.
bool Judge::isLedgerOfChatter(const ColumnRuns& column) const {
  return column.study().column().scheme == "devogelaere" &&
         (std::ranges::any_of(model_.parts, isSteepAtRest) || std::ranges::any_of(model_.parts, jumpsAtRest));
}

void Judge::judgeLedger(ColumnRuns& column) {
  constexpr double kWorst = 1e-3, kHalf = 0.5;
  if (scale_.decisive < kComparedInstants || isAtRest(column) || isLedgerOfChatter(column)) return;
  const auto falls = [&] { return column.last().energyError < kHalf * column.before().energyError; };
  if (column.last().energyError <= kWorst || falls()) return;
  while (column.levels() < kMostLevels && column.refine(refinement_, instants_, 4.0 * effort_.seconds))
    if (column.last().energyError <= kWorst || falls()) return;
  if (!column.last().complete() || column.didLawsHalveSteps()) return;
  add(LawFaultKind::energy, column,
      fmt::format("ledger residual {:.2g}, {:.2g} of the largest energy as the run is refined",
                  column.before().energyError, column.last().energyError));
}

/// True if the difference from the reference decreases as both are refined, or the changes of the column
/// explain the difference.
bool Judge::convergesTo(ColumnRuns& column, ColumnRuns& reference, double difference) const {
  constexpr int kJudgedLevels = 4;
  const double seconds = kLonger * effort_.seconds;
  for (int level = 2; level < kMostLevels; ++level) {
    for (ColumnRuns* each : {&reference, &column}) {
      if (each->levels() > level || each->study().column().series) continue;
      // A run that is longer at few levels is not judged.
      if (!each->refine(refinement_, instants_, seconds)) return level < kJudgedLevels;
      each->estimateErrorWithScale(scale_);
    }
    const Distance now = compare(column, reference, scale_);
    if (now.at < 0 || now.largest < kFalls * difference) return true;
  }
  return column.didLawsHalveSteps() || reference.didLawsHalveSteps();
}

/// True if two columns are different schemes: central differences in three forms are one scheme.
bool areDifferentSchemes(const ColumnRuns& a, const ColumnRuns& b) {
  const auto leaps = [](const ColumnRuns& c) {
    const std::string& scheme = c.study().column().scheme;
    return scheme == "kick_drift" || scheme == "central_difference";
  };
  return !leaps(a) || !leaps(b);
}

/// Compares all columns with the reference. If at least half of the columns, and at least two, differ from
/// the reference, they count as correct if two schemes among them agree with each other.
void Judge::judgeMotions() {
  std::vector<std::pair<ColumnRuns*, Distance>> apart;
  for (ColumnRuns* column : whole_) {
    if (column == reference_) continue;
    const Distance distance = compare(*column, *reference_, scale_);
    if (effort_.tells)
      fmt::print("  {:26} {:.2g} from {}, own changes {:.2g}\n", column->study().column().name(),
                 distance.largest, reference_->study().column().name(),
                 column->estimate(kComparedInstants - 1));
    if (distance.at >= 0 && !convergesTo(*column, *reference_, distance.largest)) {
      const Distance last = compare(*column, *reference_, scale_);
      if (last.at >= 0) apart.emplace_back(column, last);
    }
  }
  if (apart.empty()) return;
  const auto others = whole_.size() - 1;
  ColumnRuns* right = reference_;
  const auto supports = [&](const auto& other) {
    return areDifferentSchemes(*apart[0].first, *other.first) &&
           compare(*apart[0].first, *other.first, scale_).at < 0;
  };
  if (2 * apart.size() >= others && std::any_of(apart.begin() + 1, apart.end(), supports))
    right = apart[0].first;
  const auto tell = [&](ColumnRuns& wrong, const Distance& d) {
    add(LawFaultKind::differs, wrong,
        fmt::format("{:.2g} of the motion from {} at t = {:.4g}, {} of {} columns agree with that", d.excess,
                    right->study().column().name(), instants_[static_cast<std::size_t>(d.at)],
                    right == reference_ ? others - apart.size() : apart.size() - 1, others),
        d.largest);
  };
  if (right != reference_)
    tell(*reference_, apart[0].second);
  else
    for (auto& [column, distance] : apart) tell(*column, distance);
  if (found_.faults.front().kind == LawFaultKind::differs) expect(*right, instants_, scale_.decisive);
}

/// Values of the motion on which other columns agree, as checks.
void Judge::expect(const ColumnRuns& right, const std::vector<double>& instants, Eigen::Index last) {
  for (Eigen::Index i = 3; i < last; i += 4)
    for (std::size_t d = 0; d < right.study().dofs().size(); ++d) {
      const Dof& dof = right.study().dofs()[d];
      const auto row = static_cast<Eigen::Index>(d);
      found_.head.expected.push_back(
          {right.study().nodeName(dof), std::string(componentName(dof.component)),
           instants[static_cast<std::size_t>(i)], right.motion()(row, i),
           scale_.length[row] * (10.0 * right.estimate(i) + 0.1 * found_.faults.front().size),
           right.study().column().name() + ", with which other schemes agree"});
    }
}

/// Compares the reference with an integration of the equations without the engine.
void Judge::judgeEquations() {
  constexpr double kTolerance = 1e-10, kMultiple = 3.0, kWorst = 1e-6;
  if (!effort_.integrates) return;
  const std::optional<PlainMotion> plain = integratePlainModel(model_, instants_, kTolerance);
  if (!plain) return;
  found_.integrated = true;
  const std::vector<Dof>& dofs = reference_->study().dofs();
  Eigen::MatrixXd same(static_cast<Eigen::Index>(dofs.size()), plain->positions.cols());
  for (std::size_t d = 0; d < dofs.size(); ++d) {
    const auto node =
        std::ranges::find(plain->nodes, reference_->study().nodeName(dofs[d])) - plain->nodes.begin();
    same.row(static_cast<Eigen::Index>(d)) =
        plain->positions.row(3 * node + static_cast<int>(dofs[d].component));
  }
  Distance first;
  for (int level = 2; level < kMostLevels; ++level) {
    Distance now;
    for (Eigen::Index i = 0; i < scale_.decisive && now.at < 0; ++i) {
      now.largest = scale_.distance(same, reference_->motion(), i);
      if (now.largest > kMultiple * reference_->estimate(i) + kWorst) now.at = i;
    }
    if (first.at < 0) first = now;
    if (now.at < 0 || now.largest < kFalls * first.largest) return;
    if (reference_->study().column().series) break;
    if (!reference_->refine(refinement_, instants_, kLonger * effort_.seconds)) break;
    reference_->estimateErrorWithScale(scale_);
  }
  add(LawFaultKind::equations, *reference_,
      fmt::format("{:.2g} of the motion from the equations integrated alone at t = {:.4g}", first.largest,
                  instants_[static_cast<std::size_t>(first.at)]),
      first.largest);
}

/// Checkpoints, lanes and restarts must not change the motion.
void Judge::judgeMemory() {
  for (ColumnRuns* column : whole_) {
    const ColumnStudy& study = column->study();
    const Refinement refinement = column->own(refinement_);
    if (!study.doesRunResumeExactly(refinement, instants_, effort_.seconds, column->at(0)))
      add(LawFaultKind::resume, *column, "other bits after a checkpoint");
    if (const std::string text = study.judgeLanes(refinement); !text.empty())
      add(LawFaultKind::lanes, *column, text);
    if (!effort_.restarts) continue;
    if (const std::string text = judgeRestart(model_, *column, refinement, scale_); !text.empty())
      add(LawFaultKind::restart, *column, text);
  }
}

}  // namespace

const char* nameOf(LawFaultKind kind) {
  constexpr std::array<const char*, kLawFaultKinds> kNames{"differs", "stops",   "energy",   "resume",
                                                           "lanes",   "restart", "equations"};
  return kNames[static_cast<std::size_t>(kind)];
}

const LawFault* LawExamination::find(LawFaultKind kind, const std::string& column) const {
  const auto fault = std::ranges::find_if(
      faults, [&](const LawFault& each) { return each.kind == kind && each.column == column; });
  return fault == faults.end() ? nullptr : &*fault;
}

LawExamination examineLaws(const PartModel& model, const LawEffort& effort) {
  LawExamination found;
  Judge(model, effort, found).judge();
  return found;
}

}  // namespace ricochet::cross
