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

/// The cases of a batch: their values, and which of them share a basis. Constant, shared by all threads.
class VariantPlan {
 public:
  /// Throws InputError: the deck is bad, or has no `[batch]`.
  explicit VariantPlan(const std::filesystem::path& deck) : VariantPlan(deck, Document::load(deck)) {}
  /// The same of a deck that is no file any more.
  VariantPlan(const std::filesystem::path& deck, Document document);

  const Deck& study() const noexcept { return study_; }
  const BatchRequest& request() const noexcept { return *study_.batch; }
  std::size_t size() const noexcept { return groups_.size(); }
  std::size_t parameters() const noexcept { return request().parameters.size(); }

  std::span<const double> values() const noexcept { return values_; }
  std::span<const double> valuesOf(std::size_t variant) const noexcept {
    return std::span(values_).subspan(variant * parameters(), parameters());
  }

  /// Variants of the same group have the same structure, and so the same basis.
  std::uint32_t group(std::size_t variant) const noexcept { return groups_[variant]; }
  std::size_t groups() const noexcept { return groupCount_; }
  /// Whether a parameter changes the structure or the directions that its basis is made for.
  bool isStructural(std::size_t parameter) const noexcept { return structural_[parameter]; }

  /// A copy of the deck with the values of a variant, without what a variant needs not.
  Document document() const { return document_; }

  /// Puts the values of a variant into such a copy.
  void apply(std::size_t variant, Document& document) const;

  /// The deck of a variant, read. Throws InputError.
  Deck read(std::size_t variant, Document& document) const;

 private:
  void findGroups();

  Document document_;
  Deck study_;
  std::vector<double> values_;
  std::vector<bool> structural_;
  std::vector<std::uint32_t> groups_;
  std::size_t groupCount_{0};
};

}  // namespace ricochet
