#include "io/app/plot/gnuplot.hpp"

#include "io/app/plot/plot.hpp"
#include "io/app/plot/plot_thinning.hpp"
#include "io/result/result_file.hpp"
#include "io/result/target.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace ricochet {
namespace {

constexpr const char* kMissing = "gnuplot cannot be started; install the package gnuplot-nox";

bool isVectorFormat(const std::filesystem::path& picture) {
  if (picture.extension() == ".svg") return true;
  if (picture.extension() == ".png") return false;
  throw PlotError(fmt::format("{}: the picture must be .svg or .png", picture.string()));
}

int panelRowCount(int panels, int columns) { return (panels + columns - 1) / columns; }

struct Pixels {
  int width, height;
};

Pixels pictureSizeInPixels(bool vector, int panels) {
  constexpr int kPanel = 250;  // height of each of several panels [dots]
  const int height = panels == 1 ? 450 : panels * kPanel;
  return vector ? Pixels{800, height} : Pixels{1200, height * 3 / 2};
}

std::string gnuplotTerminal(const std::filesystem::path& picture, int panels) {
  const bool vector = isVectorFormat(picture);
  const Pixels size = pictureSizeInPixels(vector, panels);
  return fmt::format("{} size {},{} font 'sans,{}'{}", vector ? "svg" : "pngcairo", size.width, size.height,
                     vector ? 13 : 15, vector ? " background '#ffffff'" : "");
}

/// The lines of a title as an expression of gnuplot, whose single-quoted strings cannot contain a line end.
std::string titleAsGnuplotExpression(std::string_view text) {
  std::string expression;
  while (true) {
    const std::size_t end = text.find('\n');
    expression += gnuplotString(text.substr(0, end));
    if (end == std::string_view::npos) return expression;
    expression += ".\"\\n\".";
    text.remove_prefix(end + 1);
  }
}

/// Runs gnuplot in a folder with these files as its streams; returns its status, or empty if gnuplot is
/// missing.
std::optional<int> runGnuplot(const std::filesystem::path& folder, int input, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  std::string name = "gnuplot";
  std::array<char*, 2> arguments{name.data(), nullptr};
  pid_t process = -1;
  const int started = posix_spawnp(&process, name.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (started != 0 || ::waitpid(process, &status, 0) != process) return std::nullopt;
  return status;
}

/// True if a picture ends with the end mark of its format; without the mark the disk was full.
bool isPictureComplete(const std::filesystem::path& picture, bool vector) {
  std::ifstream stream(picture, std::ios::binary | std::ios::ate);
  constexpr std::streamoff kTail = 64;
  const std::streamoff size = stream.tellg();
  if (size <= 0) return false;
  stream.seekg(std::max<std::streamoff>(0, size - kTail));
  std::string tail(static_cast<std::size_t>(std::min(size, kTail)), '\0');
  stream.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  return tail.find(vector ? "</svg>" : "IEND") != std::string::npos;
}

/// Creates an empty file with a unique name in the folder of a picture. gnuplot gets this name without the
/// folder: it executes names that begin with `|` as commands, and a line end would end the command.
std::filesystem::path createTemporaryPicture(const std::filesystem::path& picture) {
  std::string name = (folderOf(picture) / ".ricochet-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) throw PlotError(fmt::format("{}: {}", picture.string(), std::strerror(errno)));
  const mode_t mask = ::umask(0);  // the picture gets the access rights of an ordinary new file
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
  ::close(file);
  return name;
}

/// The line of the error output that states the error: gnuplot first repeats the command, marks the position
/// and names the line.
std::string gnuplotErrorLine(std::FILE* errors) {
  std::rewind(errors);
  std::string said;
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), errors) != nullptr) {
    std::string text(line.data());
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    if (text.find_first_not_of(" ^") != std::string::npos) said = text;
  }
  return said;
}

}  // namespace

std::string gnuplotString(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    if (c != '\n') out += c;
  }
  return out + "'";
}

void requireGnuplot() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const std::optional<int> status = runGnuplot(".", nothing, nothing);
  ::close(nothing);
  if (status != 0) throw PlotError(kMissing);
}

Gnuplot::Gnuplot(const std::filesystem::path& picture) : picture_(picture) {
  isVectorFormat(picture);
  requireCreatableFile(picture);
  drawn_ = createTemporaryPicture(picture);
  input_.reset(::open_memstream(&commands_.text, &commands_.size));
  if (!input_) throw std::bad_alloc();
}

Gnuplot::~Gnuplot() {
  std::error_code ignored;
  std::filesystem::remove(drawn_, ignored);
}

