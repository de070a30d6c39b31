#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <vector>

namespace ricochet {

struct Deck;

/// A line of a picture; a nan interrupts it.
struct LawCurve {
  std::string label;
  std::vector<double> x{}, y{};

  void add(double abscissa, double ordinate) {
    x.push_back(abscissa);
    y.push_back(ordinate);
  }
};

/// What a picture of a page shows, computed by the law itself.
struct LawPicture {
  std::string name;     ///< "force": what the picture is of, a part of its file's name
  std::string caption;  ///< one sentence
  std::string abscissa, ordinate;
  std::vector<LawCurve> curves{};
  LawCurve arrows{};      ///< where unit vectors start (normals of an outline) ...
  LawCurve directions{};  ///< ... and the vectors themselves
  bool equalScales{false};
};

/// The pictures of a page: of the law that its snippet makes. Empty where there is nothing to draw.
std::vector<LawPicture> picturesOf(const LawPage& page);

/// Normal laws: the force over the penetration, pressed and released at a few speeds where these matter; of
/// an imposed force what acts; of a set-valued law the rebound.
std::vector<LawPicture> normalPictures(const Deck& study);

/// Friction laws: the traction over a slip that reverses, and over the slip speed where the law asks for it.
std::vector<LawPicture> frictionPictures(const Deck& study);

/// Wear laws: the worn volume over the time at a few powers.
std::vector<LawPicture> wearPictures(const Deck& study);

/// Links: the force over a displacement that comes and goes.
std::vector<LawPicture> linkPictures(const Deck& study);

/// Obstacles: lines of equal gap in the plane of e1 and e2, with normals.
std::vector<LawPicture> obstaclePictures(const Deck& study);

}  // namespace ricochet
