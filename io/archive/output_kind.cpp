#include "io/archive/output_kind.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/text/input_error.hpp"
#include "io/text/input_file.hpp"
#include "io/toml/document.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

/// The beginning of a file, long enough for the first line of a table; empty if the file cannot be read.
std::string readBeginningOfFile(const fs::path& file) {
  constexpr std::size_t kBeginning = 65536;
  std::ifstream stream;
  if (!openInputOrGetReason(file, stream).empty()) return {};
  std::string text(kBeginning, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

bool isResultFile(const fs::path& file) {
  try {
    const H5File opened = H5File::open(file);
    return opened.hasAttribute("/", "format") && opened.stringAttribute("/", "format") == "ricochet";
  } catch (const ResultError&) {
    return false;
  }
}

/// True if a text holds a quantity with arguments: "gap(stop)".
bool mentionsQuantity(std::string_view text) {
  return std::ranges::any_of(allQuantities(), [text](const Quantity& each) {
    for (std::size_t at = text.find(each.name()); at != std::string_view::npos;
         at = text.find(each.name(), at + 1)) {
      const std::size_t next = text.find_first_not_of(' ', at + each.name().size());
      if (next != std::string_view::npos && text[next] == '(') return true;
    }
    return false;
  });
}

/// True for the head of a table of histories, which names quantities, or of the cases of a batch.
bool looksLikeResultTable(std::string_view text) {
  const std::string head = std::string(text.substr(0, text.find('\n'))) + ",";
  if (head.starts_with("case,")) return head.find(",status,") != std::string::npos;
  return head.find(',') + 1 < head.size() && mentionsQuantity(head);
}

bool looksLikePicture(std::string_view text) {
  return text.starts_with("\x89PNG\r\n\x1a\n") ||
         (text.find("<svg") != std::string_view::npos &&
          text.find("Produced by GNUPLOT") != std::string_view::npos);
}

bool looksLikeReportPage(std::string_view text) {
  return text.starts_with("<!doctype html>") &&
         text.find(
             "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:") !=
             std::string_view::npos;
}

bool looksLikeXdmf(std::string_view text) {
  return text.find("<Xdmf ") != std::string_view::npos &&
         text.find("<Grid Name=\"motion\"") != std::string_view::npos;
}

bool looksLikeDeckSchema(std::string_view text) {
  return text.find("\"$schema\"") != std::string_view::npos &&
         text.find("A deck of ricochet") != std::string_view::npos;
}

bool hasDeckFileSuffix(const fs::path& file) {
  std::string suffix = file.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix == ".toml";
}

/// True for a text that is TOML and has one of the tables without which there is no deck.
bool isDeckFile(const fs::path& file) {
  constexpr std::uintmax_t kLargestDeck = 1U << 28U;
  constexpr std::array<std::string_view, 8> kTables{"nodes",     "masses", "matrices", "meshes",
                                                    "transient", "basis",  "contacts", "functions"};
  std::error_code ignored;
  if (fs::file_size(file, ignored) > kLargestDeck) return false;
  try {
    const Document document = Document::load(fs::absolute(file));  // - is no file here but standard input
    return std::ranges::any_of(kTables,
                               [&](std::string_view table) { return document.root.find(table) != nullptr; });
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string_view outputKindName(OutputKind kind) noexcept {
  constexpr std::array<std::string_view, 10> kNames{"result",
                                                    "table of a result",
                                                    "table of patch",
                                                    "picture of gnuplot",
                                                    "report",
                                                    "XDMF of restored histories",
                                                    "deck",
                                                    "schema of decks",
                                                    "index of the manual",
                                                    "man page of ricochet"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool isFileOfKind(const fs::path& file, OutputKind kind) {
  std::error_code ignored;
  if (fs::file_size(file, ignored) == 0) return true;
  switch (kind) {
    case OutputKind::result:
      return isResultFile(file);
    case OutputKind::table:
      return looksLikeResultTable(readBeginningOfFile(file));
    case OutputKind::patchTable:
      return readBeginningOfFile(file).starts_with("omega L/V,");
    case OutputKind::picture:
      return looksLikePicture(readBeginningOfFile(file));
    case OutputKind::page:
      return looksLikeReportPage(readBeginningOfFile(file));
    case OutputKind::xdmf:
      return looksLikeXdmf(readBeginningOfFile(file));
    case OutputKind::deck:
      return !isResultFile(file) && (hasDeckFileSuffix(file) || isDeckFile(file));
    case OutputKind::schema:
      return looksLikeDeckSchema(readBeginningOfFile(file));
    case OutputKind::manual:
      return readBeginningOfFile(file).starts_with("# Manual\n\n## Guides\n");
    case OutputKind::manPage:
      return readBeginningOfFile(file).starts_with(".TH RICOCHET");
  }
  return false;
}

}  // namespace ricochet
