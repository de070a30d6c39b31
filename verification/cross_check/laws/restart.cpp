#include "verification/cross_check/laws/restart.hpp"

#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>

namespace ricochet::cross {
namespace {

/// A folder for results that is removed with the object.
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

Deck deckAt(const PartModel& model, const Column& column, double step) {
  constexpr const char* kName = "cross_check.toml";
  return readDeck(kName, Document::parse(deckOf(model, {.scheme = column.scheme,
                                                        .direct = column.direct,
                                                        .step = step,
                                                        .limitsStep = column.limitsStep}),
                                         kName));
}

std::unique_ptr<Simulation> prepared(const Deck& deck, bool direct) {
  return direct ? prepareDirect(deck) : prepare(deck);
}

}  // namespace

std::string judgeRestart(const PartModel& model, const ColumnRuns& column, const Refinement& refinement,
                         const MotionScale& scale) {
  const Column& c = column.study().column();
  const Folder folder;
  const std::filesystem::path file = folder.path() / "half.h5";
  PartModel half = model;
  half.duration = 0.5 * model.duration;
  const double step = c.tolerated ? 0.0 : refinement.stepAt(1);
  try {
    const Deck deck = deckAt(half, c, step);
    const std::unique_ptr<Simulation> simulation = prepared(deck, c.direct);
    if (runStudy(deck, *simulation, {.result = file, .progress = false}).report.status != RunStatus::complete)
      return "the first half does not complete";
    std::erase_if(half.parts, [](const Part& part) { return part.head == "[initial]"; });
    Part from{"[initial]"};
    from.add("restart", fmt::format("\"{}\"", file.string()));
    half.parts.push_back(from);
    const Deck rest = deckAt(half, c, step);
    const std::unique_ptr<Simulation> going = prepared(rest, c.direct);
    const std::vector<double> end{going->restart ? model.duration : half.duration};
    RunChoice choice{.looksInside = false};
    if (c.tolerated) choice.tolerance = Refinement::toleranceAt(c, 1);
    const EngineRun second = runPrepared(rest, *going, column.study().dofs(), end, 5.0, choice);
    if (!second.complete()) return "the second half: " + second.failure;
    const Eigen::Index last = column.motion().cols() - 1;
    if (scale.decisive <= last) return {};
    const double apart = scale.distance(column.motion().col(last), second.positions.col(0), 0);
    if (apart <= 10.0 * column.estimate(last) + 1e-7) return {};
    return fmt::format("ends {:.2g} of the motion elsewhere, own changes {:.2g}", apart,
                       column.estimate(last));
  } catch (const std::exception& error) {
    return std::string("refused: ") + error.what();
  }
}

}  // namespace ricochet::cross
