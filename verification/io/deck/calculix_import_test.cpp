// A solid assembled by CalculiX: its frequencies, and a run with impacts on a stop.

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;

/// A steel bar of quadratic bricks (C3D20), clamped at one end, as an input file.
std::string bar(const std::string& step) {
  constexpr std::array<int, 3> cells{6, 2, 2};
  constexpr std::array<double, 3> size{0.6, 0.12, 0.1};
  constexpr std::array<std::array<int, 3>, 20> corners{
      {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
       {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
       {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}}};
  std::map<std::array<int, 3>, int> nodes;
  std::string elements, root;
  int count = 0;
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        elements += fmt::format("{}", ++count);
        for (std::size_t n = 0; n < corners.size(); ++n) {
          const auto& c = corners[n];
          const std::array<int, 3> at{2 * i + c[0], 2 * j + c[1], 2 * k + c[2]};
          const int id = nodes.try_emplace(at, static_cast<int>(nodes.size()) + 1).first->second;
          elements += fmt::format(",{}{}", n == 10 ? "\n" : " ", id);
        }
        elements += "\n";
      }
  std::string text = "*NODE, NSET=ALL\n";
  for (const auto& [at, id] : nodes) {
    text += fmt::format("{}, {}, {}, {}\n", id, at[0] * size[0] / (2 * cells[0]),
                        at[1] * size[1] / (2 * cells[1]), at[2] * size[2] / (2 * cells[2]));
    if (at[0] == 0) root += fmt::format("{},\n", id);
  }
  return text + "*ELEMENT, TYPE=C3D20, ELSET=E\n" + elements + "*NSET, NSET=ROOT\n" + root +
         "*BOUNDARY\nROOT, 1, 3\n*MATERIAL, NAME=S\n*ELASTIC\n2.1E11, 0.3\n*DENSITY\n7800.\n"
         "*SOLID SECTION, ELSET=E, MATERIAL=S\n*STEP\n" +
         step + "\n20\n*END STEP\n";
}

/// Circular frequencies of the table printed by CalculiX, seven digits.
std::vector<double> printed(const std::filesystem::path& file) {
  std::vector<double> omega;
  std::ifstream stream(file);
  std::string line;
  bool inside = false;
  while (std::getline(stream, line)) {
    if (line.find("E I G E N V A L U E") != std::string::npos) inside = true;
    if (line.find("P A R T I C I P A T I O N") != std::string::npos) break;
    std::istringstream fields(line);
    int mode = 0;
    double eigenvalue = 0.0, value = 0.0;
    if (inside && fields >> mode >> eigenvalue >> value) omega.push_back(value);
  }
  return omega;
}

TEST(CalculixImport, HasTheFrequenciesThatCalculixFinds) {
  if (test::runShell("command -v ccx").status != 0) GTEST_SKIP() << "no ccx (calculix-ccx)";
  const ScratchFolder folder;
  folder.write("matrices.inp", bar("*FREQUENCY, SOLVER=MATRIXSTORAGE"));
  folder.write("modes.inp", bar("*FREQUENCY"));
  const CommandOutcome run =
      test::runShell("cd '" + folder.path().string() + "' && ccx matrices && ccx modes");
  ASSERT_EQ(run.status, 0) << run.output;
  const std::vector<double> expected = printed(folder.path() / "modes.dat");
  ASSERT_EQ(expected.size(), 20u);

  // The free end strikes the stop under a load.
  folder.write(
      "bar.toml",
      "[[matrices]]\nstiffness = \"matrices.sti\"\nmass = \"matrices.mas\"\ndofs = "
      "\"matrices.dof\"\npositions = \"matrices.inp\"\n[basis]\nmodes = 20\nresidual = \"contacts\"\n"
      "[[contacts]]\nname = \"stop\"\nnode = \"2\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], "
      "gap = 1e-5 }\nnormal = { stiffness = 1e7 }\n"
      "[gravity]\nacceleration = [0, 0, -100.0]\n"
      "[transient]\nduration = 0.02\nscheme = \"event\"\n[output]\ninterval = 1e-3\nnodes = [\"2\"]\n"
      "[[checks]]\nquantity = \"energy_error\"\nreference = 0\nabsolute = 1e-9\nsource = "
      "\"conservation\"\n[[checks]]\nquantity = \"frequency\"\nmode = 1\nreference = 232.0147\nrelative "
      "= 1e-6\nsource = \"CalculiX\"\n");
  const Deck study = readDeck(folder.path() / "bar.toml");
  const auto simulation = prepare(study);
  for (int i = 0; i < 20; ++i)
    EXPECT_NEAR(simulation->basis.omega()[i] / expected[static_cast<std::size_t>(i)], 1.0, 1e-6) << i;
  const CommandOutcome verified = folder.ricochet("verify bar.toml");
  EXPECT_EQ(verified.status, 0) << verified.output;
}

}  // namespace
}  // namespace ricochet
