#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace ricochet::test {

struct DrawnPoint {
  double x, y;  // [dots], y downwards
};

struct DrawnCell {
  std::string colour;                                   // colour as "rgb(44,62,128)"
  double left{0.0}, right{0.0}, top{0.0}, bottom{0.0};  // [dots]
};

/// A picture of gnuplot that is read back: the lines of its curves and the numbers at its tics.
class DrawnSvg {
 public:
  explicit DrawnSvg(std::string text) : text_(std::move(text)) { readTics(); }

  /// Lines of a curve, numbered from 1, without the line of the curve in the key, which comes first.
  std::vector<std::vector<DrawnPoint>> curve(int number) const {
    const std::string part = partOf(number);
    std::vector<std::vector<DrawnPoint>> lines;
    for (std::size_t at = part.find(" d='"); at != std::string::npos; at = part.find(" d='", at + 1)) {
      const char* next = part.c_str() + at + 4;
      while (*next != '\'') {
        char* end = nullptr;
        if (*next == 'M') lines.emplace_back();
        if (*next == 'M' || *next == 'L') {
          DrawnPoint point{std::strtod(next + 1, &end), 0.0};
          point.y = std::strtod(end + 1, &end);
          lines.back().push_back(point);
          next = end;
        } else {
          ++next;
        }
      }
    }
    const bool isInKey = part.find("<text>") != std::string::npos;
    if (isInKey && !lines.empty()) lines.erase(lines.begin());  // the sample line in the key
    return lines;
  }

  /// The cells of a map without a key.
  std::vector<DrawnCell> cells() const {
    const std::string part = partOf(1);
    std::vector<DrawnCell> cells;
    for (std::size_t at = part.find("<polygon"); at != std::string::npos;
         at = part.find("<polygon", at + 1)) {
      const std::size_t colour = part.find('\'', at) + 1, points = part.find("points = '", at) + 10;
      DrawnCell& cell = cells.emplace_back();
      cell.colour = part.substr(colour, part.find('\'', colour) - colour);
      std::erase(cell.colour, ' ');
      const double far = std::numeric_limits<double>::infinity();
      cell.left = cell.top = far;
      cell.right = cell.bottom = -far;
      for (const char* next = part.c_str() + points; *next != '\'';) {
        char* end = nullptr;
        const double x = std::strtod(next, &end);
        const double y = std::strtod(end + 1, &end);
        cell.left = std::min(cell.left, x);
        cell.right = std::max(cell.right, x);
        cell.top = std::min(cell.top, y);
        cell.bottom = std::max(cell.bottom, y);
        next = end;
        while (*next == ' ') ++next;
      }
    }
    return cells;
  }

  /// Scale of an axis in dots per unit, and position of a value in the picture.
  double across(double value) const { return placeOf(xTics_, value); }
  double up(double value) const { return placeOf(yTics_, value); }
  double horizontalDotsPerUnit() const { return across(1.0) - across(0.0); }
  double verticalDotsPerUnit() const { return up(0.0) - up(1.0); }

 private:
  struct Tic {
    double value, place;
  };

  std::string partOf(int number) const {
    const std::size_t begin = text_.find("id=\"gnuplot_plot_" + std::to_string(number) + "a\"");  // panel a
    if (begin == std::string::npos) return {};
    // The next element is the border of the axes, or the scale of colours.
    return text_.substr(begin, text_.find("\n\t</g>\n<g ", begin) - begin);
  }

  /// A line of the grid is followed by the number at its end: grid lines give the position with all digits.
  void readTics() {
    const std::string grid = "class=\"gridline\"  d='M", number = "<tspan font-family=\"sans\" >";
    for (std::size_t at = text_.find(grid); at != std::string::npos; at = text_.find(grid, at + 1)) {
      char* end = nullptr;
      const double x1 = std::strtod(text_.c_str() + at + grid.size(), &end);
      const double y1 = std::strtod(end + 1, &end);
      const double x2 = std::strtod(end + 2, &end);
      const double y2 = std::strtod(end + 1, &end);
      const std::size_t label = text_.find(number, at);
      if (label == std::string::npos) return;
      const double value = std::strtod(text_.c_str() + label + number.size(), nullptr);
      if (y1 == y2) yTics_.push_back({value, y1});
      if (x1 == x2) xTics_.push_back({value, x1});
    }
  }

  static double placeOf(const std::vector<Tic>& tics, double value) {
    if (tics.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const Tic &first = tics.front(), &last = tics.back();
    return first.place + (last.place - first.place) * (value - first.value) / (last.value - first.value);
  }

  std::string text_;
  std::vector<Tic> xTics_, yTics_;
};

/// Distance of a point from the nearest of these lines [dots].
inline double distanceFrom(const std::vector<std::vector<DrawnPoint>>& lines, const DrawnPoint& point) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const std::vector<DrawnPoint>& line : lines)
    for (std::size_t i = 1; i < line.size(); ++i) {
      const double lx = line[i].x - line[i - 1].x, ly = line[i].y - line[i - 1].y;
      const double px = point.x - line[i - 1].x, py = point.y - line[i - 1].y;
      const double square = lx * lx + ly * ly;
      const double along = square > 0.0 ? std::clamp((px * lx + py * ly) / square, 0.0, 1.0) : 0.0;
      nearest = std::min(nearest, std::hypot(px - along * lx, py - along * ly));
    }
  return nearest;
}

}  // namespace ricochet::test
