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

struct OutputRequest {
  std::filesystem::path file;  ///< absolute, or relative to the current directory
  int every{1};
  std::optional<double> interval;
  std::vector<double> times;
  std::vector<NodeIndex> nodes;  ///< whose histories are restored
  std::vector<Kinematic> fields;
  bool absoluteMotion{false};  ///< with that of the base
  bool checksums{true};        ///< of every block of the result
};

/// A run that goes on from where an earlier one was: `initial.restart`.
struct RestartRequest {
  std::filesystem::path file;      ///< absolute, or relative to the current directory
  std::optional<std::size_t> row;  ///< of the archived instants; absent: its end
  double time{0.0};                ///< instant of that [s]
};

/// A deck as read: a study whose names are resolved to indices and whose numbers are checked, what is asked
/// of its run, and beside both the places of the deck, which messages name.
///
/// What holds vectors, laws or elements is declared only, so that readers of other parts compile without
/// them: those who look into contacts, links, beams, meshes or checks include their headers, or deck.hpp.
struct Deck : Study {
  std::filesystem::path deckFile;
  std::string deckText;
  Places places;
  std::vector<std::filesystem::path> dataFiles;  ///< that decide the motion: those the deck names, once each
  std::vector<MeshRequest> meshes;               ///< whose nodes are among those of the study
  std::optional<RestartRequest> restart;
  OutputRequest output;
  std::vector<CheckRequest> checks;
  std::shared_ptr<const BatchRequest> batch{};            ///< of a study of variants
  std::shared_ptr<const StatisticsRequest> statistics{};  ///< of contacts; none: not asked for
  std::vector<DefaultTaken> defaults;  ///< what the deck does not say and the reader filled in

  Deck();
  Deck(const Deck&);
  Deck(Deck&&) noexcept;
  Deck& operator=(const Deck&);
  Deck& operator=(Deck&&) noexcept;
  ~Deck();
};

/// Reads a deck. Throws InputError with every problem found, each with file, line, column and remedy.
Deck readDeck(const std::filesystem::path& file);

/// The same of a document that is read already, of which a batch may have changed numbers.
Deck readDeck(const std::filesystem::path& file, const Document& document);

}  // namespace ricochet
