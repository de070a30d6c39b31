// Errors of a study that C++ fills in: `run` names the part and its remedy, and runs nothing.

#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Two masses in a row, the second before a stop.
Study soundStudy() {
  Study study;
  const NodeIndex a = study.addNode("a"), b = study.addNode("b", {1.0, 0.0, 0.0});
  study.addMass({a, b}, 1.0);
  study.addSpring(a, {100.0, 0.0, 0.0});
  study.addSpring(a, b, {50.0, 0.0, 0.0});
  study.fix({a, b}, {Component::uy, Component::uz});
  study.initialDisplacement.push_back({a, {0.1}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = b;
  stop.frame = contactFrame(Vec3::UnitX());
  stop.obstacle = Plane{};
  stop.origin = Vec3(0.95, 0.0, 0.0);
  stop.normal = LinearPenalty{.stiffness = 1.0e4};
  study.contacts.push_back(stop);
  study.transient.emplace().duration = 1.0;
  return study;
}

NodalLoad loadOn(int node, const std::array<double, kComponents>& components) {
  NodalLoad load;
  load.node = NodeIndex{node};
  load.components = components;
  return load;
}

NodalLoad loadOfTable(TimeFunction::Outside outside) {
  NodalLoad load = loadOn(0, {1.0});
  const std::array<double, 2> times{0.0, 0.5}, values{0.0, 1.0};
  load.scale = TimeFunction::table(times, values, outside, outside);
  return load;
}

struct BadStudy {
  const char* path;     ///< path of the problem
  const char* problem;  ///< part of its text
  std::function<void(Study&, RunChoice&)> spoil;
};

std::vector<BadStudy> directSchemes() {
  std::vector<BadStudy> all;
  for (const char* scheme : {"foo", "", "event", "kick_drift", "rk54", "moreau"})
    all.push_back({"direct.scheme", "newmark", [scheme](Study& s, RunChoice& c) {
                     c.direct = true;
                     s.direct.scheme = scheme;
                   }});
  return all;
}

std::vector<BadStudy> badParts() {
  return {
      {"structure.elements[4]", "node 7", [](Study& s, RunChoice&) { s.addMass({NodeIndex{7}}, 1.0); }},
      {"structure.elements[4]", "node 9",
       [](Study& s, RunChoice&) {
         s.addSpring(NodeIndex{0}, NodeIndex{9}, {1.0, 0.0, 0.0});
       }},
      {"structure.positions", "2 nodes", [](Study& s, RunChoice&) { s.structure.positions.pop_back(); }},
      {"structure.fixed[4]", "node 5", [](Study& s, RunChoice&) { s.fix({NodeIndex{5}}, {Component::ux}); }},
      {"loads[0]", "node 8", [](Study& s, RunChoice&) { s.loads.push_back(loadOn(8, {1.0})); }},
      {"loads[0]", "has no rx",
       [](Study& s, RunChoice&) {
         s.loads.push_back(loadOn(0, {0.0, 0.0, 0.0, 1.0}));
       }},
      {"loads[0].scale", "ends inside the run",
       [](Study& s, RunChoice&) { s.loads.push_back(loadOfTable(TimeFunction::Outside::undefined)); }},
      {"initial.velocity[0]", "node 11",
       [](Study& s, RunChoice&) {
         s.initialVelocity.push_back({NodeIndex{11}, {1.0}});
       }},
      {"contacts.stop", "node 12", [](Study& s, RunChoice&) { s.contacts[0].first = NodeIndex{12}; }},
      {"contacts.stop", "itself", [](Study& s, RunChoice&) { s.contacts[0].second = NodeIndex{1}; }},
  };
}

std::vector<BadStudy> badBodies() {
  return {
      {"contacts.stop.frame", "unit vectors",
       [](Study& s, RunChoice&) { s.contacts[0].frame = Mat3::Zero(); }},
      {"contacts.stop.frame", "unit vectors", [](Study& s, RunChoice&) { s.contacts[0].frame *= 2.0; }},
      {"contacts.stop", "name of two",
       [](Study& s, RunChoice&) { s.contacts.push_back(ContactRequest(s.contacts[0])); }},
      {"contacts.stop.friction.static", "at least 0",
       [](Study& s, RunChoice&) {
         s.contacts[0].friction.law = Coulomb{.muStatic = -0.3, .muDynamic = 0.2};
       }},
      {"contacts.stop.friction.static", "at least the dynamic coefficient 0.3, got 0.2",
       [](Study& s, RunChoice&) {
         s.contacts[0].friction.law = RegularisedCoulomb{0.2, 0.3, 1.0e6, 0.0};
       }},
      {"contacts.stop.normal.stiffness", "above 0 N/m",
       [](Study& s, RunChoice&) { s.contacts[0].normal = LinearPenalty{.stiffness = -1.0e4}; }},
      {"contacts.stop.normal.restitution", "at most 1",
       [](Study& s, RunChoice&) { s.contacts[0].normal = Rigid{1.5}; }},
      {"contacts.stop.normal", "NoObstacle",
       [](Study& s, RunChoice&) { s.contacts[0].normal = ImposedForce{}; }},
      {"contacts.stop.normal", "ImposedForce",
       [](Study& s, RunChoice&) { s.contacts[0].obstacle = NoObstacle{}; }},
  };
}

std::vector<BadStudy> badRuns() {
  return {
      {"transient", "missing", [](Study& s, RunChoice&) { s.transient.reset(); }},
      {"transient.start", "finite", [](Study& s, RunChoice&) { s.transient->start = kNoNumber; }},
      {"transient.duration", "positive", [](Study& s, RunChoice&) { s.transient->duration = 0.0; }},
      {"transient.duration", "finite", [](Study& s, RunChoice&) { s.transient->duration = kEndless; }},
      {"transient.step", "above 0", [](Study& s, RunChoice&) { s.transient->step = 0.0; }},
      {"transient.step", "above 0", [](Study& s, RunChoice&) { s.transient->step = -1.0; }},
      {"transient.step", "tell its", [](Study& s, RunChoice&) { s.transient->step = 1e-300; }},
      {"transient.beta", "at least 0", [](Study& s, RunChoice&) { s.transient->options.beta = -1.0; }},
      {"basis.modes", "at least 1", [](Study& s, RunChoice&) { s.basis.selection = {.modes = 0}; }},
      {"basis.rayleigh.mass", "at least 0",
       [](Study& s, RunChoice&) {
         s.basis.rayleigh = {-1.0, 0.0};
       }},
      {"archiveEvery", "at least 1", [](Study&, RunChoice& c) { c.archiveEvery = 0; }},
      {"archiveTimes[1]", "must increase",
       [](Study&, RunChoice& c) {
         c.archiveTimes = {0.5, 0.2};
       }},
      {"archiveTimes[0]", "outside the run",
       [](Study&, RunChoice& c) {
         c.archiveTimes = {-1.0, 0.5};
       }},
      {"archiveTimes[1]", "outside the run",
       [](Study&, RunChoice& c) {
         c.archiveTimes = {0.1, kNoNumber, 0.5};
       }},
  };
}

void expectRefused(const BadStudy& bad) {
  Study study = soundStudy();
  RunChoice choice;
  bad.spoil(study, choice);
  try {
    run(study, choice);
    ADD_FAILURE() << bad.path << " " << bad.problem << ": no error";
  } catch (const StudyError& error) {
    ASSERT_EQ(error.problems().size(), 1U) << error.what();
    EXPECT_EQ(error.problems()[0].path, bad.path);
    EXPECT_NE(error.problems()[0].problem.find(bad.problem), std::string::npos) << error.what();
  }
}

TEST(StudyChecks, NameWhatCannotBeRun) {
  for (const auto& list : {directSchemes(), badParts(), badBodies(), badRuns()})
    for (const BadStudy& bad : list) expectRefused(bad);
}

TEST(StudyChecks, LetASoundStudyRun) {
  Study study = soundStudy();
  study.loads.push_back(loadOfTable(TimeFunction::Outside::constant));
  RunChoice choice;
  choice.archiveTimes = {0.25, 0.5, 1.0 + 2e-16};  // the end of the run within rounding
  const Result result = run(study, choice);
  EXPECT_EQ(result.report().status, RunStatus::complete);
  EXPECT_EQ(result.time(), (std::vector<double>{0.25, 0.5, 1.0}));
}

TEST(StudyChecks, RefuseTablesOfTimeThatGoBack) {
  const std::array<double, 2> back{0.5, 0.2}, one{1.0, 2.0};
  constexpr auto kOutside = TimeFunction::Outside::constant;
  EXPECT_THROW(TimeFunction::steps({}), std::invalid_argument);
  EXPECT_THROW(TimeFunction::steps({{0.5, 1.0}, {0.2, 3.0}}), std::invalid_argument);
  EXPECT_THROW(TimeFunction::table(back, one, kOutside, kOutside), std::invalid_argument);
  EXPECT_THROW(TimeFunction::table(back, std::span(one).first(1), kOutside, kOutside), std::invalid_argument);
  EXPECT_THROW(TimeFunction::table({}, {}, kOutside, kOutside), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet
