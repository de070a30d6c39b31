// Reads the data of the earlier run from which a run starts.

#include "io/archive/result_format.hpp"
#include "io/deck/read_parts.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

/// Reason why a file is not the result of a complete run; empty if it is a complete result.
std::string reasonAgainstRestart(const H5File& file) {
  if (!file.hasAttribute("/", "format") || file.stringAttribute("/", "format") != "ricochet")
    return "is no result of ricochet";
  const std::string status = file.stringAttribute("/", "status");
  if (status != "complete")
    return fmt::format("holds a run that is not complete (status \"{}\"{}): finish it first, with --resume",
                       status,
                       file.hasAttribute("/", "failure") ? ": " + file.stringAttribute("/", "failure") : "");
  if (!file.exists("/restart") && !file.exists("/direct/restart"))
    return "holds no state to go on from: it is of a batch, or restored";
  return "";
}

/// Finds the archived row at an instant, or reports a problem that names the nearest instants.
void findRestartRow(const Section& section, const H5File& file, RestartRequest& restart) {
  const ProblemWatch watch(section);
  const double time = section.number("restart_time", kRequired, {.unit = "s"});
  if (!watch.isFreeOfProblems()) return;
  constexpr double kRounding = 1e-9;  // relative to the duration of the run
  const std::string path = file.exists("/energy/time") ? "/energy/time" : "/direct/energy/time";
  const std::vector<double> times = file.read(path, {kAny}).values;
  if (times.empty()) return section.problem("restart_time", "the earlier result holds no instant");
  const double close = kRounding * (times.back() - times.front());
  if (std::abs(time - restart.time) <= close) return;  // the end of the run has this instant
  const auto next = std::lower_bound(times.begin(), times.end(), time - close);
  if (next != times.end() && std::abs(*next - time) <= close) {
    restart.row = static_cast<std::size_t>(next - times.begin());
    restart.time = *next;
    return;
  }
  if (next == times.begin() || next == times.end())
    return section.problem("restart_time",
                           fmt::format("{} s is outside the archived instants, from {} s to {} s", time,
                                       times.front(), times.back()));
  section.problem("restart_time",
                  fmt::format("no instant that was archived; the nearest are {:.12g} s and {:.12g} s",
                              *std::prev(next), *next));
}

void readRestartFile(ReadContext& context, const Section& section, const std::string& name) {
  RestartRequest restart;
  restart.file = context.pathOfDataFile(name);
  context.study.places.addPlaceOfPart("initial.restart", section.where("restart"));
  if (!fs::is_regular_file(restart.file))
    return section.problem("restart",
                           fmt::format("there is no file \"{}\"; a path is relative to the deck", name));
  try {
    const H5File file = openResult(restart.file);
    if (const std::string why = reasonAgainstRestart(file); !why.empty())
      return section.problem("restart", fmt::format("\"{}\" {}", name, why));
    restart.time = file.numberAttribute(file.exists("/restart") ? "/restart" : "/direct/restart", "time");
    if (section.hasKey("restart_time")) findRestartRow(section, file, restart);
  } catch (const ResultError&) {
    return section.problem("restart", fmt::format("\"{}\" is no result of ricochet", name));
  }
  context.study.restart = std::move(restart);
}

}  // namespace

void readRestart(ReadContext& context) {
  const std::optional<Section> initial = context.root.section("initial");
  if (!initial || !initial->hasKey("restart")) return;
  const ProblemWatch watch(*initial);
  for (const std::string_view key : {"displacement", "velocity", "equilibrium", "with_friction"})
    if (initial->hasKey(key)) {
      initial->problem(key, "contradicts `restart`, which gives the whole state");
      initial->acceptAllFurtherKeys();
    }
  if (context.root.hasKey("batch"))
    initial->problem("restart",
                     "cannot be given together with [batch] yet: its variants start from initial values");
  const std::string name = initial->string("restart").value_or("");
  if (watch.isFreeOfProblems()) readRestartFile(context, *initial, name);
  if (!context.study.restart && initial->hasKey("restart_time")) initial->number("restart_time");
}

}  // namespace ricochet
