#include "io/app/batch/variant_plan.hpp"

#include "io/quantities/batch/parameter_path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 6> kNotOfTheBasis{"contacts.", "loads.",  "functions.",
                                                         "initial.",  "output.", "transient."};

/// True if the parameter changes the basis, which depends on the structure and, with residual vectors, on the
/// directions of contacts and loads.
bool doesParameterChangeBasis(const std::string& path, const Deck& study) {
  const auto beginsWith = [&](std::string_view word) { return path.starts_with(word); };
  if (std::none_of(kNotOfTheBasis.begin(), kNotOfTheBasis.end(), beginsWith)) return true;
  const bool isLaw =
      path.find(".normal.") != std::string::npos || path.find(".friction.") != std::string::npos;
  if (study.basis.contactResiduals && beginsWith("contacts.") && !isLaw) return true;
  return study.basis.loadResiduals && beginsWith("loads.");
}

}  // namespace

VariantPlan::VariantPlan(const std::filesystem::path& deck, Document document)
    : document_(std::move(document)) {
  study_ = readDeck(deck, document_);
  if (!study_.batch)
    throw InputError({deck.string(), 1, 1}, "batch", "missing: this deck describes a single run");
  auto& entries = std::get<InputValue::Table>(document_.root.content);
  std::erase_if(entries,
                [](const InputEntry& entry) { return entry.key == "batch" || entry.key == "checks"; });
  values_ = parameterValuesOfCases(batchRequest());
  for (const BatchParameter& parameter : batchRequest().parameters)
    structural_.push_back(doesParameterChangeBasis(parameter.path, study_));
  groupVariantsByStructure();
}

void VariantPlan::groupVariantsByStructure() {
  std::map<std::vector<double>, std::uint32_t> known;
  groups_.resize(batchRequest().caseCount());
  std::vector<double> key;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    key.clear();
    for (std::size_t p = 0; p < parameterCount(); ++p)
      if (structural_[p]) key.push_back(valuesOfVariant(i)[p]);
    groups_[i] = known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
  }
  groupCount_ = known.size();
}

void VariantPlan::applyVariantValues(std::size_t variant, Document& document) const {
  for (std::size_t p = 0; p < parameterCount(); ++p)
    replaceNumberInDeck(*findNumericValue(document, batchRequest().parameters[p].path),
                        valuesOfVariant(variant)[p]);
}

Deck VariantPlan::readDeckOfVariant(std::size_t variant, Document& document) const {
  applyVariantValues(variant, document);
  return readDeck(study_.deckFile, document);
}

}  // namespace ricochet
