#pragma once

#include "io/deck/bare_deck.hpp"
#include "io/deck/batch_request.hpp"
#include "io/toml/document.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace ricochet {

/// The cases of a batch: their values, and the groups of cases with a common basis. Immutable, shared by all
/// threads.
class VariantPlan {
 public:
  /// Throws InputError if the deck is invalid or has no `[batch]`.
  explicit VariantPlan(const std::filesystem::path& deck) : VariantPlan(deck, Document::load(deck)) {}
  /// Builds the plan from the document of a deck whose file need not exist any more; `deck` is used in
  /// messages.
  VariantPlan(const std::filesystem::path& deck, Document document);

  const Deck& study() const noexcept { return study_; }
  const BatchRequest& batchRequest() const noexcept { return *study_.batch; }
  std::size_t size() const noexcept { return groups_.size(); }
  std::size_t parameterCount() const noexcept { return batchRequest().parameters.size(); }

  std::span<const double> valuesOfAllVariants() const noexcept { return values_; }
  std::span<const double> valuesOfVariant(std::size_t variant) const noexcept {
    return std::span(values_).subspan(variant * parameterCount(), parameterCount());
  }

  /// Group number of a variant. Variants of a group have the same structure and therefore the same basis.
  std::uint32_t groupOfVariant(std::size_t variant) const noexcept { return groups_[variant]; }
  std::size_t variantGroupCount() const noexcept { return groupCount_; }
  /// True if a parameter changes the structure, or the directions for which its basis is computed.
  bool doesParameterChangeStructure(std::size_t parameter) const noexcept { return structural_[parameter]; }

  /// A copy of the deck for `applyVariantValues`, without the tables that a variant does not need.
  Document documentForVariants() const { return document_; }

  /// Writes the values of a variant into a copy made by `document`.
  void applyVariantValues(std::size_t variant, Document& document) const;

  /// Reads the deck of a variant. Throws InputError.
  Deck readDeckOfVariant(std::size_t variant, Document& document) const;

 private:
  void groupVariantsByStructure();

  Document document_;
  Deck study_;
  std::vector<double> values_;
  std::vector<bool> structural_;
  std::vector<std::uint32_t> groups_;
  std::size_t groupCount_{0};
};

}  // namespace ricochet
