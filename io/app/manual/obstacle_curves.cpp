#include "engine/study/parts/contact_request.hpp"
#include "io/app/manual/law_curves.hpp"
#include "io/deck/bare_deck.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

namespace ricochet {
namespace {

template <class O>
Touch<double> evaluateObstacle(const O& obstacle, const Local<double>& x) {
  if constexpr (requires { obstacle.gapAndNormal(x); })
    return obstacle.gapAndNormal(x);
  else
    return {obstacle.gap(x[0]), {obstacle.normalSign(x[0]), 0.0, 0.0}};
}

/// Position on a straight path at which the gap has a given level, if any: linear interpolation, then
/// Newton's method along the normal, where the gap has slope 1.
template <class O>
Local<double> positionAtGapLevel(const O& obstacle, const Local<double>& a, double ga, const Local<double>& b,
                                 double gb, double level) {
  const double part = (level - ga) / (gb - ga);
  Local<double> x{a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), 0.0};
  constexpr int kSteps = 4;
  for (int i = 0; i < kSteps; ++i) {
    const Touch<double> touch = evaluateObstacle(obstacle, x);
    for (std::size_t k = 0; k < 2; ++k) x[k] -= (touch.gap - level) * touch.normal[k];
  }
  return x;
}

/// Line of constant gap, computed piece by piece on a grid of triangles over |x1|, |x2| <= size.
template <class O>
LawCurve lineOfConstantGap(const O& obstacle, double level, double size) {
  constexpr int kCells = 60;
  LawCurve line{level == 0.0 ? "g = 0" : fmt::format("g = {} m", deckNumber(level))};
  const auto place = [size](int i, int j) {
    return Local<double>{size * (2.0 * i / kCells - 1.0), size * (2.0 * j / kCells - 1.0), 0.0};
  };
  const auto cut = [&](const std::array<Local<double>, 3>& corners) {
    std::array<double, 3> gap{};
    for (std::size_t k = 0; k < 3; ++k) gap[k] = evaluateObstacle(obstacle, corners[k]).gap;
    int found = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if ((gap[k] < level) == (gap[next] < level)) continue;
      const Local<double> x =
          positionAtGapLevel(obstacle, corners[k], gap[k], corners[next], gap[next], level);
      line.add(x[0], x[1]);
      ++found;
    }
    if (found == 0) return;
    line.add(std::nan(""), std::nan(""));
  };
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      cut({place(i, j), place(i + 1, j), place(i + 1, j + 1)});
      cut({place(i, j), place(i + 1, j + 1), place(i, j + 1)});
    }
  return line;
}

template <class O>
LawPicture pictureOfObstacleOutline(const O& obstacle) {
  LawPicture picture{.name = "gap",
                     .caption =
                         "Where the gap of the place of the node is zero, with normals, and lines of "
                         "equal gap; the node is free where it is positive.",
                     .abscissa = "x1 [m]",
                     .ordinate = "x2 [m]",
                     .equalScales = true};
  const double reach = std::abs(evaluateObstacle(obstacle, Local<double>{}).gap);
  const double size = reach > 0.0 ? 2.5 * reach : 0.025;
  const double decade = std::pow(10.0, std::floor(std::log10(0.2 * size)));
  // distance of the levels, rounded to one digit
  const double apart = decade * std::floor(0.2 * size / decade + 0.5);
  for (const double level : {0.0, apart, -apart})
    picture.curves.push_back(lineOfConstantGap(obstacle, level, size));
  const LawCurve& outline = picture.curves[0];
  constexpr std::size_t kArrows = 16;
  const std::size_t every = std::max<std::size_t>(1, outline.x.size() / kArrows);
  for (std::size_t i = 0; i < outline.x.size(); i += every) {
    const std::size_t at = std::isnan(outline.x[i]) ? i - 1 : i;
    const Touch<double> touch = evaluateObstacle(obstacle, {outline.x[at], outline.y[at], 0.0});
    picture.arrows.add(outline.x[at], outline.y[at]);
    picture.directions.add(touch.normal[0], touch.normal[1]);
  }
  return picture;
}

}  // namespace

std::vector<LawPicture> obstaclePictures(const Deck& study) {
  if (!hasGap(study.contacts[0].obstacle)) return {};
  return visitObstacleShape(study.contacts[0].obstacle, [](const auto& shape) {
    return std::vector<LawPicture>{pictureOfObstacleOutline(shape)};
  });
}

}  // namespace ricochet
