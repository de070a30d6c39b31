// Impacts by restitution: the closed form of a free mass, in every scheme that supports the law; the closing
// speed, an internal variable of the law, against that of an oscillator; restarts during an impact.

#include "engine/contact/laws/flores.hpp"

#include "engine/study/run_transient.hpp"
#include "engine/study/supports.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/models.hpp"
#include "verification/support/program.hpp"
#include "verification/support/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace ricochet {
namespace {

constexpr double kMass = 0.5, kSpring = 1e8;  // mass [kg] and stiffness [N/m^1.5]

Flores law(double restitution, bool lankaraniNikravesh = false) {
  return {.stiffness = kSpring,
          .exponent = 1.5,
          .restitution = restitution,
          .lankaraniNikravesh = lankaraniNikravesh};
}
double hysteresisFactorOf(const Flores& law) {
  const double c = law.restitution;
  return law.lankaraniNikravesh ? 3.0 * (1.0 - c * c) / 4.0 : 8.0 * (1.0 - c) / (5.0 * c);
}

/// m v dv = -k d^n (1 + chi v/v_0) dd from v_0 to -e v_0 with equal depths: chi (1 + e) = ln((1 + chi)/(1 -
/// chi e)). The right side is smaller for small e and grows faster.
double reboundOf(double chi) {
  double low = 0.0, high = std::min(1.0, 1.0 / chi);
  for (int i = 0; i < 100; ++i) {
    const double e = 0.5 * (low + high);
    (std::log((1.0 + chi) / (1.0 - chi * e)) < chi * (1.0 + e) ? low : high) = e;
  }
  return low;
}
/// The same integral to v = 0: k d^(n+1)/(n+1) = m v_0^2 (chi - ln(1 + chi))/chi^2.
double largestPenetrationOf(double chi, double speed) {
  const double work = kMass * speed * speed * (chi - std::log1p(chi)) / (chi * chi);
  return std::pow(2.5 * work / kSpring, 0.4);
}

/// A mass on a spring of this circular frequency that strikes a plane 1 mm from the position without spring
/// force.
test::ModelParts massThrownAtPlane(const Flores& law, double circular = 0.0) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Constant(1, circular * circular), Matrix::Zero(1, 1), true);
  Contact contact = test::contactOf(1, Plane{}, law);
  contact.rows(0, 0) = 1.0 / std::sqrt(kMass);
  contact.offset[0] = 1e-3;
  parts.contacts.push_back(contact);
  return parts;
}

struct Outcome {
  double rate, approach, deepest;
  Report report;
};
Outcome thrownAt(double speed, const test::ModelParts& parts, std::string_view scheme, double end,
                 double step) {
  const ModalModel model = parts.build();
  ModalEquation equation(model);
  State state(1);
  state.v[0] = -speed * std::sqrt(kMass);
  test::Recorder recorder;
  TransientOptions options{.end = end, .step = step, .archiveEvery = 1};
  options.scheme.relativeTolerance = 1e-11;
  const Report report = run(scheme, equation, state, options, recorder);
  Outcome found{state.v[0] / std::sqrt(kMass), equation.contacts().state(0).approach, 0.0, report};
  for (const auto& row : recorder.rows) found.deepest = std::max(found.deepest, -row.contacts[0].gap);
  return found;
}

TEST(Flores, IsThePublishedForce) {
  // d = 4 mm: d^1.5 = 2.5298e-4; chi = 1.6 and 0.5625 for c_r = 1/2
  const double spring = kSpring * 4e-3 * std::sqrt(4e-3);
  for (const auto& [own, chi] : {std::pair(law(0.5), 1.6), std::pair(law(0.5, true), 0.5625)})
    for (const double rate : {-3.0, -1.0, 0.0, 0.5}) {
      const NormalKinematics<double> k{.gap = -4e-3, .gapRate = rate, .approach = 2.0};
      EXPECT_NEAR(own.force<double>(NormalState::closed, k), spring * (1.0 - chi * rate / 2.0),
                  1e-12 * spring);
    }
  const NormalKinematics<double> resting{.gap = -4e-3, .gapRate = -1.0};
  EXPECT_DOUBLE_EQ(law(0.5).force<double>(NormalState::closed, resting), spring) << "closed at no speed";
  const NormalKinematics<double> leaving{.gap = -4e-3, .gapRate = 2.0 / 1.6 + 1e-9, .approach = 2.0};
  EXPECT_EQ(nextStateOfNormalLaw(law(0.5), NormalState::closed, leaving), NormalState::released)
      << "it never pulls";
}

