#include "engine/study/parts/wear_request.hpp"
#include "io/app/manual/law_curves.hpp"
#include "io/deck/deck.hpp"

#include <fmt/core.h>

namespace ricochet {

std::vector<LawPicture> wearLawPictures(const Deck& study) {
  constexpr double kYear = 3.15576e7;  // [s]
  constexpr int kPoints = 60;
  constexpr double kYears = 6.0;
  LawPicture picture{.name = "volume",
                     .caption = "Worn volume over the time, at a constant wear power.",
                     .abscissa = "time [years]",
                     .ordinate = "worn volume [m^3]"};
  for (const double power : {0.01, 0.02, 0.04}) {
    LawCurve curve{.label = fmt::format("P = {} W", power)};
    for (int i = 0; i <= kPoints; ++i) {
      const double years = kYears * i / kPoints;
      curve.x.push_back(years);
      curve.y.push_back(std::visit([&](const auto& law) { return law.volume(power, years * kYear); },
                                   study.contacts[0].wear->law));
    }
    picture.curves.push_back(std::move(curve));
  }
  return {std::move(picture)};
}

}  // namespace ricochet
