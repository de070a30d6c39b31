#include "io/app/commands/man_pages.hpp"

#include "io/app/manual/commands_text.hpp"
#include "io/app/manual/manual.hpp"
#include "io/archive/version.hpp"
#include "io/result/result_target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>
#include <vector>

namespace ricochet {
namespace {

/// Escapes the characters of a text that roff interprets as commands; `dashes`: hyphens belong to options.
std::string escapeRoff(std::string_view text, bool dashes) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-' && dashes)
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

/// Converts a line of Markdown to roff: `words` in bold, **words** in italics, [words](place) without the
/// place.
std::string roffOfMarkdownLine(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view rest = line.substr(i);
    const std::string_view mark = rest.starts_with("**") ? "**" : rest.starts_with('`') ? "`" : "";
    if (const std::size_t end = mark.empty() ? std::string_view::npos : rest.find(mark, mark.size());
        end != std::string_view::npos) {
      const std::string_view words = rest.substr(mark.size(), end - mark.size());
      out += fmt::format("\\f{}{}\\fR", mark == "`" ? 'B' : 'I', escapeRoff(words, mark == "`"));
      i += end + mark.size();
      continue;
    }
    if (const std::size_t middle = rest.find("]("), end = rest.find(')', middle);
        rest.starts_with('[') && middle != std::string_view::npos && end != std::string_view::npos) {
      out += roffOfMarkdownLine(rest.substr(1, middle - 1));
      i += end + 1;
      continue;
    }
    out += escapeRoff(rest.substr(0, 1), false);
    ++i;
  }
  return out;
}

std::string upperCase(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string headOfManPage(std::string_view name, std::string_view brief) {
  return fmt::format(".TH {} 1 {} \"ricochet {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     escapeRoff(upperCase(name), true), kReleaseDate, kVersion, escapeRoff(name, true),
                     escapeRoff(brief, false));
}

std::string roffOfOption(const CLI::Option& option) {
  std::string names;
  for (const std::string& letter : option.get_snames())
    names += fmt::format("{}\\fB\\-{}\\fR", names.empty() ? "" : ", ", letter);
  for (const std::string& name : option.get_lnames())
    names += fmt::format("{}\\fB\\-\\-{}\\fR", names.empty() ? "" : ", ", escapeRoff(name, true));
  if (names.empty()) names = fmt::format("\\fI{}\\fR", option.get_name(true));
  const std::string type = option.get_type_name();
  if (!option.get_positional() && option.get_items_expected_max() > 0)
    names += fmt::format(" \\fI{}\\fR", type.substr(0, type.find_first_of(":{ ")));
  std::string text = fmt::format(".TP\n{}\n{}\n", names, escapeRoff(option.get_description(), false));
  if (const std::string value = option.get_default_str(); !value.empty())
    text += fmt::format("(default: {})\n", escapeRoff(value, false));
  return text;
}

std::string manPageOfCommand(const CLI::App& command) {
  std::string page = headOfManPage("ricochet-" + command.get_name(), command.get_description());
  std::string synopsis = fmt::format("\\fBricochet {}\\fR", escapeRoff(command.get_name(), true)), arguments,
              options;
  for (const CLI::Option* each : command.get_options()) {
    (each->get_positional() ? arguments : options) += roffOfOption(*each);
    if (each->get_positional())
      synopsis += each->get_required() ? fmt::format(" \\fI{}\\fR", each->get_name(true))
                                       : fmt::format(" [\\fI{}\\fR]", each->get_name(true));
  }
  page += fmt::format(".SH SYNOPSIS\n{} [\\fIOPTIONS\\fR]\n", synopsis);
  if (!arguments.empty()) page += ".SH ARGUMENTS\n" + arguments;
  page += ".SH OPTIONS\n" + options;
  return page + ".SH SEE ALSO\n.BR ricochet (1)\n";
}

std::string mainManPage(const CLI::App& app, const std::vector<const CLI::App*>& commands) {
  std::string page = headOfManPage("ricochet", "transient response of structures that knock and rub");
  page +=
      ".SH SYNOPSIS\n\\fBricochet\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n"
      "A deck (TOML) holds a study: model, modal basis, contacts, loads, run, and the checks that say "
      "whether\n"
      "the answer is right. The result is one HDF5 file that any tool reads. \\fBricochet new\\fR writes "
      "decks\n"
      "to start from, \\fBricochet manual\\fR prints pages on tables, laws and schemes.\n.SH COMMANDS\n";
  for (const CLI::App* each : commands)
    page += fmt::format(".TP\n.BR ricochet\\-{} (1)\n{}\n", escapeRoff(each->get_name(), true),
                        escapeRoff(each->get_description(), false));
  page += roffOfMarkdown(kCommandsText);
  page += fmt::format(".SH EXIT STATUS\n{}\n.SH SEE ALSO\n", escapeRoff(app.get_footer(), false));
  for (const CLI::App* each : commands)
    page += fmt::format(".BR ricochet\\-{} (1){}\n", escapeRoff(each->get_name(), true),
                        each == commands.back() ? "" : ",");
  return page;
}

void writeManPage(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw ManualError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

std::string roffOfMarkdown(std::string_view markdown) {
  std::string out;
  bool example = false, started = false;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    const std::string_view line = markdown.substr(0, end);
    markdown = end == std::string_view::npos ? std::string_view{} : markdown.substr(end + 1);
    // skips the title of the file
    if (line.starts_with("# ") || (!started && !line.starts_with("## "))) continue;
    const bool indented = line.starts_with("    ");
    if (example && !indented && !line.empty()) {
      out += ".EE\n";
      example = false;
    }
    if (line.starts_with("## ")) {
      out += fmt::format(".SH {}\n", escapeRoff(upperCase(line.substr(3)), false));
      started = true;
    } else if (indented) {
      if (!example) out += ".PP\n.EX\n";
      example = true;
      out += escapeRoff(line, true) + "\n";
    } else if (line.empty()) {
      const bool headed = out.rfind(".SH ") == out.rfind('\n', out.size() - 2) + 1;
      if (!example && !headed && !markdown.starts_with("## ") && !markdown.starts_with("    ") &&
          !markdown.empty())
        out += ".PP\n";
    } else {
      const std::string text = roffOfMarkdownLine(line);
      out += (text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text) + "\n";
    }
  }
  return example ? out + ".EE\n" : out;
}

std::size_t writeManPages(const CLI::App& app, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ManualError(fmt::format("{}: {}", folder.string(), error.message()));
  const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto pageOf = [&folder](const CLI::App& command) {
    return folder / fmt::format("ricochet-{}.1", command.get_name());
  };
  requireFileMayBeWritten(folder / "ricochet.1", OutputKind::manPage, true);
  for (const CLI::App* each : commands) requireFileMayBeWritten(pageOf(*each), OutputKind::manPage, true);
  writeManPage(folder / "ricochet.1", mainManPage(app, commands));
  for (const CLI::App* each : commands) writeManPage(pageOf(*each), manPageOfCommand(*each));
  return commands.size() + 1;
}

}  // namespace ricochet
