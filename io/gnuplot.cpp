#include "io/gnuplot.hpp"

#include "io/plot.hpp"

#include <fmt/format.h>

#include <array>

namespace ricochet {

std::string gnuplotString(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    if (c != '\n') out += c;
  }
  return out + "'";
}

std::string gnuplotTerminal(const std::filesystem::path& picture) {
  if (picture.extension() == ".svg") return "svg size 800,450 font 'sans,13' background '#ffffff'";
  if (picture.extension() == ".png") return "pngcairo size 1200,675 font 'sans,15'";
  throw PlotError(fmt::format("{}: the picture must be .svg or .png", picture.string()));
}

Gnuplot::Gnuplot() : pipe_(popen("gnuplot", "w")) {
  if (!pipe_) throw PlotError("gnuplot cannot be started; install the package gnuplot-nox");
}

void Gnuplot::finish() {
  if (pclose(pipe_.release()) != 0)
    throw PlotError("gnuplot failed; is the package gnuplot-nox installed, and the picture's folder there?");
}

const char* curveColour(std::size_t curve) noexcept {
  constexpr std::array<const char*, 6> colours{"#0b6fa4", "#d1495b", "#2e8b57",
                                               "#8e5ea2", "#e08e0b", "#444444"};
  return colours[curve % colours.size()];
}

void beginPicture(std::FILE* out, const std::filesystem::path& picture, std::string_view title,
                  std::string_view abscissa, std::string_view ordinate) {
  fmt::print(out, "set terminal {}\nset output {}\n", gnuplotTerminal(picture),
             gnuplotString(picture.string()));
  fmt::print(out,
             "set title {} noenhanced\nset grid lc rgb '#dddddd'\nset border 3 lc rgb '#555555'\nset tics "
             "nomirror\n",
             gnuplotString(title));
  fmt::print(out, "set xlabel {} noenhanced\nset ylabel {} noenhanced\n", gnuplotString(abscissa),
             gnuplotString(ordinate));
  fmt::print(out, "set key outside bottom center horizontal noenhanced\n");
}

}  // namespace ricochet
