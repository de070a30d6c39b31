// `ricochet restore --fields beam_force`: forces of sections at the ends of beam elements.

#include "io/hdf5/hdf5.hpp"
#include "physical/elements/beam.hpp"
#include "verification/support/program.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kYoung = 2.1e11, kPoisson = 0.3, kDensity = 7800.0, kLength = 1.5;
const Material kSteel{kYoung, kPoisson, kDensity};
const SectionConstants kBar = sectionConstants(RectangleSection{0.02, 0.05}, kPoisson);
const std::string kParts =
    "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800.0\n"
    "[sections.bar]\ntype = \"rectangle\"\nheight_y = 0.02\nheight_z = 0.05\n";

/// Histories of section forces with the indices instant, element, force.
struct Forces {
  H5Array<double> values;
  double at(std::size_t instant, std::size_t element, std::size_t force) const {
    return values.values[(instant * values.shape[1] + element) * 12 + force];
  }
};

class BeamForceTest : public ::testing::Test {
 protected:
  /// Runs the deck and restores the fields.
  H5File restored(const std::string& deck, const std::string& options) const {
    folder_.write("beam.toml", deck);
    const CommandOutcome run = folder_.ricochet("run beam.toml -q -f");
    EXPECT_EQ(run.status, 0) << run.output;
    const CommandOutcome outcome = folder_.ricochet("restore beam.h5 -f " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return H5File::open(folder_.path() / "beam-restored.h5");
  }
  static Forces equivalentNodalForces(const H5File& file, const std::string& name = "force") {
    return {file.readAny("/beams/" + name)};
  }
  ScratchFolder folder_;
};

/// A clamped beam oblique to the global axes, and vectors in its local axes.
struct ObliqueBeam {
  static constexpr int kElements = 4;
  Mat3 axes = *localAxesOfBeam(Vec3(1.0, 2.0, 2.0), Vec3(Vec3::UnitZ()));

  static std::string array(const Vec3& v) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
  }

  /// At rest in a static deflection (u, v, w, rx, ry, rz in local axes), with all modes.
  std::string deck(const std::function<Vector6(double)>& deflection, const std::string& loads) const {
    std::string text =
        kParts +
        "[[nodes]]\nname = \"A\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"B\"\nposition = [0.5, 1.0, 1.0]\n"
        "[[beams]]\nname = \"b\"\nnodes = [\"A\", \"B\"]\nelements = 4\nmaterial = \"steel\"\nsection = "
        "\"bar\"\n"
        "axis_y = [0, 0, 1]\n"
        "[[supports]]\nnodes = [\"A\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
        "[basis]\nall = true\n" +
        loads + "[initial]\ndisplacement = [\n";
    for (int i = 1; i <= kElements; ++i) {
      const Vector6 local = deflection(i * kLength / kElements);
      const Vec3 u = axes.transpose() * local.head<3>(), r = axes.transpose() * local.tail<3>();
      text += fmt::format(
          "{{ node = \"b.{}\", value = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}] }},\n", i,
          u.x(), u.y(), u.z(), r.x(), r.y(), r.z());
    }
    return text + "]\n[transient]\nduration = 1e-6\nscheme = \"kick_drift\"\nstep = 5e-7\n";
  }
};

