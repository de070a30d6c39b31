#include "io/app/manual/manual.hpp"
#include "io/app/manual/quantity_table.hpp"
#include "io/app/manual/support_matrix.hpp"
#include "io/app/plot/gnuplot.hpp"
#include "io/app/plot/plot.hpp"
#include "io/app/plot/plot_thinning.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

namespace ricochet {
namespace {

void writeCurvePoints(std::FILE* out, const LawCurve& curve) {
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (std::isnan(curve.x[i]) || std::isnan(curve.y[i]))
      fmt::print(out, "\n");  // the empty line interrupts the curve
    else
      fmt::print(out, "{:.7g} {:.7g}\n", curve.x[i], curve.y[i]);
  }
  fmt::print(out, "e\n");
}

double lengthOfNormalArrows(const LawPicture& picture) {
  double size = 0.0;
  for (const LawCurve& curve : picture.curves)
    for (const double x : curve.x) size = std::isnan(x) ? size : std::max(size, std::abs(x));
  return 0.12 * size;
}

void writeManualFile(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw ManualError(fmt::format("{}: cannot be written", file.string()));
}

std::string indexPage() {
  std::string text = "# Manual\n\n## Guides\n\n";
  for (const Guide& guide : kGuides) text += fmt::format("- [{}]({}.md)\n", guide.title(), guide.name);
  std::string_view section;
  for (const LawPage& page : manualPages()) {
    if (titleOfLawKind(page.kind) != section) {
      section = titleOfLawKind(page.kind);
      text += fmt::format("\n## {}s\n\n", section);
    }
    text += fmt::format("- [`{}`]({}.md): {}\n", page.keyword, page.name(), page.title);
  }
  text += "\n## Which scheme follows what\n\nA number stands for a reason below the table.\n\n" +
          tableOfSchemeSupport() + "\n## What a run can be asked for\n\n" + quantityTablesInMarkdown();
  return text;
}

}  // namespace

void drawLawPicture(const LawPage& page, const LawPicture& picture, const std::filesystem::path& file) {
  Gnuplot gnuplot(file);
  std::FILE* out = gnuplot.inputStream();
  const double arrow = lengthOfNormalArrows(picture);
  gnuplot.beginPicture(page.title, picture.abscissa, picture.ordinate);
  if (picture.equalScales) {
    Extent across, up;
    for (const LawCurve& curve : picture.curves)
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (std::isnan(curve.x[i]) || std::isnan(curve.y[i])) continue;
        across.includeValue(curve.x[i]);
        up.includeValue(curve.y[i]);
      }
    for (std::size_t i = 0; i < picture.arrows.x.size(); ++i) {
      across.includeValue(picture.arrows.x[i] + arrow * picture.directions.x[i]);
      up.includeValue(picture.arrows.y[i] + arrow * picture.directions.y[i]);
    }
    gnuplot.setEqualScales(across, up);
  }
  fmt::print(out, "set xzeroaxis lc rgb '#999999'\n");
  std::string plot = "plot ";
  for (std::size_t i = 0; i < picture.curves.size(); ++i)
    plot += fmt::format("{}'-' using 1:2 with lines lw 2 lc rgb '{}' title {}", i == 0 ? "" : ", ",
                        curveColour(i), gnuplotString(picture.curves[i].label));
  const bool hasArrows = !picture.arrows.x.empty();
  if (hasArrows) plot += ", '-' using 1:2:3:4 with vectors lc rgb '#555555' title 'normal'";
  fmt::print(out, "{}\n", plot);
  for (const LawCurve& curve : picture.curves) writeCurvePoints(out, curve);
  if (hasArrows) {
    for (std::size_t i = 0; i < picture.arrows.x.size(); ++i)
      fmt::print(out, "{:.7g} {:.7g} {:.7g} {:.7g}\n", picture.arrows.x[i], picture.arrows.y[i],
                 arrow * picture.directions.x[i], arrow * picture.directions.y[i]);
    fmt::print(out, "e\n");
  }
  gnuplot.finishPicture();
}

std::vector<std::filesystem::path> manualFiles() {
  std::vector<std::filesystem::path> files;
  for (const LawPage& page : manualPages()) {
    files.emplace_back(page.name() + ".md");
    for (const LawPicture& picture : picturesOfLaw(page))
      files.emplace_back(nameOfPictureFile(page, picture));
  }
  for (const Guide& guide : kGuides) files.emplace_back(fmt::format("{}.md", guide.name));
  return files;
}

std::size_t writeManual(const std::filesystem::path& folder) {
  requireGnuplot();  // reports a missing gnuplot before anything is written
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ManualError(fmt::format("{}: {}", folder.string(), error.message()));
  writeManualFile(folder / "index.md", indexPage());  // the mark of a folder whose pages may be written anew
  for (const LawPage& page : manualPages()) {
    const std::vector<LawPicture> pictures = picturesOfLaw(page);
    for (const LawPicture& picture : pictures)
      drawLawPicture(page, picture, folder / nameOfPictureFile(page, picture));
    writeManualFile(folder / (page.name() + ".md"), markdownPage(page, pictures));
  }
  for (const Guide& guide : kGuides)
    writeManualFile(folder / fmt::format("{}.md", guide.name), std::string(guide.text));
  return manualPages().size();
}

}  // namespace ricochet
