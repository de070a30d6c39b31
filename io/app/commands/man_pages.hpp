#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ricochet {

/// Converts the Markdown of COMMANDS.md to roff, the text format of man pages: headings become sections,
/// indented lines examples, `words` bold; links become their words.
std::string roffOfMarkdown(std::string_view markdown);

/// Writes ricochet.1, which contains COMMANDS.md, and ricochet-COMMAND.1 for each command of `app`, into a
/// folder that is created if necessary; returns their number. Throws ManualError.
std::size_t writeManPages(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace ricochet
