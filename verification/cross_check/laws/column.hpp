#pragma once

#include "physical/dof.hpp"
#include "verification/cross_check/engine_run.hpp"
#include "verification/cross_check/laws/part_model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ricochet::cross {

/// A way to run a deck: a scheme in generalized or in physical coordinates.
struct Column {
  std::string scheme;
  bool direct{false};
  bool series{false};      ///< event: locates events, the most accurate scheme
  bool tolerated{false};   ///< true: refined by its tolerance; false: by its step
  bool limitsStep{false};  ///< true: the deck has a key for the longest step
  std::string name() const { return direct ? "direct " + scheme : scheme; }
};

/// All schemes of the lists, in both modes.
const std::vector<Column>& allColumns();

/// Refinement of a run: levels 0, 1, 2 ... divide the step by 4 and the tolerance by 100.
struct Refinement {
  double step{0.0};  ///< step at level 0 [s]
  double stepAt(int level) const;
  static double toleranceAt(const Column& column, int level);
};

/// A model prepared for a column, or why the column refuses it.
class ColumnStudy {
 public:
  ColumnStudy(const PartModel& model, const Column& column);
  ~ColumnStudy();
  ColumnStudy(ColumnStudy&&) noexcept;
  ColumnStudy& operator=(ColumnStudy&&) noexcept;

  const Column& column() const noexcept { return column_; }
  const std::string& refusal() const noexcept { return refusal_; }  ///< empty: the column runs the model
  double safeStep() const;
  const Deck& deck() const noexcept { return *deck_; }
  const Simulation& simulation() const noexcept { return *simulation_; }

  /// Degrees of freedom that move, with their names.
  const std::vector<Dof>& dofs() const noexcept { return dofs_; }
  std::string nodeName(const Dof& dof) const;

  EngineRun run(const Refinement& refinement, int level, const std::vector<double>& instants, double seconds,
                RunChoice choice = {}) const;

  /// True if the run continues from a checkpoint of `whole` with the same bits.
  bool doesRunResumeExactly(const Refinement& refinement, const std::vector<double>& instants, double seconds,
                            const EngineRun& whole) const;

  /// Fault of the model in lanes, together with runs from other starts; empty: no fault, or no lanes.
  std::string judgeLanes(const Refinement& refinement) const;

 private:
  Column column_;
  std::string refusal_;
  std::unique_ptr<Deck> deck_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<Dof> dofs_;
};

}  // namespace ricochet::cross
