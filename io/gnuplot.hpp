#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ricochet {

/// Text between single quotes of gnuplot: a quote is doubled.
std::string gnuplotString(std::string_view text);

/// Terminal for a picture, .svg or .png. Throws PlotError for any other.
std::string gnuplotTerminal(const std::filesystem::path& picture);

/// A gnuplot that reads what is written to it. Throws PlotError if it cannot be started.
class Gnuplot {
 public:
  Gnuplot();
  std::FILE* input() const noexcept { return pipe_.get(); }
  /// Waits for it; throws PlotError if it failed.
  void finish();

 private:
  struct ClosePipe {
    void operator()(std::FILE* pipe) const noexcept { pclose(pipe); }
  };
  std::unique_ptr<std::FILE, ClosePipe> pipe_;
};

/// Colours of curves, in turn.
const char* curveColour(std::size_t curve) noexcept;

/// What every picture begins with: terminal, output, title, grid and the labels of both axes.
void beginPicture(std::FILE* out, const std::filesystem::path& picture, std::string_view title,
                  std::string_view abscissa, std::string_view ordinate);

}  // namespace ricochet
