#pragma once

#include "engine/study/parts/bare_study.hpp"
#include "io/deck/places.hpp"
#include "io/toml/default_taken.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct BatchRequest;
struct CheckRequest;
struct Document;
struct MeshRequest;
struct StatisticsRequest;

/// Remedy in messages for a deck without a run.
inline constexpr const char* kGiveRun = "add two lines, `[transient]` and `duration = 0.1` (in s)";
inline constexpr const char* kNothingToRun =
    "missing: this deck has nothing to run; add two lines, `[transient]` and `duration = 0.1` (in s)";

struct OutputRequest {
  std::filesystem::path file;  ///< absolute, or relative to the current directory
  int every{0};                ///< every n-th step; 0: not given
  std::optional<double> interval;
  std::vector<double> times;
  std::vector<NodeIndex> nodes;  ///< nodes whose histories are restored
  std::vector<Kinematic> fields;
  bool absoluteMotion{false};  ///< adds the motion of the base
  bool checksums{true};        ///< writes a checksum for every block of the result
};

/// A run that starts from the final state, or an archived instant, of an earlier run: `initial.restart`.
struct RestartRequest {
  std::filesystem::path file;      ///< absolute, or relative to the current directory
  std::optional<std::size_t> row;  ///< index of the archived instant; absent: the end of the earlier run
  double time{0.0};                ///< time of this instant [s]
};

/// A deck as read: a study with names resolved to indices and checked numbers, the requests for its run, and
/// the places of both in the deck, for messages.
///
/// Types that hold vectors, laws or elements are only declared here, so that readers of other parts compile
/// without them. Readers that use contacts, links, beams, meshes or checks include their headers, or
/// deck.hpp.
struct Deck : Study {
  std::filesystem::path deckFile;
  std::string deckText;
  Places places;
  /// Files that the deck names and that determine the motion, each once.
  std::vector<std::filesystem::path> dataFiles;
  std::vector<MeshRequest> meshes;  ///< meshes whose nodes belong to the study
  std::optional<RestartRequest> restart;
  OutputRequest output;
  std::vector<CheckRequest> checks;
  std::shared_ptr<const BatchRequest> batch{};            ///< request for a study of variants; null: none
  std::shared_ptr<const StatisticsRequest> statistics{};  ///< statistics of contacts; null: not requested
  std::vector<DefaultTaken> defaults;  ///< defaults used for keys that the deck does not give
  std::vector<std::string> warnings;   ///< doubts about what the deck names, one text each

  Deck();
  Deck(const Deck&);
  Deck(Deck&&) noexcept;
  Deck& operator=(const Deck&);
  Deck& operator=(Deck&&) noexcept;
  ~Deck();
};

/// Reads a deck. Throws InputError with every problem found, each with file, line, column and remedy.
Deck readDeck(const std::filesystem::path& file);

/// Reads a deck from a parsed document, in which a batch may have changed numbers.
Deck readDeck(const std::filesystem::path& file, const Document& document);

}  // namespace ricochet