/// N = F_x, V = F, M = F (L - x), T at every section; deflections of Timoshenko's cantilever.
TEST_F(BeamForceTest, AreThoseOfACantileverUnderForcesAtItsTip) {
  const ObliqueBeam beam;
  const Vec3 force(3000.0, 20.0, -70.0);
  const double torque = 11.0;
  const double g = kSteel.shearModulus();
  const auto deflection = [&](double x) {
    const double bend = x * x * (3.0 * kLength - x) / (6.0 * kYoung),
                 turn = x * (2.0 * kLength - x) / (2.0 * kYoung);
    Vector6 u;
    u << force.x() * x / (kYoung * kBar.area), force.y() * (bend / kBar.inertiaZ + x / (g * kBar.shearAreaY)),
        force.z() * (bend / kBar.inertiaY + x / (g * kBar.shearAreaZ)), torque * x / (g * kBar.torsion),
        -force.z() * turn / kBar.inertiaY, force.y() * turn / kBar.inertiaZ;
    return u;
  };
  const Vec3 moment(torque, 0.0, 0.0);
  const std::string load =
      "[[loads]]\nnodes = [\"B\"]\nforce = " + ObliqueBeam::array(beam.axes.transpose() * force) +
      "\nmoment = " + ObliqueBeam::array(beam.axes.transpose() * moment) + "\n";
  const H5File file = restored(beam.deck(deflection, load), "--fields beam_force,beam_elastic_force");
  for (const char* name : {"force", "elastic_force"}) {
    const Forces found = equivalentNodalForces(file, name);
    ASSERT_EQ(found.values.shape, (H5Shape{3, 4, 12}));
    for (std::size_t e = 0; e < 4; ++e)
      for (std::size_t end = 0; end < 2; ++end) {
        const double left = kLength - static_cast<double>(e + end) * kLength / 4;
        const std::array<double, 6> expected{force.x(), force.y(),         force.z(),
                                             torque,    -force.z() * left, force.y() * left};
        for (std::size_t c = 0; c < 6; ++c)
          EXPECT_NEAR(found.at(0, e, 6 * end + c), expected[c], 1e-5)
              << name << " " << e << " " << end << " " << c;
      }
  }
  const std::vector<double> axes = file.readAny("/beams/axes").values;
  for (Eigen::Index i = 0; i < 9; ++i)
    EXPECT_NEAR(axes[9 + static_cast<std::size_t>(i)], beam.axes(i / 3, i % 3), 1e-15);
  EXPECT_THAT(
      file.readStrings("/beams/component"),
      testing::ElementsAre("N1", "Vy1", "Vz1", "Mx1", "My1", "Mz1", "N2", "Vy2", "Vz2", "Mx2", "My2", "Mz2"));
  EXPECT_EQ(file.readAny<std::int64_t>("/beams/number").values, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_THAT(file.readStrings("/beams/second_node"), testing::ElementsAre("b.1", "b.2", "b.3", "B"));
}

/// Under its own weight q: N = q_x (L - x), V = q (L - x), M = q (L - x)^2 / 2 at every node. Stiffness times
/// displacements gives the linear function that fits M best in each element: smaller by q h^2 / 12 at its
/// ends.
TEST_F(BeamForceTest, BalanceTheWeightWithinAnElement) {
  const ObliqueBeam beam;
  const Vec3 gravity(1.0, -3.0, -9.0);
  const Vec3 q = kDensity * kBar.area * (beam.axes * gravity);
  const double g = kSteel.shearModulus();
  const auto deflection = [&](double x) {
    const double l = kLength;
    const double bend = x * x * (6.0 * l * l - 4.0 * l * x + x * x) / (24.0 * kYoung);
    const double turn = x * (3.0 * l * l - 3.0 * l * x + x * x) / (6.0 * kYoung),
                 shear = (l * x - 0.5 * x * x) / g;
    Vector6 u;
    u << q.x() * (l * x - 0.5 * x * x) / (kYoung * kBar.area),
        q.y() * (bend / kBar.inertiaZ + shear / kBar.shearAreaY),
        q.z() * (bend / kBar.inertiaY + shear / kBar.shearAreaZ), 0.0, -q.z() * turn / kBar.inertiaY,
        q.y() * turn / kBar.inertiaZ;
    return u;
  };
  const std::string load = "[gravity]\nacceleration = " + ObliqueBeam::array(gravity) + "\n";
  const H5File file = restored(beam.deck(deflection, load), "--fields beam_force,beam_elastic_force");
  const Forces found = equivalentNodalForces(file), elastic = equivalentNodalForces(file, "elastic_force");
  const double h = kLength / 4;
  for (std::size_t e = 0; e < 4; ++e)
    for (std::size_t end = 0; end < 2; ++end) {
      const double left = kLength - static_cast<double>(e + end) * h;
      const double moment = 0.5 * left * left, less = h * h / 12.0;
      const std::array<double, 6> expected{q.x() * left, q.y() * left,    q.z() * left,
                                           0.0,          -q.z() * moment, q.y() * moment};
      for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(found.at(0, e, 6 * end + c), expected[c], 1e-5);
      EXPECT_NEAR(elastic.at(0, e, 6 * end + 4), -q.z() * (moment - less), 1e-5);
      EXPECT_NEAR(elastic.at(0, e, 6 * end + 5), q.y() * (moment - less), 1e-5);
      EXPECT_NEAR(elastic.at(0, e, 6 * end + 1), q.y() * (kLength - (static_cast<double>(e) + 0.5) * h),
                  1e-5);
    }
}

/// First bending mode of a cantilever: Mz = E Iz v'', Vy = -E Iz v''' of Bernoulli and Euler, v = cosh bx -
/// cos bx - s (sinh bx - sin bx), b L = 1.8751, relative to the deflection of the tip.
TEST_F(BeamForceTest, ConvergeInAVibratingModeAtTheirOrders) {
  const double bl = 1.8751040687119611, b = bl / kLength;
  const double s = (std::cosh(bl) + std::cos(bl)) / (std::sinh(bl) + std::sin(bl));
  const double tip = std::cosh(bl) - std::cos(bl) - s * (std::sinh(bl) - std::sin(bl));
  const auto moment = [&](double x) {
    return kYoung * kBar.inertiaZ * b * b *
           (std::cosh(b * x) + std::cos(b * x) - s * (std::sinh(b * x) + std::sin(b * x))) / tip;
  };
  const auto shear = [&](double x) {
    return -kYoung * kBar.inertiaZ * b * b * b *
           (std::sinh(b * x) - std::sin(b * x) - s * (std::cosh(b * x) + std::cos(b * x))) / tip;
  };
  struct Errors {
    double moment{0.0}, elasticMoment{0.0}, shear{0.0}, jump{0.0};
  };
  const auto errorsOf = [&](std::size_t elements) {
    const H5File file = restored(
        kParts +
            "[[nodes]]\nname = \"A\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"B\"\nposition = [1.5, 0, "
            "0]\n" +
            fmt::format(
                "[[beams]]\nname = \"b\"\nnodes = [\"A\", \"B\"]\nelements = {}\nmaterial = \"steel\"\n",
                elements) +
            "section = \"bar\"\ntheory = \"euler_bernoulli\"\n"
            "[[supports]]\nnodes = [\"A\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
            "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"uz\", \"rx\", \"ry\"]\n[basis]\nmodes = 1\n"
            "[initial]\ndisplacement = [ { node = \"B\", value = [0, 1e-3, 0] } ]\n"
            "[transient]\nduration = 1e-3\nscheme = \"event\"\n[output]\ninterval = 1e-3\n",
        "--nodes B --fields displacement,beam_force,beam_elastic_force");
    const double moved = file.readAny("/physical/displacement").values[1];
    const Forces found = equivalentNodalForces(file), elastic = equivalentNodalForces(file, "elastic_force");
    Errors errors;
    const auto keep = [&](double& largest, double value, double expected, double scale) {
      largest = std::max(largest, std::abs(value / moved - expected) / scale);
    };
    for (std::size_t e = 0; e < elements; ++e)
      for (std::size_t end = 0; end < 2; ++end) {
        const double x = static_cast<double>(e + end) * kLength / static_cast<double>(elements);
        keep(errors.moment, found.at(0, e, 6 * end + 5), moment(x), moment(0.0));
        keep(errors.elasticMoment, elastic.at(0, e, 6 * end + 5), moment(x), moment(0.0));
        keep(errors.shear, found.at(0, e, 6 * end + 1), shear(x), shear(0.0));
        if (end == 1 && e + 1 < elements)
          keep(errors.jump, found.at(0, e, 11) - found.at(0, e + 1, 5), 0.0, moment(0.0));
      }
    return errors;
  };
  const Errors coarse = errorsOf(8), fine = errorsOf(16);
  EXPECT_GT(std::log2(coarse.moment / fine.moment), 3.8);
  EXPECT_GT(std::log2(coarse.shear / fine.shear), 3.8);
  EXPECT_NEAR(std::log2(coarse.elasticMoment / fine.elasticMoment), 2.0, 0.1);
  EXPECT_LT(fine.moment, 2e-6);
  EXPECT_LT(fine.jump, 1e-8);  // one mode: K phi = w^2 M phi to the residual of the eigen solver
}

/// The force at the clamped end is the reaction of the support, for any motion and damping.
TEST_F(BeamForceTest, AreTheReactionAtASupport) {
  const std::string mesh = std::string(RICOCHET_DATA_DIR) + "/meshes/frame-41.msh";
  std::string deck =
      "[meshes.frame]\nfile = \"" + mesh + "\"\n" + kParts +
      "[[beams]]\nname = \"frame\"\nmesh = \"frame\"\nmaterial = \"steel\"\nsection = \"bar\"\naxis_y = [0, "
      "1, 0]\n"
      "[[supports]]\nnodes = \"frame.feet\"\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
      "[basis]\nmodes = 9\nrayleigh = { mass = 3.0, stiffness = 1e-5 }\n[initial]\nvelocity = [ { node = "
      "\"frame.corner\", value = [1.0, 2.0, 0.5] } ]\n"
      "[transient]\nduration = 0.02\nscheme = \"event\"\n[output]\ninterval = 0.002\n";
  const H5File file = restored(deck, "--nodes frame.feet --fields reaction,beam_force");
  EXPECT_THAT(file.readStrings("/physical/node"), testing::ElementsAre("frame.1", "frame.4"));
  const std::vector<double> reaction = file.readAny("/physical/reaction").values;
  const std::vector<std::string> first = file.readStrings("/beams/first_node");
  const auto element =
      static_cast<std::size_t>(std::find(first.begin(), first.end(), "frame.1") - first.begin());
  ASSERT_LT(element, first.size());
  const std::vector<double> axes = file.readAny("/beams/axes").values;
  const Mat3 local =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(axes.data() + 9 * element);
  const Forces found = equivalentNodalForces(file);
  double largest = 0.0;
  for (std::size_t i = 0; i < found.values.shape[0]; ++i)
    for (std::size_t part = 0; part < 2; ++part) {
      Vec3 section;
      for (std::size_t c = 0; c < 3; ++c)
        section[static_cast<Eigen::Index>(c)] = found.at(i, element, 3 * part + c);
      const Vec3 expected = Vec3::Map(reaction.data() + 12 * i + 3 * part);
      largest = std::max(largest, expected.norm());
      EXPECT_LE((-(local.transpose() * section) - expected).norm(), 1e-8 * std::max(1.0, expected.norm()));
    }
  EXPECT_GT(largest, 100.0);
}

/// One clamped end with a lateral displacement d: V = 12 E I d / ((1 + Phi) L^3), M = V L / 2; no mode moves.
TEST_F(BeamForceTest, FeelSupportsThatMove) {
  const std::string deck =
      kParts +
      "[[nodes]]\nname = \"A\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"B\"\nposition = [1.5, 0, 0]\n"
      "[[beams]]\nname = \"b\"\nnodes = [\"A\", \"B\"]\nelements = 4\nmaterial = \"steel\"\nsection = "
      "\"bar\"\n"
      "[[supports]]\nnodes = [\"A\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
      "[[supports]]\nname = \"end\"\nnodes = [\"B\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", "
      "\"rz\"]\n"
      "[functions.d]\nformula = \"0.01*t\"\n[functions.v]\nformula = \"0.01\"\n"
      "[[base_motions]]\nsupports = [\"end\"]\ndirection = [0, 1, 0]\ndisplacement = \"d\"\nvelocity = "
      "\"v\"\nacceleration = 0.0\n"
      "[basis]\nmodes = 3\n[transient]\nduration = 0.1\nscheme = \"event\"\n[output]\ninterval = 0.1\n";
  const double phi =
      12.0 * kYoung * kBar.inertiaZ / (kSteel.shearModulus() * kBar.shearAreaY * kLength * kLength);
  const double shear = 12.0 * kYoung * kBar.inertiaZ * 1e-3 / ((1.0 + phi) * std::pow(kLength, 3));
  const std::string check = fmt::format(
      "[[checks]]\nquantity = \"beam_force\"\nbeam = \"b\"\nelement = 1\ncomponent = \"Mz1\"\n"
      "time = 0.1\nreference = {:.17g}\nrelative = 1e-7\nsource = \"closed form\"\n",
      0.5 * shear * kLength);
  const Forces found =
      equivalentNodalForces(restored(deck + check, "--fields beam_force"));  // run fails if the check does
  EXPECT_NEAR(found.at(1, 3, 7), shear, 1e-7 * std::abs(shear));
  EXPECT_NEAR(found.at(1, 0, 1), shear, 1e-7 * std::abs(shear));
  EXPECT_NEAR(found.at(1, 0, 5), 0.5 * shear * kLength, 1e-7 * std::abs(shear));
  EXPECT_NEAR(found.at(1, 3, 11), -0.5 * shear * kLength, 1e-7 * std::abs(shear));
  EXPECT_NEAR(found.at(0, 0, 1), 0.0, 1e-9);
}

/// The deck in a result names its mesh relative to its own folder, whatever the current folder.
TEST_F(BeamForceTest, FindTheMeshOfTheRunAndNoOther) {
  const std::filesystem::path other = folder_.path() / "other", mesh = folder_.path() / "m.msh";
  std::filesystem::create_directory(other);
  std::filesystem::copy_file(std::string(RICOCHET_DATA_DIR) + "/meshes/frame-22.msh", mesh);
  folder_.write("beam.toml", "[meshes.m]\nfile = \"m.msh\"\n" + kParts +
                                 "[[beams]]\nname = \"b\"\nmesh = \"m\"\nmaterial = \"steel\"\nsection = "
                                 "\"bar\"\n[basis]\nmodes = 7\n[transient]\nduration = 1e-3\n");
  const auto inOther = [&](const std::string& command) {
    return test::runShell("cd '" + other.string() + "' && '" RICOCHET_PROGRAM "' " + command);
  };
  ASSERT_EQ(inOther("run ../beam.toml -q").status, 0);
  const std::string restore = "restore beam.h5 -f --fields beam_force";
  EXPECT_EQ(inOther(restore).status, 0);
  std::string text = test::readText(mesh);
  folder_.write("m.msh", text.replace(text.find("4 0 2"), 5, "5 0 2"));
  EXPECT_THAT(inOther(restore).output, HasSubstr("other nodes than those of the run"));
  std::filesystem::remove(mesh);
  const CommandOutcome gone = inOther(restore);
  EXPECT_EQ(gone.status, 2);
  EXPECT_THAT(gone.output, HasSubstr("beam.h5:deck:2:8: meshes.m.file: cannot read"));
}

/// A cantilever of Timoshenko elements with a round section, crossed by a load.
std::string crossedCantilever(const std::string& more) {
  return "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800.0\n"
         "[sections.round]\ntype = \"circle\"\nradius = 0.02\n"
         "[[nodes]]\nname = \"A\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"B\"\nposition = [0, 0, 1.2]\n"
         "[[supports]]\nnodes = [\"A\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
         "[functions.speed]\nformula = \"100*t\"\n"
         "[[beams]]\nname = \"b\"\nnodes = [\"A\", \"B\"]\nelements = 3\nmaterial = \"steel\"\nsection = "
         "\"round\"\n" +
         more +
         "[basis]\nall = true\n[transient]\nduration = 0.12\nscheme = \"event\"\n[output]\ninterval = 0.01\n";
}

/// The force beyond a free end is zero, and at a node without load the forces of both elements are equal,
/// wherever within the elements a load acts.
TEST_F(BeamForceTest, LeaveOutALoadThatTravelsWithinAnElement) {
  const H5File file =
      restored(crossedCantilever(
                   "[[loads]]\nbeam = \"b\"\nforce = [300, -500, 200]\nmoment = [3, 4, 5]\nspeed = 10.0\n"),
               "--fields beam_force,beam_elastic_force");
  const Forces found = equivalentNodalForces(file), elastic = equivalentNodalForces(file, "elastic_force");
  ASSERT_EQ(found.values.shape, (H5Shape{13, 3, 12}));
  double jump = 0.0;
  for (std::size_t i = 1; i < 12; ++i)
    for (std::size_t c = 0; c < 6; ++c) {
      const double scale = c < 3 ? 500.0 : 500.0 * 1.2;
      // The balance is accurate to the rounding of K u in the accelerations of the stiffest modes.
      EXPECT_NEAR(found.at(i, 2, 6 + c), 0.0, 1e-6 * scale) << "instant " << i << " force " << c;
      for (std::size_t e = 0; e < 2; ++e) {
        EXPECT_NEAR(found.at(i, e, 6 + c), found.at(i, e + 1, c), 1e-6 * scale)
            << "instant " << i << " node " << e + 1 << " force " << c;
        jump = std::max(jump, std::abs(elastic.at(i, e, 6 + c) - elastic.at(i, e + 1, c)) / scale);
      }
    }
  EXPECT_GT(jump, 0.1);  // K_e u alone contains the load
}

TEST_F(BeamForceTest, SayWhatTheyCannotDo) {
  folder_.write("spun.toml", crossedCantilever("spin = \"speed\"\n"));
  ASSERT_EQ(folder_.ricochet("run spun.toml -q").status, 0);
  const CommandOutcome spun = folder_.ricochet("restore spun.h5 --fields beam_force");
  EXPECT_EQ(spun.status, 2);
  EXPECT_THAT(spun.output, HasSubstr("where a spin varies"));
  EXPECT_EQ(folder_.ricochet("restore spun.h5 --fields beam_elastic_force").status, 0);
  folder_.write("still.toml", test::bouncer(0.001));
  ASSERT_EQ(folder_.ricochet("run still.toml -q").status, 0);
  const CommandOutcome none = folder_.ricochet("restore still.h5 --fields beam_force");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.output, HasSubstr("the deck has no [[beams]]"));
  const ObliqueBeam beam;
  folder_.write("beam.toml", beam.deck([](double) { return Vector6(Vector6::Zero()); }, ""));
  ASSERT_EQ(folder_.ricochet("run beam.toml -q").status, 0);
  const CommandOutcome unknown = folder_.ricochet("restore beam.h5 --fields beam_force --beams c");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("there is no beam \"c\""));
  EXPECT_EQ(folder_.ricochet("restore beam.h5 --fields beam_force --beams b").status, 0);
}

}  // namespace
}  // namespace ricochet