TEST(Flores, ReboundsByTheClosedFormAtAnySpeed) {
  for (const bool lankaraniNikravesh : {false, true})
    for (const double restitution : {0.3, 0.7, 0.95})
      for (const double speed : {0.05, 1.0, 8.0}) {
        SCOPED_TRACE(fmt::format("{} {} {}", lankaraniNikravesh, restitution, speed));
        const Flores own = law(restitution, lankaraniNikravesh);
        const double e = reboundOf(hysteresisFactorOf(own));
        const Outcome found = thrownAt(speed, massThrownAtPlane(own), "event", 6e-3 / speed + 2e-3, 1.0);
        ASSERT_EQ(found.report.status, RunStatus::complete);
        EXPECT_NEAR(found.rate, e * speed, 1e-8 * speed);
        EXPECT_LT(found.report.energyError, 1e-9);
      }
}

/// The error is of second order in h, or of first order for schemes of first order; an embedded pair keeps
/// its tolerance.
TEST(Flores, ConvergesToTheClosedFormInEverySchemeThatFollowsIt) {
  const Flores own = law(0.6);
  const double e = reboundOf(hysteresisFactorOf(own)),
               deepest = largestPenetrationOf(hysteresisFactorOf(own), 1.0);
  std::size_t followed = 0;
  Schemes::forEach([&]<class S>() {
    SCOPED_TRACE(S::keyword);
    const test::ModelParts parts = massThrownAtPlane(own);
    if (!isContactSupported(S::traits, parts.contacts[0])) return;
    ++followed;
    const auto errorAt = [&](int steps) {
      const Outcome found = thrownAt(1.0, parts, S::keyword, 4e-3, 4e-3 / (steps + 0.37));
      EXPECT_NEAR(found.deepest, deepest, 0.02 * deepest);
      return std::abs(found.rate - e);
    };
    const double coarse = errorAt(1000), fine = errorAt(4000);
    // adaptive_central resolves periods, but does not control errors.
    EXPECT_LT(fine, S::traits.order == 1 ? 1e-2 : S::keyword == AdaptiveCentral::keyword ? 2e-3 : 1e-4);
    if (!S::traits.adaptive) {
      EXPECT_LT(fine, coarse / (S::traits.order == 1 ? 2.5 : 10.0));
    }
  });
  EXPECT_EQ(followed, Schemes::kSize);
}

/// v^2 = v_0^2 - (w gap)^2 = 1 - 0.64 where the spring is stretched by the gap: 0.6 m/s, after a deceleration
/// of 640 m/s^2.
TEST(Flores, RemembersHowFastItsContactClosed) {
  constexpr double kCircular = 800.0;
  const double meets = std::asin(0.8) / kCircular;
  Schemes::forEach([&]<class S>() {
    SCOPED_TRACE(S::keyword);
    const test::ModelParts parts = massThrownAtPlane(law(0.6), kCircular);
    if (!isContactSupported(S::traits, parts.contacts[0])) return;
    // Time to the closing, at the same fraction of a step for each number.
    const auto errorAt = [&](int steps) {
      return std::abs(thrownAt(1.0, parts, S::keyword, meets + 4e-5, meets / (steps + 0.4)).approach - 0.6);
    };
    const double coarse = errorAt(60), fine = errorAt(240);
    EXPECT_LT(fine, S::traits.order == 1 ? 5e-3 : S::traits.adaptive ? 5e-4 : 2e-5);
    if (!S::traits.adaptive) {
      EXPECT_LT(fine, coarse / (S::traits.order == 1 ? 2.0 : 8.0));
    }
  });
}

