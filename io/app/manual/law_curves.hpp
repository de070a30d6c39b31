#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <vector>

namespace ricochet {

struct Deck;

/// A line of a picture; NaN interrupts the line.
struct LawCurve {
  std::string label;
  std::vector<double> x{}, y{};

  void add(double abscissa, double ordinate) {
    x.push_back(abscissa);
    y.push_back(ordinate);
  }
};

/// Data of a picture of a page, computed by the law itself.
struct LawPicture {
  std::string name;     ///< "force": short name, a part of the file name
  std::string caption;  ///< one sentence
  std::string abscissa, ordinate;
  std::vector<LawCurve> curves{};
  LawCurve arrows{};      ///< start points of unit vectors (normals of an outline) ...
  LawCurve directions{};  ///< ... and the vectors
  bool equalScales{false};
};

/// The pictures of the law on a page, computed with the law of its snippet. Empty if there is nothing to
/// draw.
std::vector<LawPicture> picturesOfLaw(const LawPage& page);

/// Normal laws: the force over the penetration, in loading and unloading at a few speeds if the law depends
/// on the speed; the force of an imposed force; the rebound of a set-valued law.
std::vector<LawPicture> normalLawPictures(const Deck& study);

/// Friction laws: the traction over a reversing slip, and over the slip speed if the law depends on the
/// speed.
std::vector<LawPicture> frictionLawPictures(const Deck& study);

/// Wear laws: the worn volume over time at several powers.
std::vector<LawPicture> wearLawPictures(const Deck& study);

/// Links: the force over a cyclic displacement.
std::vector<LawPicture> linkLawPictures(const Deck& study);

/// Obstacles: lines of equal gap in the plane of e1 and e2, with normals.
std::vector<LawPicture> obstaclePictures(const Deck& study);

}  // namespace ricochet