void Gnuplot::finishPicture() {
  fmt::print(inputStream(), "unset multiplot\n");
  input_.reset();
  // files instead of pipes: a pipe breaks if gnuplot ends early
  const File commands(std::tmpfile()), errors(std::tmpfile());
  if (!commands || !errors ||
      std::fwrite(commands_.text, 1, commands_.size, commands.get()) != commands_.size ||
      std::fflush(commands.get()) != 0)
    throw std::runtime_error("a temporary file cannot be written: is the disk full?");
  ::lseek(::fileno(commands.get()), 0, SEEK_SET);
  const std::optional<int> status =
      runGnuplot(folderOf(picture_), ::fileno(commands.get()), ::fileno(errors.get()));
  if (!status) throw PlotError(kMissing);
  if (status != 0) {
    const std::string complaint = gnuplotErrorLine(errors.get());
    throw PlotError(
        fmt::format("{}: gnuplot failed{}{}", picture_.string(), complaint.empty() ? "" : ": ", complaint));
  }
  if (!isPictureComplete(drawn_, isVectorFormat(picture_)))
    throw std::runtime_error(
        fmt::format("{}: the picture could not be written whole: is the disk full?", picture_.string()));
  std::error_code error;
  std::filesystem::rename(drawn_, picture_, error);
  if (error) throw PlotError(fmt::format("{}: {}", picture_.string(), error.message()));
}

void Gnuplot::setEqualScales(const Extent& across, const Extent& up, int panel, int panels) {
  const bool vector = isVectorFormat(picture_);
  const Pixels pixels = pictureSizeInPixels(vector, panels);
  // margins of an .svg; a .png and its letters are larger by a factor of 1.5
  const double unit = vector ? 1.0 : 1.5;
  const double left = 110.0 * unit, right = 25.0 * unit, bottom = (panels > 1 ? 85.0 : 115.0) * unit;
  const double title = 35.0 * unit, gap = (panels > 1 ? 12.0 : 25.0) * unit;  // the key is placed in the gap
  const double width = pixels.width, height = pixels.height;
  const double panelHeight = (height - title) / panels;
  const double roomAcross = width - left - right, roomUp = panelHeight - gap - bottom;

  // smallest half range of an axis relative to the other range, so that the numbers of the axis fit
  constexpr double kHalf = 0.55, kLeast = 0.125;
  double halfAcross = std::max(kHalf * across.span(), kLeast * up.span());
  double halfUp = std::max(kHalf * up.span(), kLeast * across.span());
  const double x = across.low + 0.5 * across.span(), y = up.low + 0.5 * up.span();
  if (!(halfAcross > 0.0)) {  // all points coincide
    const double size = std::max(std::abs(x), std::abs(y));
    halfAcross = halfUp = size > 0.0 ? 0.1 * size : 1.0;
  }
  const double scale = std::min(roomAcross / halfAcross, roomUp / halfUp) / 2.0;
  const double middleAcross = left + 0.5 * roomAcross;
  const double middleUp = height - title - panel * panelHeight - gap - 0.5 * roomUp;
  fmt::print(inputStream(), "set xrange [{:.15g}:{:.15g}]\nset yrange [{:.15g}:{:.15g}]\n", x - halfAcross,
             x + halfAcross, y - halfUp, y + halfUp);
  const auto margin = [&](char side, double dots, double all) {
    fmt::print(inputStream(), "set {}margin at screen {:.9f}\n", side, dots / all);
  };
  margin('l', middleAcross - scale * halfAcross, width);
  margin('r', middleAcross + scale * halfAcross, width);
  margin('b', middleUp - scale * halfUp, height);
  margin('t', middleUp + scale * halfUp, height);
  fmt::print(inputStream(), "set xtics rotate by -45\n");
}

void Gnuplot::setSeparateScales(int panels) {
  fmt::print(inputStream(), "set autoscale xy\nset {}\nunset rmargin\nunset tmargin\nunset bmargin\n",
             panels > 1 ? "lmargin 12" : "lmargin -1");
  fmt::print(inputStream(), "set xtics norotate\n");
}

const char* curveColour(std::size_t curve) noexcept {
  constexpr std::array<const char*, 6> colours{"#0b6fa4", "#d1495b", "#2e8b57",
                                               "#8e5ea2", "#e08e0b", "#444444"};
  return colours[curve % colours.size()];
}

bool Gnuplot::isRasterPicture() const { return !isVectorFormat(picture_); }

Gnuplot::Size Gnuplot::panelSize(int panels, int columns) const {
  const int rows = panelRowCount(panels, columns);
  const Pixels size = pictureSizeInPixels(isVectorFormat(picture_), rows);
  return {static_cast<double>(size.width) / columns, static_cast<double>(size.height) / rows};
}

void Gnuplot::beginPicture(std::string_view title, std::string_view abscissa, std::string_view ordinate,
                           int panels, int columns) {
  std::FILE* out = inputStream();
  const int rows = panelRowCount(panels, columns);
  fmt::print(out, "set terminal {}\nset output {}\n", gnuplotTerminal(picture_, rows),
             gnuplotString("./" + drawn_.filename().string()));
  fmt::print(out, "set grid lc rgb '#dddddd'\nset border 3 lc rgb '#555555'\nset tics nomirror\n");
  // The common title of all panels is above the key, also for a single panel.
  fmt::print(out, "set multiplot layout {},{} title {} noenhanced\n", rows, columns,
             titleAsGnuplotExpression(title));
  fmt::print(out, "set xlabel {} noenhanced\nset ylabel {} noenhanced\n", gnuplotString(abscissa),
             gnuplotString(ordinate));
  fmt::print(out, "set key outside top center horizontal noenhanced\n");
}

}  // namespace ricochet
