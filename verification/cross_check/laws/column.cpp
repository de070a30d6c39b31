#include "verification/cross_check/laws/column.hpp"

#include "engine/lanes/lane_run.hpp"
#include "engine/study/run_transient.hpp"
#include "engine/study/simulation.hpp"
#include "engine/study/supports.hpp"
#include "engine/study/with_equation.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/document.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <span>

namespace ricochet::cross {
namespace {

template <class S>
Column columnOf(bool direct) {
  Column column;
  column.scheme = S::keyword;
  column.direct = direct;
  column.series = S::traits.contacts == ContactForm::series;
  const auto keys = S::traits.keys.value;
  column.tolerated = std::ranges::find(keys, std::string_view("tolerance")) != keys.end();
  column.limitsStep = !column.tolerated && S::traits.adaptive;
  return column;
}

/// True if a dof moves and its motion is computed in the run.
bool doesDofMove(const Simulation& simulation, Dof dof) {
  try {
    const bool isImposed = !simulation.imposedMotion(dof, Kinematic::velocity, false).empty();
    return isImposed || !simulation.row(dof).isZero(0.0);
  } catch (const StudyError&) {
    return false;  // a dof without mass whose motion is not computed
  }
}

std::vector<Dof> movingDofs(const Deck& deck, const Simulation& simulation) {
  std::vector<Dof> all;
  for (std::size_t node = 0; node < deck.nodes.size(); ++node)
    for (int i = 0; i < kComponents; ++i) {
      const Dof dof{{static_cast<int>(node)}, componentOfIndex(i)};
      if (doesDofMove(simulation, dof)) all.push_back(dof);
    }
  return all;
}

template <class V>
bool sameBits(const V& a, const V& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}
bool haveSameEndState(const State& a, const State& b) { return sameBits(a.q, b.q) && sameBits(a.v, b.v); }

/// Observer that records nothing.
class NoObserver : public TransientObserver {
 public:
  void archive(const StepView& /*view*/) override {}
};

/// Supplies the lanes with one model from several starts, and records the final states.
class StartsInLanes : public batch::LaneFeed {
 public:
  StartsInLanes(const ModalModel& model, const std::vector<State>& starts) : ends(starts) {
    for (std::size_t i = 0; i < starts.size(); ++i)
      equations_.push_back(std::make_unique<ModalEquation>(model));
  }
  bool nextVariant(batch::LaneCase& variant) override {
    if (next_ == ends.size()) return false;
    variant = {equations_[next_].get(), &ends[next_], &observer_};
    ++next_;
    return true;
  }
  void receiveReportOfVariant(const batch::LaneCase& /*variant*/, const Report& /*report*/) override {}

  std::vector<State> ends;

 private:
  std::vector<std::unique_ptr<ModalEquation>> equations_;
  NoObserver observer_;
  std::size_t next_{0};
};

}  // namespace

const std::vector<Column>& allColumns() {
  static const std::vector<Column> columns = [] {
    std::vector<Column> all;
    Schemes::forEach([&]<class S>() { all.push_back(columnOf<S>(false)); });
    DirectIntegrators::forEach([&]<class S>() { all.push_back(columnOf<S>(true)); });
    return all;
  }();
  return columns;
}

double Refinement::stepAt(int level) const { return std::ldexp(step, -2 * level); }

double Refinement::toleranceAt(const Column& column, int level) {
  return (column.series ? 1e-9 : 1e-6) * std::pow(10.0, -2 * level);
}

ColumnStudy::~ColumnStudy() = default;
ColumnStudy::ColumnStudy(ColumnStudy&&) noexcept = default;
ColumnStudy& ColumnStudy::operator=(ColumnStudy&&) noexcept = default;

ColumnStudy::ColumnStudy(const PartModel& model, const Column& column) : column_(column) {
  constexpr const char* kName = "cross_check.toml";
  // Schemes with step control start with the step of the deck, which must be stable.
  constexpr double kTiny = 1e-5;
  const std::string text =
      deckOf(model, {.scheme = column.scheme, .direct = column.direct, .step = kTiny * model.duration});
  try {
    deck_ = std::make_unique<Deck>(readDeck(kName, Document::parse(text, kName)));
    simulation_ = column.direct ? prepareDirectSimulation(*deck_) : prepare(*deck_);
    dofs_ = movingDofs(*deck_, *simulation_);
  } catch (const std::exception& error) {
    refusal_ = error.what();
  }
}

double ColumnStudy::safeStep() const {
  return simulation_ ? simulation_->safeStep : std::numeric_limits<double>::infinity();
}

std::string ColumnStudy::nodeName(const Dof& dof) const {
  return deck_->nodes[static_cast<std::size_t>(dof.node.value)].name;
}

EngineRun ColumnStudy::run(const Refinement& refinement, int level, const std::vector<double>& instants,
                           double seconds, RunChoice choice) const {
  constexpr long long kMostSteps = 20000;  // a limit that does not depend on the processor
  choice.looksInside = level == 0 && choice.resumeFrom.empty();
  choice.mostSteps = column_.tolerated ? kMostSteps * (level < 2 ? 1 : 10) : 0;
  choice.step = column_.tolerated ? 0.0 : refinement.stepAt(level);
  if (column_.tolerated) choice.tolerance = Refinement::toleranceAt(column_, level);
  try {
    return runPrepared(*deck_, *simulation_, dofs_, instants, seconds, choice);
  } catch (const std::exception& error) {
    EngineRun failed;
    failed.failure = std::string("throws: ") + error.what();
    return failed;
  }
}

bool ColumnStudy::doesRunResumeExactly(const Refinement& refinement, const std::vector<double>& instants,
                                       double seconds, const EngineRun& whole) const {
  if (whole.checkpoint.empty()) return true;
  const EngineRun second = run(refinement, 0, instants, seconds, {.resumeFrom = whole.checkpoint});
  return second.complete() && haveSameEndState(whole.end, second.end) &&
         second.energyError == whole.energyError;
}

std::string ColumnStudy::judgeLanes(const Refinement& refinement) const {
  if (column_.direct) return {};
  TransientOptions options = transientOptionsOf(*deck_, *simulation_);
  options.step = refinement.stepAt(0);
  if (!batch::reasonAgainstLanes(column_.scheme, simulation_->model, options).empty()) return {};
  std::vector<State> starts(3, simulation_->initial);
  starts[1].v *= 0.75;
  starts[2].q *= -0.5;
  StartsInLanes feed(simulation_->model, starts);
  batch::LaneRun(column_.scheme, simulation_->model, options).run(feed);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    ModalEquation equation(simulation_->model);
    NoObserver observer;
    ricochet::run(column_.scheme, equation, starts[i], options, observer);
    if (!haveSameEndState(starts[i], feed.ends[i])) return "other bits than a run alone";
  }
  return {};
}

}  // namespace ricochet::cross
