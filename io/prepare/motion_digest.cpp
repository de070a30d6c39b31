// Digest of a deck: two runs with equal digests have the same motion, so that one can continue the other.

#include "io/prepare/restart.hpp"
#include "io/text/digest.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <variant>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

/// True if a value of a deck, or a value in it, is the name of a file.
bool doesValueNameFile(const InputValue& value, const fs::path& folder, const fs::path& file) {
  const auto names = [&](const InputValue& each) { return doesValueNameFile(each, folder, file); };
  if (const InputValue::Table* table = value.table())
    return std::ranges::any_of(*table, names, &InputEntry::value);
  if (const InputValue::Array* array = value.array()) return std::ranges::any_of(*array, names);
  const auto* name = std::get_if<std::string>(&value.content);
  return name != nullptr && !name->empty() && folder / *name == file;
}

/// Appends a value, without its place in the deck, and the text of every file that it names.
void appendValueToDigestText(const InputValue& value, const fs::path& folder, std::string& text) {
  if (const InputValue::Table* table = value.table()) {
    text += '{';
    for (const InputEntry& entry : *table) {
      text += entry.key + '=';
      appendValueToDigestText(entry.value, folder, text);
    }
    text += '}';
  } else if (const InputValue::Array* array = value.array()) {
    text += '[';
    for (const InputValue& each : *array) appendValueToDigestText(each, folder, text);
    text += ']';
  } else if (const auto* name = std::get_if<std::string>(&value.content)) {
    text += fmt::format("\"{}\",", *name);
    std::error_code ignored;
    if (name->empty() || !fs::is_regular_file(folder / *name, ignored)) return;
    text += sha256OfFile(folder / *name);
  } else if (const auto* number = std::get_if<double>(&value.content)) {
    text += fmt::format("{:a},", *number);
  } else {
    text += value.describeValue() + ',';
  }
}

std::string describeContactKind(const ContactRequest& request) {
  const auto keyword = []<class L>(const L&) { return L::keyword; };
  return fmt::format("{}: {}, {}, {}{}", request.name, obstacleKeyword(request.obstacle),
                     std::visit(keyword, request.normal), std::visit(keyword, request.friction.law),
                     request.friction.patch ? " of an area" : "");
}

}  // namespace

std::string motionDigest(const Deck& study) {
  constexpr std::array<std::string_view, 6> kOther{"title", "initial", "output", "checks", "batch", "groups"};
  const Document deck = Document::parse(study.deckText, study.deckFile.string());
  const fs::path folder = study.deckFile.parent_path();
  std::string text;
  for (const InputEntry& entry : *deck.root.table()) {
    if (std::find(kOther.begin(), kOther.end(), entry.key) != kOther.end()) continue;
    text += entry.key + '=';
    if (entry.key != "transient") {
      appendValueToDigestText(entry.value, folder, text);
      continue;
    }
    for (const InputEntry& each : *entry.value.table()) {
      if (each.key == "start" || each.key == "duration") continue;
      text += each.key + '=';
      appendValueToDigestText(each.value, folder, text);
    }
  }
  // Files that the deck does not name are included by those that it names.
  for (const fs::path& file : study.dataFiles)
    if (!doesValueNameFile(deck.root, folder, file)) text += sha256OfFile(file);
  // the period of a random process is the duration of the run
  if (text.find("psd=") != std::string::npos && study.transient)
    text += fmt::format("{:a},{:a}", study.transient->start, study.transient->duration);
  return sha256(text);
}

std::vector<std::string> namesAndLawsOfContacts(const Study& study) {
  std::vector<std::string> kinds;
  for (const ContactRequest& request : study.contacts) kinds.push_back(describeContactKind(request));
  return kinds;
}

std::vector<std::string> namesAndLawsOfLinks(const Study& study, const Simulation& simulation) {
  std::vector<std::string> kinds;
  for (const LinkRequest& request : study.links)
    kinds.push_back(fmt::format("{}: {}", request.name,
                                std::visit([]<class L>(const L&) { return L::keyword; }, request.law)));
  for (std::size_t i = study.links.size(); i < simulation.masslessLinks.size(); ++i)
    kinds.push_back(kDashpotKind);
  return kinds;
}

}  // namespace ricochet