/// A deck of the same motion, in one run and in two runs of which the second begins during the impact.
std::string deckOf(std::string_view scheme, double duration, const std::string& initial) {
  return fmt::format(
      "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 0.5\n"
      "[[springs]]\nnodes = [\"ball\"]\nstiffness = [2000, 0, 0]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n{}"
      "[[contacts]]\nname = \"wall\"\nnode = \"ball\"\n"
      "obstacle = {{ type = \"plane\", normal = [1, 0, 0], gap = 1.0e-3 }}\n"
      "normal = {{ law = \"flores\", stiffness = 1.0e8, restitution = 0.6, damping = \"lankarani_nikravesh\" "
      "}}\n"
      "[transient]\nduration = {:.17g}\nscheme = \"{}\"\nstep = {:.17g}\n[direct]\nscheme = \"newmark\"\n",
      initial, duration, scheme, 1.0 / (1 << 19));
}

TEST(Flores, GoesOnWithinAnImpactFromARestart) {
  constexpr double kHalf = 1.0 / 512.0;  // the contact is closed from 1.0 to about 2.7 ms
  const std::string thrownDeck = "[initial]\nvelocity = [{ node = \"ball\", value = [-1, 0, 0] }]\n";
  for (const auto& [scheme, mode] :
       {std::pair("kick_drift", "modal"), std::pair("rk54", "modal"), std::pair("event", "modal"),
        std::pair("moreau", "modal"), std::pair("kick_drift", "direct")}) {
    SCOPED_TRACE(fmt::format("{} {}", scheme, mode));
    const test::ScratchFolder folder;
    folder.write("whole.toml", deckOf(scheme, 2.0 * kHalf, thrownDeck));
    folder.write("first.toml", deckOf(scheme, kHalf, thrownDeck));
    folder.write("second.toml", deckOf(scheme, kHalf, "[initial]\nrestart = \"first.h5\"\n"));
    for (const char* name : {"whole", "first", "second"}) {
      const test::CommandOutcome outcome =
          folder.ricochet(fmt::format("run {}.toml -q --mode {}", name, mode));
      ASSERT_EQ(outcome.status, 0) << name << ": " << outcome.output;
    }
    const auto velocityOf =
        [&folder,
         group = std::string(std::string_view(mode) == "direct" ? "/direct" : "")](const char* file) {
          return H5File::open(folder.path() / file).readRows(group + "/restart/velocity", 0, 1).values[0];
        };
    const double whole = velocityOf("whole.h5");
    EXPECT_LT(velocityOf("first.h5"), 0.9 * std::abs(whole)) << "it ends within the impact";
    EXPECT_GT(whole, 0.4 * std::sqrt(0.5)) << "and the whole run after it";
    const bool controls = std::string_view(scheme) == "rk54";  // 1e-8 a step, and other steps
    EXPECT_NEAR(velocityOf("second.h5"), whole, (controls ? 1e-6 : 1e-11) * whole);
  }
}

/// An archived row does not contain the closing speed of an impact that has not ended.
TEST(Flores, DoesNotGoOnFromARowWithinAnImpact) {
  constexpr double kDuration = 1.0 / 512.0, kWithin = 768.0 / (1 << 19);
  const test::ScratchFolder folder;
  folder.write("first.toml", deckOf("kick_drift", kDuration,
                                    "[initial]\nvelocity = [{ node = \"ball\", value = [-1, 0, 0] }]\n"));
  folder.write("second.toml",
               deckOf("kick_drift", kDuration,
                      fmt::format("[initial]\nrestart = \"first.h5\"\nrestart_time = {:.17g}\n", kWithin)));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  const test::CommandOutcome outcome = folder.ricochet("run second.toml -q");
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("the closing speed of an impact"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace ricochet
