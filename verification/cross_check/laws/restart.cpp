#include "verification/cross_check/laws/restart.hpp"

#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

namespace ricochet::cross {
namespace {

/// A folder for results, removed by the destructor.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cross_check_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Nodes whose motion is known; outputs of other nodes, without mass, may be refused.
std::string outputTextOfStudy(const ColumnStudy& study) {
  std::set<std::string> names;
  for (const Dof& dof : study.dofs()) names.insert(fmt::format("\"{}\"", study.nodeName(dof)));
  return names.empty() ? std::string{} : fmt::format("\n[output]\nnodes = [{}]\n", fmt::join(names, ", "));
}

constexpr int kLevel = 1;  // level of the refinement

Deck deckAt(const PartModel& model, const ColumnStudy& study, double step) {
  constexpr const char* kName = "cross_check.toml";
  const Column& column = study.column();
  const double tolerance = column.tolerated ? Refinement::toleranceAt(column, kLevel) : 0.0;
  return readDeck(kName, Document::parse(deckOf(model, {.scheme = column.scheme,
                                                        .direct = column.direct,
                                                        .step = step,
                                                        .limitsStep = column.limitsStep,
                                                        .tolerance = tolerance,
                                                        .more = outputTextOfStudy(study)}),
                                         kName));
}

std::unique_ptr<Simulation> prepared(const Deck& deck, bool direct) {
  return direct ? prepareDirectSimulation(deck) : prepare(deck);
}

}  // namespace

std::string judgeRestart(const PartModel& model, const ColumnRuns& column, const Refinement& refinement,
                         const MotionScale& scale) {
  const Column& c = column.study().column();
  const Folder folder;
  const std::filesystem::path file = folder.path() / "half.h5";
  PartModel half = model;
  half.duration = 0.5 * model.duration;
  const double step = c.tolerated ? 0.0 : refinement.stepAt(kLevel);
  try {
    const Deck deck = deckAt(half, column.study(), step);
    const std::unique_ptr<Simulation> simulation = prepared(deck, c.direct);
    if (runStudy(deck, *simulation, {.result = file, .progress = false}).report.status != RunStatus::complete)
      return "the first half does not complete";
    std::erase_if(half.parts, [](const Part& part) { return part.head == "[initial]"; });
    Part from{"[initial]"};
    from.add("restart", fmt::format("\"{}\"", file.string()));
    half.parts.push_back(from);
    const Deck rest = deckAt(half, column.study(), step);
    const std::unique_ptr<Simulation> going = prepared(rest, c.direct);
    const std::vector<double> end{going->restart ? model.duration : half.duration};
    RunChoice choice{.looksInside = false};
    if (c.tolerated) choice.tolerance = Refinement::toleranceAt(c, kLevel);
    const EngineRun second = runPrepared(rest, *going, column.study().dofs(), end, 5.0, choice);
    if (!second.complete()) return "the second half: " + second.failure;
    // The run of the same level is used, even if finer runs exist.
    const Eigen::MatrixXd& whole = column.at(kLevel).positions;
    const Eigen::Index last = whole.cols() - 1;
    if (scale.decisive <= last) return {};
    double own = 0.0;
    for (Eigen::Index i = 0; i <= last; ++i)
      own = std::max(own, scale.distance(column.at(kLevel - 1).positions, whole, i));
    const double apart = scale.distance(whole.col(last), second.positions.col(0), 0);
    // A run whose steps end at kinks of laws and loads may not change with the tolerance, but with its start.
    const double bySteps = c.tolerated ? 100.0 * Refinement::toleranceAt(c, kLevel) : 0.0;
    if (apart <= 10.0 * own + bySteps + 1e-7) return {};
    return fmt::format("ends {:.2g} of the motion elsewhere, own changes {:.2g}", apart, own);
  } catch (const std::exception& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace ricochet::cross
