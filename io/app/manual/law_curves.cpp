#include "io/app/manual/law_curves.hpp"

#include "io/app/manual/law_snippet.hpp"
#include "io/deck/deck.hpp"

namespace ricochet {

std::vector<LawPicture> picturesOfLaw(const LawPage& page) {
  if (page.kind == LawKind::scheme || page.kind == LawKind::table) return {};
  const Deck study = studyWithSnippet(deckSnippetOf(page));
  switch (page.kind) {
    case LawKind::obstacle:
      return obstaclePictures(study);
    case LawKind::normal:
      return normalLawPictures(study);
    case LawKind::friction:
      return frictionLawPictures(study);
    case LawKind::wear:
      return wearLawPictures(study);
    case LawKind::link:
      return linkLawPictures(study);
    case LawKind::scheme:
    case LawKind::table:
      break;
  }
  return {};
}

}  // namespace ricochet
