#include "io/app/reproduce.hpp"

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/app/runs/comparison.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/data_files.hpp"
#include "io/result/result_file.hpp"
#include "io/result/target.hpp"

#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>
#include <system_error>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

/// Temporary folder, deleted when this object is destroyed.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "ricochet-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw ReproduceError("no temporary folder can be made");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

/// True for a dataset of wall times: two runs of the same deck differ in these datasets.
bool isWallTimeDataset(std::string_view dataset) { return dataset == "/batch/wall_time"; }

class Comparer {
 public:
  Comparer(const H5File& before, const H5File& now, Reproduction& found)
      : before_(before), now_(now), found_(found) {}

  void compareGroup(const std::string& path) {
    // Equal histories are one dataset with several paths, which need not be one in the other result.
    const std::uint64_t other = now_.exists(path) ? now_.addressOfObject(path) : 0;
    if (!seen_.insert({before_.addressOfObject(path), other}).second) return;
    if (before_.isDataset(path)) {
      if (!isWallTimeDataset(path)) compareDataset(path);
      return;
    }
    for (const std::string& name : before_.namesOfGroupMembers(path))
      compareGroup((path == "/" ? "" : path) + "/" + name);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20U;

  void addDifference(const std::string& path, std::string text) {
    found_.differences.push_back({path, std::move(text)});
  }

  void compareDataset(const std::string& path) {
    ++found_.datasets;
    if (!now_.exists(path) || !now_.isDataset(path)) return addDifference(path, "is not there any more");
    const H5Shape shape = before_.shape(path);
    if (now_.shape(path) != shape) return addDifference(path, "has another shape");
    const H5File::Holds holds = before_.holds(path);
    if (now_.holds(path) != holds) return addDifference(path, "holds another type");
    if (holds == H5File::Holds::strings) {
      const bool same = shape.empty() ? before_.readText(path) == now_.readText(path)
                                      : before_.readStrings(path) == now_.readStrings(path);
      return same ? void() : addDifference(path, "holds other texts");
    }
    if (shape.empty())
      return compareValues<double>(path, before_.readAny(path).values, now_.readAny(path).values, 0);
    const H5Shape row(shape.begin() + 1, shape.end());
    std::size_t width = 1;
    for (const std::size_t extent : row) width *= std::max<std::size_t>(extent, 1);
    const std::size_t step = std::max<std::size_t>(kBlock / width, 1);
    const std::size_t known = found_.differences.size();
    for (std::size_t first = 0; first < shape[0] && found_.differences.size() == known; first += step) {
      const std::size_t count = std::min(step, shape[0] - first);
      if (holds == H5File::Holds::reals)
        compareValues<double>(path, before_.readRows(path, first, count, row).values,
                              now_.readRows(path, first, count, row).values, first);
      else
        compareValues<std::int64_t>(path, before_.readRows<std::int64_t>(path, first, count, row).values,
                                    now_.readRows<std::int64_t>(path, first, count, row).values, first);
    }
  }

  template <class T>
  void compareValues(const std::string& path, const std::vector<T>& a, const std::vector<T>& b,
                     std::size_t first) {
    if (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) return;
    double most = 0.0, size = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0) continue;
      ++count;
      most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    }
    for (const T& each : a) size = std::max(size, std::abs(static_cast<double>(each)));
    addDifference(
        path, fmt::format("{} of {} values differ from row {} on, by {:.3g} at most (largest value {:.3g})",
                          count, a.size(), first, most, size));
  }

  const H5File& before_;
  const H5File& now_;
  Reproduction& found_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;  // addresses in both results
};

void requireUnchangedDataFiles(const H5File& result, const Deck& study) {
  if (const auto changed = findChangedDataFile(result, study))
    throw ReproduceError(fmt::format("{}: the data file {} is not what it was in the run; put it back",
                                     result.name(), changed->string()));
}

void repeatRunOfResult(const H5File& result, const fs::path& folder, const fs::path& target,
                       bool showProgress) {
  if (result.hasAttribute("/", "restored_from"))
    throw ReproduceError(fmt::format("{}: is restored from {}; reproduce that", result.name(),
                                     result.stringAttribute("/", "restored_from")));
  if (!result.exists("/deck")) throw ReproduceError(fmt::format("{}: holds no deck", result.name()));
  const fs::path place = pathForReadingDeck(result, folder / "deck.toml");
  const Document deck = Document::parse(result.readText("/deck"), place.string());
  if (result.exists("/batch")) {
    const VariantPlan plan(place, deck);
    requireUnchangedDataFiles(result, plan.study());
    runBatch(plan, {.result = target, .progress = showProgress}, nullptr);
    return;
  }
  const Deck study = readDeck(place, deck);
  requireUnchangedDataFiles(result, study);
  if (!study.transient) throw ReproduceError(fmt::format("{}: its deck has nothing to run", result.name()));
  const bool isDirect = !result.exists("/modal"), isCompared = result.hasAttribute("/", kComparedRuns);
  const std::unique_ptr<Simulation> modal = isDirect ? nullptr : prepare(study);
  if (isCompared) {
    const auto direct = prepareDirectSimulation(study, modal.get());
    compareModalAndDirectRuns(study, *modal, *direct,
                              {.result = target, .progress = showProgress, .causes = false});
  } else {
    runStudy(study, isDirect ? *prepareDirectSimulation(study, nullptr) : *modal,
             {.result = target, .force = false, .progress = showProgress});
  }
}

std::string readTextOrDefault(const H5File& file, const char* name, const char* otherwise) {
  return file.hasAttribute("/", name) ? file.stringAttribute("/", name) : otherwise;
}

}  // namespace

Reproduction reproduceRun(const fs::path& path, bool showProgress) {
  const H5File before = openRequestedResult(path);
  if (before.stringAttribute("/", "status") != "complete")
    throw ReproduceError(fmt::format("{}: is not complete: its status is {}", before.name(),
                                     before.stringAttribute("/", "status")));
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "again.h5";
  repeatRunOfResult(before, folder.path(), target, showProgress);
  if (!fs::exists(target)) throw ReproduceError("the run was interrupted: nothing is compared");
  const H5File now = openResult(target);
  if (now.stringAttribute("/", "status") != "complete")
    throw ReproduceError("the run did not complete this time: " +
                         readTextOrDefault(now, "failure", "interrupted"));
  Reproduction found;
  found.made = fmt::format("version {}, {}, vectors {}", before.stringAttribute("/", "software_version"),
                           readTextOrDefault(before, "compiler", "unknown compiler"),
                           readTextOrDefault(before, "vectors", "unknown"));
  Comparer(before, now, found).compareGroup("/");
  return found;
}

}  // namespace ricochet
