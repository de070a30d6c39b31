// What archiving costs: a row through the buffers into a flushed file with checkpoints, and the share of it
// in a run that archives every 50th step.

#include "engine/flush_to_zero.hpp"
#include "io/result_file.hpp"
#include "io/result_rows.hpp"
#include "io/run_study.hpp"
#include "verification/benchmarks/relative_time.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace ricochet {
namespace {

/// A folder of its own, gone afterwards.
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

/// A row of masses along x, as many modes, on as many slots as asked for.
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

/// Argument: modes; no contact. Rows of three values per mode, three fields of a node, seven energies, and
/// three times.
void archivedRow(benchmark::State& bench) {
  const Scratch folder;
  const Study study = readDeck(folder.write(deckOf(bench.range(0), 0, 1.0, 1)));
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
    for (auto _ : bench) {
      rows.archive({state, {}, ledger});
      if (rows.rows() % 256 != 0 || !rows.wantsCheckpoint()) continue;
      rows.write();
      file.keep(checkpoint);
      rows.flushed();
    }
  }
  const auto doubles = static_cast<double>(3 * bench.range(0) + 9 + 7 + 3);
  bench.counters["doubles"] = doubles;
  bench.counters["per_50"] = benchmark::Counter(static_cast<double>(bench.iterations()) * doubles / 50.0,
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(archivedRow)->ArgName("m")->Arg(10)->Arg(50);

/// Arguments: modes, contacts. Time of a run that archives every 50th step over that of one which archives
/// nothing but its ends, less 1; both write their file.
void archivingOverhead(benchmark::State& bench) {
  const Scratch folder;
  const auto runOf = [&](long every) {
    auto study = std::make_shared<const Study>(
        readDeck(folder.write(deckOf(bench.range(0), bench.range(1), 4.0, every))));
    std::shared_ptr<const Simulation> simulation = prepare(*study);
    return [&folder, study, simulation, every] {
      runStudy(*study, *simulation,
               {.result = folder.path() / (every == 50 ? "rows.h5" : "none.h5"),
                .force = true,
                .progress = false});
    };
  };
  auto archiving = runOf(50), plain = runOf(1L << 30);
  double overhead = 0.0;
  for (auto _ : bench) overhead = test::relativeTime(archiving, plain) - 1.0;
  bench.counters["overhead"] = overhead;
}
BENCHMARK(archivingOverhead)
    ->ArgNames({"m", "c"})
    ->Args({20, 4})
    ->Args({50, 10})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ricochet
