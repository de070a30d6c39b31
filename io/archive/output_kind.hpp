#pragma once

#include <filesystem>
#include <string_view>

namespace ricochet {

/// Kinds of files that the program writes and, if asked, replaces.
enum class OutputKind : unsigned char {
  result,      ///< of a run, a batch, a comparison or a restitution
  table,       ///< histories or cases as CSV
  patchTable,  ///< curves of a contact area as CSV
  picture,
  page,  ///< a report
  xdmf,  ///< the description of restored histories
  deck,
  schema,  ///< the JSON Schema of decks
  manual,  ///< the index of the manual
  manPage  ///< a page for man(1)
};

/// Name of a kind for messages: "result".
std::string_view outputKindName(OutputKind kind) noexcept;

/// True if the content of a file is of a kind that the program writes, so that the program may replace the
/// file. An empty file is of every kind, because nothing is lost with it; a deck is also recognised by its
/// suffix.
bool isFileOfKind(const std::filesystem::path& file, OutputKind kind);

}  // namespace ricochet
