#pragma once

#include "io/app/manual/guides.hpp"
#include "io/app/manual/law_curves.hpp"
#include "io/app/manual/law_page.hpp"
#include "io/text/request_error.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// The manual has no such page, or cannot be written; what() gives the reason.
struct ManualError : RequestError {
  using RequestError::RequestError;
};

/// List with one line per page, ordered by kind.
std::string listOfManualPages();

/// The pages with a name: a keyword ("hertz"), which may have several pages, or the name of one page
/// ("normal-hertz"). Throws ManualError with the most similar name.
std::vector<const LawPage*> pagesWithName(std::string_view name);

/// A guide of the manual by its name; null if there is none.
const Guide* guideWithName(std::string_view name) noexcept;

/// The page as text for a terminal.
std::string terminalTextOfPage(const LawPage& page);

/// The page in Markdown, with its pictures.
std::string markdownPage(const LawPage& page, const std::vector<LawPicture>& pictures);

/// The file of a picture of a page: "normal-hertz-force.svg".
std::string nameOfPictureFile(const LawPage& page, const LawPicture& picture);

/// Draws a picture with gnuplot. Throws PlotError.
void drawLawPicture(const LawPage& page, const LawPicture& picture, const std::filesystem::path& file);

/// Names of the files that `writeManual` writes beside index.md.
std::vector<std::filesystem::path> manualFiles();

/// Writes pages, pictures and an index to a folder, which is created if necessary; returns the number of
/// pages. Throws PlotError (no gnuplot: nothing is written) and ManualError.
std::size_t writeManual(const std::filesystem::path& folder);

}  // namespace ricochet
