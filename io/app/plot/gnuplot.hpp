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

/// Text between single quotes of gnuplot: a quote is doubled.
std::string gnuplotString(std::string_view text);

/// Throws PlotError if there is no gnuplot.
void requireGnuplot();

/// A picture that gnuplot draws from what is written to it. It is drawn beside its place and takes it when
/// it is whole, so that a failure leaves the picture that was there.
class Gnuplot {
 public:
  /// Throws PlotError (no .svg or .png) and TargetError (a folder that cannot be written to).
  explicit Gnuplot(const std::filesystem::path& picture);
  ~Gnuplot();
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;

  std::FILE* input() const noexcept { return input_.get(); }

  /// Width and height of a panel with its axes [dots].
  struct Size {
    double width, height;
  };
  Size panelSize(int panels = 1) const;

  /// What every picture begins with: terminal, output, title (of several lines where it has any), grid and
  /// the labels of both axes. Panels stand one above the other.
  void begin(std::string_view title, std::string_view abscissa, std::string_view ordinate, int panels = 1);

  /// Gives both axes of a panel, counted from 0 from the top, one scale in dots per unit: fixes their ranges
  /// and the place of the panel. gnuplot's own `size ratio -1` is off by a tenth with these fonts.
  void setOneScale(const Extent& across, const Extent& up, int panel = 0, int panels = 1);
  /// Each axis of the panels that follow has the scale that suits it.
  void setOwnScales(int panels = 1);

  /// Draws, and puts the picture in its place. Throws PlotError: no gnuplot, or what it complains of; and
  /// std::runtime_error when the disk is full.
  void finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  std::filesystem::path picture_;
  std::filesystem::path drawn_;  ///< its name until it is whole
  struct Buffer {
    char* text{nullptr};
    std::size_t size{0};
    ~Buffer() { std::free(text); }
  };
  Buffer commands_;  ///< behind `input_`, which grows it
  File input_;       ///< what gnuplot is to read
};

/// Colours of curves, in turn.
const char* curveColour(std::size_t curve) noexcept;

}  // namespace ricochet
