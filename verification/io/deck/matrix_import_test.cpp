// Models assembled by other codes: formats, units and node positions.

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/program.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

/// A fixed-free chain of three masses of 2 kg on springs of 1000 N/m, along x: omega = 2 sqrt(k/m) sin((2 i -
/// 1) pi / 14).
class ChainTest : public ::testing::Test {
 protected:
  ChainTest() {
    folder_.write("dofs.csv",
                  "row, node, dof, x, y, z\n1, a, ux, 1, 0, 0\n2, b, ux, 2, 0, 0\n3, 7, 1, 3, 0, 0\n");
  }

  Deck read(const std::string& files, const std::string& more = {}) const {
    return readDeck(folder_.write("deck.toml", "[[matrices]]\n" + files + "[basis]\nall = true\n" + more));
  }
  void expectChain(const std::string& files) const {
    try {
      const auto simulation = prepare(read(files));
      ASSERT_EQ(simulation->basis.size(), 3);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(simulation->basis.omega()[i],
                    2.0 * std::sqrt(500.0) * std::sin((2 * i + 1) * std::numbers::pi / 14.0), 1e-11)
            << files;
    } catch (const InputError& error) {
      FAIL() << error.what();
    }
  }
  std::string problemOf(const std::string& files) const {
    try {
      read(files);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  ScratchFolder folder_;
};

const std::string kTable = "dofs = \"dofs.csv\"\n";
const std::string kSymmetric =
    "%%MatrixMarket matrix coordinate real symmetric\n% chain\n3 3 5\n1 1 2000\n2 1 -1e3\n2 2 2.0E3\n3 2 "
    "-1000.\n3 3 1000\n";

TEST_F(ChainTest, IsRefusedWithOneFileForTwoMatricesOrTwoPlacesOfANode) {
  folder_.write("symmetric.mtx", kSymmetric);
  folder_.write("m.mtx", "%%MatrixMarket matrix array integer symmetric\n3 3\n2\n0\n0\n2\n0\n2\n");
  EXPECT_THAT(problemOf("stiffness = \"symmetric.mtx\"\nmass = \"symmetric.mtx\"\n" + kTable),
              HasSubstr("symmetric.mtx, which is the stiffness too"));
  folder_.write("two.csv",
                "row, node, dof, x, y, z\n1, a, ux, 1, 0, 0\n2, b, ux, 2, 0, 0\n3, b, uy, 5, 0, 0\n");
  EXPECT_THAT(problemOf("stiffness = \"symmetric.mtx\"\nmass = \"m.mtx\"\ndofs = \"two.csv\"\n"),
              HasSubstr("matrices[0].dofs: puts node b at two places: (2, 0, 0) and (5, 0, 0)"));
}

/// The deck, the table of dofs, `positions` and another [[matrices]] may all give the position of a node, in
/// their units.
TEST_F(ChainTest, IsRefusedWhereFilesAndDeckContradictEachOther) {
  folder_.write("k.mtx", kSymmetric);
  folder_.write("m.mtx", "1 1 2\n2 2 2\n3 3 2\n");
  const std::string files = "stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n",
                    units = "units = { length = 1e-3 }\n";
  const auto node = [](double x) {
    return fmt::format("[[nodes]]\nname = \"b\"\nposition = [{}, 0.0, 0.0]\n", x);
  };
  const auto problem = [&](const std::string& first, const std::string& more) {
    return problemOf(first + more);
  };
  EXPECT_THAT(
      problem(files + kTable, node(2.5)),
      HasSubstr("deck.toml:4:8: matrices[0].dofs: puts node b at two places: (2.5, 0, 0) m by line 5 of "
                "the deck and (2, 0, 0) m; give it one place, or two names"));
  EXPECT_THAT(problem(files + kTable + units, node(2.0)),
              HasSubstr("(2, 0, 0) m by line 6 of the deck and "));
  EXPECT_EQ(problem(files + kTable, node(2.0)), "none");
  EXPECT_EQ(problem(files + kTable + units, node(0.002)), "none");

  folder_.write("places.csv", "node x y z\na 1 0 0\nb 2 0 0.5\n7 3 0 0\n");
  EXPECT_THAT(
      problem(files + kTable + "positions = \"places.csv\"\n", ""),
      HasSubstr("deck.toml:5:13: matrices[0].positions: puts node b at two places: (2, 0, 0) and (2, 0, "
                "0.5) m"));

  folder_.write("other.csv", "row node dof x y z\n1 b uy 2 1 0\n2 b uz 2 1 0\n3 c ux 3 0 0\n");
  const std::string other = "[[matrices]]\n" + files + "dofs = \"other.csv\"\n";
  EXPECT_THAT(problem(files + kTable, other),
              HasSubstr("matrices[1].dofs: puts node b at two places: (2, 0, 0) m by line 1 of the deck"));
  folder_.write("other.csv", "row node dof x y z\n1 b uy 2 0 0\n2 b uz 2 0 0\n3 c ux 3 0 0\n");
  EXPECT_EQ(problem(files + kTable, other), "none");
}

/// Nodes without a position in a file contradict nothing: scalar points, and nodes with a position in the
/// deck only.
TEST_F(ChainTest, TakesNodesOfTheDeckWhereFilesGiveNoPlace) {
  folder_.write("k.pch", "DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,2.\nDMIG,K,901,0,,901,0,2.\n");
  folder_.write("m.pch", "DMIG,M,0,6,2\nDMIG,M,1,1,,1,1,2.\nDMIG,M,901,0,,901,0,2.\n");
  folder_.write("places.csv", "node x y z\n1 1 0 0\n901 5 5 5\n");
  const std::string pair = "stiffness = \"k.pch\"\nmass = \"m.pch\"\n";
  const std::string nodes = "[[nodes]]\nname = \"1\"\nposition = [1, 0, 0]\n";
  EXPECT_EQ(problemOf(pair + nodes), "none");
  EXPECT_EQ(problemOf(pair + "positions = \"places.csv\"\n" + nodes), "none");
  EXPECT_EQ(problemOf(pair + "positions = \"places.csv\"\n[[matrices]]\n" + pair), "none");
}

TEST_F(ChainTest, IsTheSameInEveryFormat) {
  const std::string masses = "mass = \"m.mtx\"\n" + kTable;
  folder_.write("m.mtx", "%%MatrixMarket matrix array integer symmetric\n3 3\n2\n0\n0\n2\n0\n2\n");
  folder_.write("symmetric.mtx", kSymmetric);
  expectChain("stiffness = \"symmetric.mtx\"\n" + masses);
  folder_.write("general.mtx",
                "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 2000\n1 2 -1000\n2 1 -1000\n2 2 "
                "2000\n2 3 -1000\n3 2 -1000\n3 3 1000\n");
  expectChain("stiffness = \"general.mtx\"\n" + masses);
  folder_.write("plain.sti", "1 1 2.0D+03\n1 2 -1000\n2 2 2000\n2 3 -1000\n3 3 1000\n");
  expectChain("stiffness = \"plain.sti\"\n" + masses);
}

/// An Euler-Bernoulli element, clamped, as a code writes the matrices in mm and t: EI = 2 N m^2, 1.5 kg/m,
/// 0.8 m; and in kg, mm and ms. The frequencies are those of the two dofs in SI, the moment at the tip is 4
/// EI/L of its rotation.
TEST_F(ChainTest, TakesOtherUnits) {
  constexpr double kStiffness = 2.0, kPerLength = 1.5, kLength = 0.8;
  folder_.write("dofs.csv", "row, node, dof, x, y, z\n1, tip, uy, 800, 0, 0\n2, tip, rz, 800, 0, 0\n");
  struct Units {
    double length, mass, time;  // [m], [kg], [s]
  };
  const auto write = [&](const Units& u) {
    const double h = kLength / u.length,
                 ei = kStiffness * u.time * u.time / (u.mass * u.length * u.length * u.length);
    const double m = kPerLength * u.length / u.mass * h / 420.0, k = ei / (h * h * h);
    folder_.write("k.mtx", fmt::format("1 1 {:.17g}\n2 1 {:.17g}\n2 2 {:.17g}\n", 12.0 * k, -6.0 * k * h,
                                       4.0 * k * h * h));
    folder_.write("m.mtx", fmt::format("1 1 {:.17g}\n2 1 {:.17g}\n2 2 {:.17g}\n", 156.0 * m, -22.0 * m * h,
                                       4.0 * m * h * h));
  };
  const double m = kPerLength * kLength / 420.0, k = kStiffness / std::pow(kLength, 3);
  Eigen::Matrix2d stiffness, mass;  // in SI
  stiffness << 12.0 * k, -6.0 * k * kLength, -6.0 * k * kLength, 4.0 * k * kLength * kLength;
  mass << 156.0 * m, -22.0 * m * kLength, -22.0 * m * kLength, 4.0 * m * kLength * kLength;
  const Eigen::Vector2d squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(stiffness, mass).eigenvalues();
  for (const Units& units : {Units{1e-3, 1e3, 1.0}, Units{1e-3, 1.0, 1e-3}}) {
    write(units);
    const Deck study = read("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n" + kTable +
                            fmt::format("units = {{ length = {}, mass = {}, time = {} }}\n", units.length,
                                        units.mass, units.time));
    EXPECT_NEAR(study.structure.positions[0].x(), kLength, 1e-15);
    EXPECT_NEAR(study.structure.matrices[0].stiffness.coeff(1, 1) / stiffness(1, 1), 1.0, 1e-14);
    EXPECT_NEAR(study.structure.matrices[0].mass.coeff(0, 1) / mass(0, 1), 1.0, 1e-14);
    const auto simulation = prepare(study);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(simulation->basis.omega()[i] / std::sqrt(squares[i]), 1.0, 1e-12);
  }
  EXPECT_THAT(problemOf("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n" + kTable + "units = { length = 0 }\n"),
              HasSubstr("must be above 0 m"));
}

TEST_F(ChainTest, TakesFormatsThatNameTheirDofs) {
  const std::string nodes = "positions = \"nodes.csv\"\n";
  folder_.write("nodes.csv", "node x y z\n7 3 0 0\n5 1 0 0\n6 2 0 0\n");
  folder_.write(
      "k.mtx",
      "** stiffness\n*MATRIX INPUT, NAME=K\n5,1, 5,1, 2000\n6,1, 5,1, -1000\n6,1, 6,1, 2000\n7,1, 6,1, "
      "-1000\n7,1, 7,1, 1000\n");
  folder_.write("m.mtx", "7,1, 7,1, 2\n6,1, 6,1, 2\n5,1, 5,1, 2\n");
  expectChain("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n" + nodes);

  folder_.write("k.pch",
                "$ of a superelement\n"
                "DMIG    KAAX           0       6       2       0                       3\n"
                "DMIG*   KAAX                           5               1\n"
                "*                      5               1 2.000000000D+03\n"
                "*                      6               1-1.000000000D+03\n"
                "DMIG*   KAAX                           6               1\n"
                "*                      6               1 2.000000000D+03\n"
                "*                      7               1-1.000000000D+03\n"
                "DMIG*   KAAX                           7               1\n"
                "*                      7               1 1.000000000D+03\n");
  folder_.write(
      "m.pch", "DMIG,MAAX,0,6,1\nDMIG,MAAX,5,1,,5,1,2.0\nDMIG,MAAX,6,1,,6,1,2.+0\nDMIG,MAAX,7,1,,7,1,.2+1\n");
  expectChain("stiffness = \"k.pch\"\nmass = \"m.pch\"\n" + nodes);
}

/// Skew-symmetric damping dissipates no energy; imported nodes carry supports, springs and outputs.
TEST_F(ChainTest, IsPartOfAModel) {
  folder_.write("k.mtx", kSymmetric);
  folder_.write("m.sti", "1 1 2\n2 2 2\n3 3 2\n");
  folder_.write("c.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 4.5\n");
  const Deck study = read("stiffness = \"k.mtx\"\nmass = \"m.sti\"\ndamping = \"c.mtx\"\n" + kTable,
                          "[[masses]]\nnodes = [\"7\"]\nmass = 1.0\n[[supports]]\nnodes = [\"a\"]\nfixed = "
                          "[\"ux\"]\n[[supports]]\nnodes = [\"7\"]\nfixed = [\"uy\", \"uz\"]\n");
  EXPECT_EQ(study.nodes.size(), 3u);
  const PhysicalModel model = assembleStudy(study);
  ASSERT_EQ(model.size(), 2);
  EXPECT_EQ(Matrix(model.mass), (Matrix(2, 2) << 2, 0, 0, 3).finished());
  EXPECT_EQ(Matrix(model.damping), Matrix::Zero(2, 2));  // all energy was exchanged between a and b
  EXPECT_EQ(Matrix(model.stiffness), (Matrix(2, 2) << 2000, -1000, -1000, 1000).finished());
  EXPECT_EQ(study.structure.positions[2], Vec3(3, 0, 0));
}

TEST_F(ChainTest, TellsThatOneTriangleOfDampingInLinesIsMirrored) {
  folder_.write("k.mtx", kSymmetric);
  folder_.write("m.sti", "1 1 2\n2 2 2\n3 3 2\n");
  const auto toldWith = [&](const std::string& damping) {
    folder_.write("c.txt", damping);
    const auto simulation =
        prepare(read("stiffness = \"k.mtx\"\nmass = \"m.sti\"\ndamping = \"c.txt\"\n" + kTable));
    return std::ranges::count_if(simulation->choices, [](const std::string& each) {
      return each.starts_with("matrices[0].damping = symmetric: the lines of c.txt hold one triangle");
    });
  };
  EXPECT_EQ(toldWith("1 1 0.5\n1 2 3.0\n2 2 0.5\n"), 1);
  for (const char* clear : {"1 1 0.5\n2 2 0.5\n", "1 2 3.0\n2 1 -3.0\n", "1 1 0.5\n1 2 3.0\n2 1 0\n",
                            "*MATRIX INPUT, NAME=B\n1 1 0.5\n1 2 3.0\n",
                            "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n2 1 3.0\n"})
    EXPECT_EQ(toldWith(clear), 0) << clear;
}

TEST_F(ChainTest, TellsTheLineAtFault) {
  const std::string both = "stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n" + kTable;
  const auto expect = [&](const std::string& text, const std::string& problem) {
    for (const char* name : {"k.mtx", "m.mtx"}) folder_.write(name, text);
    EXPECT_THAT(problemOf(both), HasSubstr(problem)) << text;
  };
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  expect("%%MatrixMarket matrix coordinate complex symmetric\n",
         "k.mtx:1: matrices[0].stiffness: must be a matrix");
  expect(head + "3 2 1\n", "k.mtx:2: matrices[0].stiffness: must give the size of a square matrix");
  expect(head + "3 3 2\n1 1 1\n4 4 2\n",
         "k.mtx:4: matrices[0].stiffness: must be a row and a column from 1 to 3");
  expect(head + "3 3 2\n1 1 1\n1 2 2\n", "k.mtx:4: matrices[0].stiffness: must be of the lower triangle");
  expect(head + "3 3 2\n1 1 1\n", "the file ends after 1 of 2 entries");
  expect(head + "3 3 1\n1 1 nan\n", "k.mtx:3:");
  expect(head + "4 4 1\n1 1 1\n", "matrices[0].dofs: must have as many rows as the matrices: 4, not 3");
  expect(head + "3 3 3\n1 1 1\n2 2 -1\n3 3 1\n", "must not be negative on the diagonal: -1 for ux of node b");
  expect("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n1 2 2\n", "must be symmetric: ");
  expect("1 1\n", "must be `row column value`");
  EXPECT_THAT(problemOf("stiffness = \"no.mtx\"\nmass = \"no.mtx\"\n" + kTable), HasSubstr("cannot read "));
  for (const char* name : {"k.mtx", "m.mtx"}) folder_.write(name, kSymmetric);
  EXPECT_THAT(problemOf("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n"), HasSubstr("`dofs` is missing"));
  folder_.write("x.dof", "1.1\n1.2\n2.1\n");
  EXPECT_THAT(problemOf("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndofs = \"x.dof\"\n"),
              HasSubstr("nothing says where node 1 is: give `positions`"));
  folder_.write("x.csv", "row node dof x y z\n1 1 ux 0 0 0\n2 1 1 0 0 0\n3 2 ux 0 0 0\n");
  EXPECT_THAT(problemOf("stiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndofs = \"x.csv\"\n"),
              HasSubstr("names ux of node 1 twice"));
}

/// Consecutive row numbers are those of the elements of an .inp; internal nodes have no position there.
TEST_F(ChainTest, FindsItsDofsAndNodesWithoutAPlace) {
  folder_.write("k.mtx", "1 1 2000.\n2 2 2000.\n3 3 1000.\n1 2 -1000.\n2 1 -1000.\n2 3 -1000.\n3 2 -1000.\n");
  folder_.write("m.mtx", "1 1 2.\n2 2 2.\n3 3 2.\n");
  const std::string files = "stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n";
  folder_.write("one.inp", "*NODE\n1, 0\n*ELEMENT, TYPE=T3D2\n1, 1, 1\n");
  expectChain(files + "positions = \"one.inp\"\n");
  expectChain(files + "dofs = \"one.inp\"\n");
  folder_.write("two.inp", "*NODE\n1, 0\n2, 1\n*ELEMENT, TYPE=T3D2\n1, 1, 2\n");
  EXPECT_THAT(problemOf(files + "positions = \"two.inp\"\n"),
              HasSubstr("`dofs` is missing: its elements have 6 dofs, the matrices 3 rows"));
  // Node 2 is not in the .inp, like nodes inside elements of CalculiX.
  folder_.write("x.dof", "1.1\n1.2\n2.1\n");
  const std::string inside = files + "dofs = \"x.dof\"\npositions = \"one.inp\"\n";
  expectChain(inside);
  const Deck study = read(inside, "[gravity]\nacceleration = [1, 0, 0]\n");
  EXPECT_EQ(study.structure.unplaced.size(), 1U);
  const PhysicalModel model = assembleStudy(study);
  EXPECT_EQ(model.isUnplaced, (std::vector<bool>{false, true}));
  const std::string more = "[[matrices]]\n" + inside + "[basis]\nall = true\n";
  const auto refused = [&](const std::string& last) {
    try {
      readDeck(folder_.write("deck.toml", more + last));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(refused("[[base_motions]]\ndirection = [0, 0, 0, 0, 0, 1]\nacceleration = 1.0\n"),
              HasSubstr("node 2 of [[matrices]] has mass, and nothing says where it is"));
  EXPECT_THAT(refused("[[contacts]]\nname = \"c\"\nnode = \"2\"\nobstacle = { type = \"plane\", normal = [1, "
                      "0, 0], gap = 1 }\nnormal = { stiffness = 1.0 }\n[transient]\nduration = 1\n"),
              HasSubstr("contacts[0].node: node 2 has no place"));
  // For an expanded element, no file gives the positions of its nodes.
  folder_.write("x.dof", "1.1\n1.2\n1.1\n");
  expectChain(inside);
  EXPECT_THAT(refused("[transient]\nduration = 1\n[output]\nnodes = [\"1\"]\n"),
              HasSubstr("node 1 was expanded into several, 1#1"));
}

TEST_F(ChainTest, TakesBothMatricesOfAPunchFile) {
  const auto card = [](const char* name, int column, int row, const char* value) {
    return fmt::format("DMIG,{},{},1,,{},1,{}\n", name, column, row, value);
  };
  std::string text = "DMIG,K10,0,6,2\n";
  text += card("K10", 5, 5, "2000.") + card("K10", 5, 6, "-1.+3") + card("K10", 6, 6, "2.D3") +
          card("K10", 6, 7, "-1000.") + card("K10", 7, 7, "1000.");
  text += "DMIG,M10,0,6,2\n";
  for (int i = 5; i <= 7; ++i) text += card("M10", i, i, "2.");
  folder_.write("both.pch", text);
  folder_.write("nodes.csv", "node x y z\n7 3 0 0\n5 1 0 0\n6 2 0 0\n");
  const std::string files = "stiffness = \"both.pch\"\nmass = \"both.pch\"\npositions = \"nodes.csv\"\n";
  expectChain(files);
  expectChain(files + "names = { stiffness = \"K10\", mass = \"M10\" }\n");
  EXPECT_THAT(problemOf(files + "names = { mass = \"K10\" }\n"),
              HasSubstr("matrices[0].mass: is the matrix K10 of"));
}

TEST_F(ChainTest, RefusesHeadersThatNoFileKeeps) {
  const std::string both = "stiffness = \"k.mtx\"\nmass = \"m.mtx\"\n" + kTable;
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  for (const char* entries : {"-5", "9000000000000000000"}) {
    for (const char* name : {"k.mtx", "m.mtx"}) folder_.write(name, head + "3 3 " + entries + "\n1 1 1\n");
    EXPECT_THAT(problemOf(both),
                HasSubstr(fmt::format("k.mtx:2: matrices[0].stiffness: must give the number of "
                                      "entries that follow, from 0 to 1000000000000, got {}",
                                      entries)));
  }
  for (const char* name : {"k.mtx", "m.mtx"}) folder_.write(name, head + "100000 100000 3000000000\n1 1 1\n");
  EXPECT_THAT(problemOf(both), HasSubstr("the file ends after 1 of 3000000000 entries"));
}

TEST_F(ChainTest, RefusesMatricesOfDifferentSizes) {
  folder_.write("k3.mtx", kSymmetric);
  for (const char* name : {"k2.mtx", "m2.mtx"})
    folder_.write(name, "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
  const std::string keys = "stiffness = \"k2.mtx\"\nmass = \"k3.mtx\"\n" + kTable;
  EXPECT_THAT(problemOf(keys),
              HasSubstr("deck.toml:3:8: matrices[0].mass: must have as many rows as `stiffness`"));
  EXPECT_THAT(problemOf("stiffness = \"k2.mtx\"\nmass = \"m2.mtx\"\n" + kTable),
              HasSubstr("matrices[0].dofs: must have as many rows as the matrices: 2, not 3"));
}

TEST_F(ChainTest, NamesTheMatrixWithANegativeEigenvalue) {
  folder_.write("good.mtx", kSymmetric);
  folder_.write("bad.mtx",
                "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 100\n2 1 -1e3\n2 2 2e3\n3 2 "
                "-1000\n3 3 1000\n");
  const auto fault = [&](const std::string& stiffness, const std::string& mass) -> std::string {
    const Deck study = read(fmt::format("stiffness = \"{}\"\nmass = \"{}\"\n{}", stiffness, mass, kTable));
    try {
      prepare(study);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(fault("bad.mtx", "good.mtx"), HasSubstr("deck.toml:2:13: matrices[0].stiffness: "));
  EXPECT_THAT(fault("bad.mtx", "good.mtx"), HasSubstr("bad.mtx has 1 negative eigenvalue"));
  EXPECT_THAT(fault("good.mtx", "bad.mtx"), HasSubstr("deck.toml:3:8: matrices[0].mass: "));
}

}  // namespace
}  // namespace ricochet
