#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ricochet {

struct Extent;

/// Text as a single-quoted string of gnuplot: quotes are doubled.
std::string gnuplotString(std::string_view text);

/// Throws PlotError if there is no gnuplot.
void requireGnuplot();

/// Runs gnuplot. The picture is drawn into a temporary file and renamed when complete, so that a failure
/// leaves the earlier picture unchanged.
class Gnuplot {
 public:
  /// Throws PlotError (name without .svg or .png) and TargetError (folder not writable).
  explicit Gnuplot(const std::filesystem::path& picture);
  ~Gnuplot();
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;

  /// True for a raster picture: edges of two areas that meet within a dot leave a visible seam.
  bool isRasterPicture() const;

  std::FILE* inputStream() const noexcept { return input_.get(); }

  /// Width and height of a panel with its axes [dots].
  struct Size {
    double width, height;
  };
  Size panelSize(int panels = 1, int columns = 1) const;

  /// Writes the header of every picture: terminal, output, title (may have several lines), grid and the
  /// labels of both axes. Panels are stacked in columns, row by row.
  void beginPicture(std::string_view title, std::string_view abscissa, std::string_view ordinate,
                    int panels = 1, int columns = 1);

  /// Sets equal scales in dots per unit for both axes of a panel (numbered from 0 at the top): fixes the
  /// ranges of the axes and the position of the panel. The option `size ratio -1` of gnuplot is off by a
  /// tenth with these fonts.
  void setEqualScales(const Extent& across, const Extent& up, int panel = 0, int panels = 1);
  /// Lets gnuplot scale each axis of the following panels separately.
  void setSeparateScales(int panels = 1);

  /// Draws the picture and renames it. Throws PlotError if gnuplot is missing or reports an error, and
  /// std::runtime_error if the disk is full.
  void finishPicture();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  std::filesystem::path picture_;
  std::filesystem::path drawn_;  ///< temporary name of the picture
  struct Buffer {
    char* text{nullptr};
    std::size_t size{0};
    ~Buffer() { std::free(text); }
  };
  Buffer commands_;  ///< memory behind `input_`, which grows with the input
  File input_;       ///< input of gnuplot
};

/// Colours of the curves, repeated cyclically.
const char* curveColour(std::size_t curve) noexcept;

}  // namespace ricochet
