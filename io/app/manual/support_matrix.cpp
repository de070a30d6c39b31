#include "io/app/manual/support_matrix.hpp"

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/links/links.hpp"
#include "engine/study/direct.hpp"
#include "engine/study/supports.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace ricochet {
namespace {

/// A contact on a plane with a penalty spring, which every scheme supports; its node moves along all axes.
Contact penaltyContact() {
  Contact contact;
  contact.obstacle = Plane{};
  contact.normal = exampleOfType<LinearPenalty>();
  contact.rows = Mat3::Identity();
  return contact;
}

class SupportTable {
 public:
  SupportTable() : schemes_(schemeKeywords()) {
    text_ = "| |";
    for (const std::string_view scheme : schemes_) text_ += fmt::format(" {} |", scheme);
    text_ += " direct |\n|---|";
    for (std::size_t i = 0; i <= schemes_.size(); ++i) text_ += "---|";
    text_ += '\n';
  }

  void addSupportRow(std::string_view kind, std::string_view keyword, const Contact& contact) {
    beginRow(kind, keyword);
    Schemes::forEach([&]<class S>() { writeSupportCell(S::traits, contact); });
    writeSupportCell(Newmark::traits, contact);
    text_ += '\n';
  }
  void addSupportRow(std::string_view keyword, const AnyLinkLaw& law) {
    beginRow("link", keyword);
    Schemes::forEach([&]<class S>() { writeSupportCell(reasonAgainstScheme(S::traits, law)); });
    writeSupportCell(reasonAgainstScheme(Newmark::traits, law));
    text_ += '\n';
  }

  std::string text() const {
    std::string all = text_ + '\n';
    for (const auto& [why, number] : reasons_) all += fmt::format("{}: not {}\n", number, why);
    return all;
  }

 private:
  void beginRow(std::string_view kind, std::string_view keyword) {
    text_ += fmt::format("| {}{}`{}` |", kind, kind.empty() ? "" : " ", keyword);
  }
  /// Writes a cell for a contact that slips in a plane or, if the scheme does not support this, along a line.
  void writeSupportCell(const SchemeTraits& scheme, const Contact& contact) {
    Contact alongLine = contact;
    alongLine.rows.row(2).setZero();
    const bool needsLine =
        !reasonAgainstScheme(scheme, contact).empty() && isContactSupported(scheme, alongLine);
    if (needsLine)
      text_ += " along a line |";
    else
      writeSupportCell(reasonAgainstScheme(scheme, contact));
  }
  void writeSupportCell(std::string_view why) {
    if (why.empty()) {
      text_ += " yes |";
      return;
    }
    const auto found =
        std::find_if(reasons_.begin(), reasons_.end(), [&](const auto& r) { return r.first == why; });
    const std::size_t number = found != reasons_.end() ? found->second : reasons_.size() + 1;
    if (found == reasons_.end()) reasons_.emplace_back(why, number);
    text_ += fmt::format(" {} |", number);
  }

  std::vector<std::string_view> schemes_;
  std::string text_;
  std::vector<std::pair<std::string, std::size_t>> reasons_;
};

}  // namespace

std::string tableOfSchemeSupport() {
  SupportTable table;
  const auto addObstacle = [&]<class O>(const O& shape, const AnyObstacle& any) {
    Contact contact = penaltyContact();
    contact.obstacle = any;
    if (!hasGap(any)) contact.normal = ImposedForce{};
    table.addSupportRow("obstacle", shape.keyword, contact);
  };
  Obstacles::forEach([&]<class O>() { addObstacle(O{}, O{}); });
  CurvedObstacles::forEach([&]<class O>() { addObstacle(exampleOfType<O>(), Curved{exampleOfType<O>()}); });
  const auto addMotion = [&](std::string_view key, auto&& give) {
    Contact contact = penaltyContact();
    give(contact);
    table.addSupportRow("plane with", key, contact);
  };
  addMotion("surface_velocity", [](Contact& c) { c.surface.push_back({{}, {1.0, 0.0}}); });
  addMotion("surface_spin", [](Contact& c) { c.surfaceSpin.emplace_back(); });
  addMotion("carried_by", [](Contact& c) { c.drift.push_back({{}, Vec3::UnitX()}); });
  addMotion("rolling_radius", [](Contact& c) { c.rollRow = Eigen::RowVector3d::UnitX(); });
  addMotion("beam", [](Contact& c) {
    c.way =
        std::make_shared<const ContactTravelPath>(ContactTravelPath::makePathOfContactAtRest(c.rows.row(0)));
  });
  NormalLaws::forEach([&]<class L>() {
    Contact contact = penaltyContact();
    contact.normal = exampleOfType<L>();
    table.addSupportRow("normal law", L::keyword, contact);
  });
  FrictionLaws::forEach([&]<class L>() {
    Contact contact = penaltyContact();
    contact.friction = exampleOfType<L>();
    table.addSupportRow("friction law", L::keyword, contact);
  });
  LinkLaws::forEach([&]<class L>() { table.addSupportRow(L::keyword, exampleOfType<L>()); });
  return table.text();
}

}  // namespace ricochet
