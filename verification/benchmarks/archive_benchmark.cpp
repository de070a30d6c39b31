// Cost of archiving: time of one row through the buffers into a flushed file with checkpoints, and the share
// of archiving in a run that archives every 50th step.

#include "engine/numerics/flush_to_zero.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/result/result_file.hpp"
#include "io/result/result_rows.hpp"
#include "verification/benchmarks/relative_time.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Creates a folder and removes this folder at the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ricochet-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(path_ / "deck.toml") << text;
    return path_ / "deck.toml";
  }

 private:
  std::filesystem::path path_;
};

/// A row of masses along x with the same number of modes, on the requested number of slots.
std::string deckOf(long modes, long contacts, double duration, long every) {
  std::string deck = "nodes = [\n";
  for (long i = 0; i < modes; ++i)
    deck += fmt::format("  {{ name = \"n{}\", position = [{}, 0, 0] }},\n", i, i);
  deck += "]\nmasses = [ { nodes = \"all\", mass = 2.0 } ]\nsprings = [\n";
  for (long i = 0; i + 1 < modes; ++i)
    deck += fmt::format("  {{ nodes = [\"n{}\", \"n{}\"], stiffness = [4e5, 0, 0] }},\n", i, i + 1);
  deck += "  { nodes = [\"n0\"], stiffness = [4e5, 0, 0] },\n]\n";
  deck += "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n";
  deck += "[initial]\nvelocity = [ { node = \"n1\", value = [3.0, 0, 0] } ]\n";
  for (long i = 0; i < contacts; ++i)
    deck += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nnode = \"n{}\"\nobstacle = {{ type = \"slot\", axis = [0, 1, 0], "
        "direction = [1, 0, 0], center = [{}, 0, 0], gap = 0.001 }}\nnormal = {{ stiffness = 1e6 }}\n",
        i, 3 * i + 1, 3 * i + 1);
  return deck + fmt::format(
                    "[transient]\nduration = {}\nscheme = \"central_difference\"\nstep = 1e-5\n"
                    "[output]\nevery = {}\nnodes = [\"n0\"]\n",
                    duration, every);
}

/// Argument: number of modes; there is no contact. Rows of three values per mode, three fields of a node,
/// seven energies, and three times. Another thread writes the blocks: the reported time is wall time, the
/// processor time is the sum of both threads, and `run` is the time per row of the thread of the run.
void archivedRow(benchmark::State& bench) {
  const Scratch folder;
  const Deck study = readDeck(folder.write(deckOf(bench.range(0), 0, 1.0, 1)));
  const auto simulation = prepare(study);
  ModalEquation equation(simulation->model);
  State state = simulation->initial;
  equation.start(state);
  ResultFile file(study, *simulation, folder.path() / "x.h5");
  const EnergyLedger ledger = equation.ledger(state);
  RunCheckpoint checkpoint;
  checkpoint.run.resize(5000);
  {
    ResultRows rows(file.file(), study, *simulation);
    Background behind;
    const double begin = test::threadTime();
    for (auto _ : bench) {
      rows.archive({state, {}, ledger});
      if (rows.rows() % 256 != 0 || !rows.isCheckpointRequested() || (behind.isTaskRunning() && !rows.full()))
        continue;
      rows.writeInBackground(behind, file, checkpoint);
    }
    bench.counters["run"] = benchmark::Counter(
        static_cast<double>(bench.iterations()) / (test::threadTime() - begin), benchmark::Counter::kInvert);
  }
  const auto doubles = static_cast<double>(3 * bench.range(0) + 9 + 7 + 3);
  bench.counters["doubles"] = doubles;
  bench.counters["per_50"] = benchmark::Counter(static_cast<double>(bench.iterations()) * doubles / 50.0,
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(archivedRow)  // number of rows that the system accepts without waiting for the disk
    ->ArgName("m")
    ->Arg(10)
    ->Arg(50)
    ->Iterations(200'000)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

/// Arguments: modes, contacts, thousands of steps. Wall time of a run that archives every 50th step, divided
/// by the time of a run that archives only its ends, less 1; both runs create a new file.
void archivingOverhead(benchmark::State& bench) {
  constexpr int kRounds = 11;
  const Scratch folder;
  const double duration = 1e-2 * static_cast<double>(bench.range(2));
  const auto timeOf = [&](long every) {
    const Deck study = readDeck(folder.write(deckOf(bench.range(0), bench.range(1), duration, every)));
    const auto simulation = prepare(study);
    const std::filesystem::path result = folder.path() / "x.h5";
    const double start = test::wallTime();
    runStudy(study, *simulation, {.result = result, .progress = false});
    const double time = test::wallTime() - start;
    std::filesystem::remove(result);
    return time;
  };
  std::vector<double> overheads;
  for (auto _ : bench)
    for (int i = 0; i < kRounds; ++i) overheads.push_back(timeOf(50) / timeOf(1L << 30) - 1.0);
  std::nth_element(overheads.begin(), overheads.begin() + kRounds / 2, overheads.end());
  bench.counters["overhead"] = overheads[kRounds / 2];
}
BENCHMARK(archivingOverhead)
    ->ArgNames({"m", "c", "k"})
    ->Args({20, 4, 400})
    ->Args({50, 10, 400})
    ->Args({20, 4, 4000})
    ->Args({50, 10, 4000})
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ricochet
