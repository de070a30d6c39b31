// Matrix files: stored triangles, selection among several matrices, accuracy.

#include "io/formats/matrix_file.hpp"

#include "io/formats/matrix_entries.hpp"
#include "modal/basis_limits.hpp"
#include "physical/assembly/matrix_rounding.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

namespace ricochet {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

class MatrixFileTest : public ::testing::Test {
 protected:
  std::optional<ImportedMatrix> readMatrix(const std::string& text, const MatrixChoice& choice = {}) {
    const Located<std::filesystem::path> file{folder_.write("k.mtx", text), {"deck.toml", 2, 1}, "stiffness"};
    Diagnostics diagnostics;
    std::optional<ImportedMatrix> matrix = readMatrixFile(file, choice, diagnostics);
    problem_ = diagnostics.empty() ? "none" : diagnostics.sortedProblems().front().text();
    EXPECT_EQ(matrix.has_value(), diagnostics.empty()) << problem_;
    return matrix;
  }
  Matrix denseMatrixOf(const std::string& text, const MatrixChoice& choice = {}) {
    const std::optional<ImportedMatrix> matrix = readMatrix(text, choice);
    if (!matrix) {
      ADD_FAILURE() << problem_;
      return {};
    }
    SparseMatrix made(matrix->size, matrix->size);
    made.setFromTriplets(matrix->entries.begin(), matrix->entries.end());
    return Matrix(made);
  }
  std::string problemOf(const std::string& text, const MatrixChoice& choice = {}) {
    readMatrix(text, choice);
    return problem_;
  }

  ScratchFolder folder_;
  std::string problem_;
};

Matrix exampleMatrix() { return (Matrix(2, 2) << 3, -1, -1, 2).finished(); }

TEST_F(MatrixFileTest, TakesOneTriangleOrBothForWhatTheyAre) {
  EXPECT_EQ(denseMatrixOf("1 1 3.0\n1 2 -1.0\n2 2 2.0\n"), exampleMatrix());
  EXPECT_EQ(denseMatrixOf("1 1 3.0\n2 1 -1.0\n2 2 2.0\n"), exampleMatrix());
  EXPECT_EQ(denseMatrixOf("1 1 3.0\n1 2 -1.0\n2 1 -1.0\n2 2 2.0\n"), exampleMatrix());
  EXPECT_EQ(denseMatrixOf("5,1, 5,1, 3.0\n5,1, 6,1, -1.0\n6,1, 5,1, -1.0\n6,1, 6,1, 2.0\n"), exampleMatrix());
  EXPECT_EQ(denseMatrixOf("DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,3.\nDMIG,K,1,1,,2,1,-1.\nDMIG,K,2,1,,1,1,-1.\n"
                          "DMIG,K,2,1,,2,1,2.\n"),
            exampleMatrix());
  // Entries of one triangle may lie on either side of the diagonal.
  EXPECT_EQ(denseMatrixOf("1 2 -1\n3 2 -5\n1 1 3\n2 2 2\n3 3 9\n"),
            (Matrix(3, 3) << 3, -1, 0, -1, 2, -5, 0, -5, 9).finished());
  // The rounding of cancelled terms does not count as a second value.
  EXPECT_EQ(denseMatrixOf("1 1 3e9\n1 2 1.19e-7\n2 1 2.38e-7\n2 2 2e9\n")(0, 0), 3e9);
}

TEST_F(MatrixFileTest, RefusesMirrorImagesThatDiffer) {
  EXPECT_THAT(
      problemOf("1 1 3.0\n1 2 -1000000.0\n2 1 -1000001.0\n2 2 2.0\n"),
      HasSubstr("k.mtx:3: stiffness: must be symmetric: this entry and its mirror image in line 2 are "
                "-1000001 and -1000000"));
  EXPECT_THAT(problemOf("1 1 3\n1 2 -1\n2 1 -1\n2 2 2\n3 2 7\n3 3 8\n"),
              HasSubstr("k.mtx:5: stiffness: must be symmetric: the file holds both triangles, but no mirror "
                        "image of this entry of 7"));
  // a damping matrix may be unsymmetric
  EXPECT_EQ(denseMatrixOf("1 1 3\n1 2 -1\n2 1 4\n2 2 2\n", {"", 'B', false}),
            (Matrix(2, 2) << 3, -1, 4, 2).finished());
  // Differences below seven printed digits are ignored.
  EXPECT_EQ(denseMatrixOf("1 1 3.000000\n1 2 -1.000000\n2 1 -1.000001\n2 2 2.000000\n")(1, 0), -1.000001);
}

TEST_F(MatrixFileTest, RefusesAnEntryThatIsThereTwice) {
  EXPECT_THAT(problemOf("1 1 3\n2 1 -1\n2 2 2\n2 1 -1\n"),
              HasSubstr("k.mtx:4: stiffness: gives the same entry as line 2"));
  // Repeated entries of Matrix Market are added, as other readers do.
  EXPECT_EQ(denseMatrixOf("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n1 1 2\n2 2 2\n"),
            (Matrix(2, 2) << 3, 0, 0, 2).finished());
  EXPECT_EQ(
      denseMatrixOf("%%MatrixMarket matrix coordinate real symmetric\n1 1 3\n1 1 1\n1 1 2\n1 1 4\n")(0, 0),
      7.0);
}

const std::string kPunch =
    "$ of a superelement\n"
    "GRID           1       0     0.0     0.0     0.0\n"
    "DMIG    KAAX           0       6       2       0                       2\n"
    "DMIG*   KAAX                           1               1\n"
    "*                      1               1 3.000000000D+00\n"
    "*                      2               1-1.000000000D+00\n"
    "DMIG*   KAAX                           2               1\n"
    "*                      2               1 2.000000000D+00\n"
    "DMIG    MAAX           0       6       2       0                       2\n"
    "DMIG*   MAAX                           2               1\n"
    "*                      2               1 5.000000000D+00\n"
    "DMIG    VAX            0       9       2       0                       1\n"
    "DMIG*   VAX                            1               0\n"
    "*                      1               1 1.000000000D+00\n";

TEST_F(MatrixFileTest, FindsTheMatrixThatIsMeant) {
  EXPECT_EQ(denseMatrixOf(kPunch), exampleMatrix());
  EXPECT_EQ(denseMatrixOf(kPunch, {"", 'M', true}), (Matrix(1, 1) << 5).finished());
  EXPECT_EQ(denseMatrixOf(kPunch, {"maax", 'K', true}), (Matrix(1, 1) << 5).finished());
  EXPECT_THAT(problemOf(kPunch, {"KGG", 'K', true}), HasSubstr("deck.toml:2:1: stiffness: "));
  EXPECT_THAT(problem_, HasSubstr("holds no matrix \"KGG\"; it has KAAX, MAAX, VAX"));
  EXPECT_THAT(problemOf(kPunch, {"VAX", 'K', true}), HasSubstr("k.mtx:12: stiffness: the form must be 1"));
  EXPECT_THAT(problemOf(kPunch, {"", 'B', false}), HasSubstr("name the one meant, names = {"));
  const std::string onlyMass = kPunch.substr(kPunch.find("DMIG    MAAX"));
  EXPECT_THAT(problemOf(onlyMass), HasSubstr("holds the matrix MAAX only, which by its name is another one"));
  EXPECT_THAT(problemOf("GRID           1       0     0.0     0.0     0.0\n"), HasSubstr("holds no DMIG"));
  EXPECT_THAT(problemOf("1 1 3\n", {"K", 'K', true}), HasSubstr("holds one matrix, without a name"));
}

/// K = [[3, -1], [-1, 2]] in all forms of bulk data of Nastran.
TEST_F(MatrixFileTest, LosesNoEntryOfBulkData) {
  const std::string head = "DMIG    K       0       6       2       0\n";
  const std::string first = head + "DMIG    K       1       1               1       1       3.\n";
  const std::string rest = "DMIG    K       2       1               2       1       2.\n";
  const std::string next = "        2       1       -1.";
  for (const std::string& written : {
           first + next + "                            $ a spring, soft\n" + rest,
           first + "\t2\t1\t-1.\n" + rest,
           head + "DMIG\tK\t1\t1\t\t1\t1\t3.\n\n$ a comment, and a blank line\n" + next + "\n" + rest +
               "ENDDATA\n",
           "begin bulk\n dmig   k       0       6       2       0\n" + first.substr(head.size()) + next +
               "\n" + rest,
           first + "dmig    k       2       1               1       1       -1.\n"
                   "        2       1       2.\n",
           first + "+       2       1       -1.                                             +2\n" + rest,
       })
    EXPECT_EQ(denseMatrixOf(written), exampleMatrix()) << written;
  EXPECT_EQ(denseMatrixOf("DMIG,K,0,6,2,0,,,2\nDMIG,K,1,1,,1,1,3.,,+A1\n+A1,2,1,-1.,,2,2,0.,,+A2 $ a, b\n"
                          "DMIG,k,2,1,,2,1,2.\n")
                .topLeftCorner(2, 2),
            exampleMatrix());
  EXPECT_EQ(denseMatrixOf("DMIG,K,0,6,2\nDMIG*,K,1,1,,*A\n*A,1,1,3.,,*B\n*B,2,1,-1.\nDMIG,K,2,1,,2,1,2.\n"),
            exampleMatrix());
  EXPECT_EQ(
      denseMatrixOf("DMIG*\tK\t\t0\t\t6\t\t2\n" + first.substr(head.size()) + "*\t2\t\t1\t\t-1.\n" + rest),
      exampleMatrix());
  EXPECT_EQ(readMatrix("DMIG,K,0,6,2\nDMIG,K,901,,,901,,3.\n")->rows[0].place, RowPlace::generalized);
}

TEST_F(MatrixFileTest, RefusesLinesOfBulkDataThatWouldBeLost) {
  const std::string column = "DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,3.,,+A\n";
  EXPECT_THAT(problemOf(column + "2       1       -1.\n"),
              HasSubstr("k.mtx:3:1: stiffness: is no card, and continues none"));
  EXPECT_THAT(problemOf(column + "+A,2,1,-1.,,3,1,-1.,,4,1,-2.\n"),
              HasSubstr("k.mtx:3:24: stiffness: a line has 8 fields and a mark of continuation"));
  EXPECT_THAT(problemOf(column + "+B,2,1,-1.\n"),
              HasSubstr("k.mtx:3:1: stiffness: continues another line than the one before it"));
  EXPECT_THAT(problemOf(column + "        2               1       -1.\n"),
              HasSubstr("k.mtx:3:33: stiffness: must be empty, because the matrix is real"));
  EXPECT_THAT(problemOf(column + ",,2,1,-1.\n"),
              HasSubstr("k.mtx:3: stiffness: must be a grid, its component"));
  EXPECT_THAT(problemOf(column + "+A,1,0,-1.\n"), HasSubstr("k.mtx:3: stiffness: must be a grid"));
}

/// Lines of included files replace INCLUDE; Nastran reads nothing after ENDDATA.
TEST_F(MatrixFileTest, ReadsBulkDataThatIsIncludedUpToItsEnd) {
  const std::string begin = "DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,3.\n";
  folder_.write("rest.bdf", "$ the rest\n,2,1,-1.\ninclude 'sub/last.bdf'\n");
  std::filesystem::create_directory(folder_.path() / "sub");
  folder_.write("sub/last.bdf", "DMIG,K,2,1,,2,1,2.\nENDDATA\nDMIG,K,2,1,,3,1,7.\n");
  for (const char* include : {"INCLUDE 'rest.bdf'", " Include rest.bdf $ the rest", "include \"rest.bdf\"",
                              "INCLUDE 're\n   st.bdf'"})
    EXPECT_EQ(denseMatrixOf(begin + include + "\nDMIG,K,1,1,,3,1,4.\n"), exampleMatrix()) << include;
  EXPECT_EQ(readMatrix(begin + "INCLUDE rest.bdf\n")->files.size(), 3U);
}

TEST_F(MatrixFileTest, RefusesWhatBulkDataIncludesInVain) {
  const std::string begin = "DMIG,K,0,6,2\nDMIG,K,1,1,,1,1,3.\n";
  EXPECT_THAT(problemOf(begin + "INCLUDE 'none.bdf'\n"),
              HasSubstr("k.mtx:3: stiffness: names the file none.bdf, which is not there"));
  EXPECT_THAT(problemOf(begin + "INCLUDE 'none.bdf\n"),
              HasSubstr("stiffness: follows an INCLUDE whose name"));
  EXPECT_THAT(problemOf(begin + "INCLUDE\n"), HasSubstr("k.mtx:3: stiffness: must name a file"));
  EXPECT_THAT(problemOf(begin + "INCLUDE k.mtx\n"), HasSubstr("files include one another without end"));
  folder_.write("bad.bdf", "$\nDMIG,K,2,1,,2,1,x\n");
  EXPECT_THAT(problemOf(begin + "INCLUDE bad.bdf\n"), HasSubstr("bad.bdf:2:17: stiffness: must be a finite"));
  folder_.write("twice.bdf", "\nDMIG,K,1,1,,1,1,3.\n");
  EXPECT_THAT(problemOf(begin + "INCLUDE twice.bdf\n"),
              HasSubstr("twice.bdf:2: stiffness: gives the same entry as line 2 of another file"));
}

TEST_F(MatrixFileTest, ReadsBlocksOfAbaqusByTheirKeyword) {
  const std::string both =
      "*MATRIX INPUT, NAME=KGLOBAL, SCALE FACTOR=10.\n1,1, 1,1, 3.0\n2,1, 1,1, -1.0\n2,1, 2,1, 2.0\n"
      "*MATRIX INPUT, NAME=MGLOBAL\n1,1, 1,1, 4.0\n";
  EXPECT_EQ(denseMatrixOf(both), 10.0 * exampleMatrix());
  EXPECT_EQ(denseMatrixOf(both, {"", 'M', true}), (Matrix(1, 1) << 4).finished());
  EXPECT_EQ(denseMatrixOf("*MATRIX INPUT, NAME=C, TYPE=UNSYMMETRIC\n1,1, 1,1, 3.0\n2,1, 1,1, -1.0\n",
                          {"", 'B', false}),
            (Matrix(2, 2) << 3, 0, -1, 0).finished());
  // A comma at the end continues a keyword line.
  EXPECT_EQ(denseMatrixOf("*MATRIX INPUT,\nNAME=KGLOBAL,\n** ten\n  SCALE FACTOR=10.\n" +
                          both.substr(both.find('\n') + 1)),
            10.0 * exampleMatrix());
  EXPECT_THAT(problemOf("*MATRIX INPUT, NAME=K,\n1,1, 1,1, 3.0\n"),
              HasSubstr("k.mtx:2: stiffness: must go on with an option"));
  EXPECT_THAT(problemOf("*CLOAD, REAL\n2,3, 5.4e4\n"), HasSubstr("*cload gives no matrix"));
}

TEST_F(MatrixFileTest, KnowsNodesWithoutAPlace) {
  const auto abaqus = readMatrix("-1,1, -1,1, 3.0\n1,1, -1,1, -1.0\n1,1, 1,1, 2.0\n-2,8, -2,8, 1.0\n");
  ASSERT_TRUE(abaqus);
  ASSERT_EQ(abaqus->rows.size(), 3U);
  EXPECT_EQ(abaqus->rows[0].place, RowPlace::nowhere);
  EXPECT_EQ(abaqus->rows[1].place, RowPlace::atNode);
  EXPECT_EQ(abaqus->rows[2].node, "-2:8");
  const auto nastran = readMatrix("DMIG,K,0,6,2\nDMIG,K,901,0,,901,0,3.\n");
  ASSERT_TRUE(nastran);
  EXPECT_EQ(nastran->rows[0].place, RowPlace::generalized);
}

TEST_F(MatrixFileTest, RefusesNumbersThatAreNone) {
  for (const char* bad : {"inf", "nan", "-1e999", "1e200", "1,5e3", "2020-05"}) {
    EXPECT_THAT(problemOf(fmt::format("1 1 1\n1 2 {}\n", bad)), HasSubstr("k.mtx:2:")) << bad;
    problemOf(fmt::format("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 {}\n", bad));
    EXPECT_THAT(problem_, HasSubstr("k.mtx:3:")) << bad;
  }
  EXPECT_THAT(problemOf("1 1 1\n1 2 1e999\n"),
              HasSubstr("k.mtx:2:5: stiffness: must be a finite number, got \"1e999\""));
  EXPECT_THAT(problemOf("1 1 -1e200\n"), HasSubstr("k.mtx:1:5: stiffness: must be at most 1e+100 in size"));
  // Numbers of Fortran: D instead of E, no letter before three digits; the smallest number.
  EXPECT_EQ(denseMatrixOf("1 1 1.0D+3\n2 2 2.5-101\n3 3 1e-999\n4 4 +4\n").diagonal(),
            (Vector(4) << 1000.0, 2.5e-101, 0.0, 4.0).finished());
  EXPECT_EQ(denseMatrixOf("DMIG,K,0,1,2\nDMIG,K,1,1,,1,1,1.0+3\n")(0, 0), 1000.0);
}

TEST_F(MatrixFileTest, KeepsTheRoundingOfWhatIsPrinted) {
  EXPECT_EQ(readMatrix("1 1 3\n2 2 1000\n")->rounding, 0.0);  // integers are exact
  EXPECT_DOUBLE_EQ(readMatrix("1 1 3.5\n2 2 1.468300366499140e+00\n")->rounding, 0.5e-15);
  EXPECT_DOUBLE_EQ(readMatrix("1 1 0.001234567\n")->rounding, 0.5e-6);
  EXPECT_DOUBLE_EQ(readMatrix("1 1 2.0\n")->rounding, 0.5e-3);  // no program prints less than four digits
}

/// v v^t of v = (1, 1/3, 1/7) has two eigenvalues 0, of which rounding to five digits makes one negative.
TEST_F(MatrixFileTest, JudgesDefinitenessToTheDigitsPrinted) {
  const double v[] = {1.0, 1.0 / 3.0, 1.0 / 7.0};
  std::string text;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) text += fmt::format("{} {} {:.4e}\n", i + 1, j + 1, v[i] * v[j]);
  const SparseMatrix printed = denseMatrixOf(text).sparseView();
  const double rounding = readMatrix(text)->rounding;
  EXPECT_DOUBLE_EQ(rounding, 0.5e-4);
  EXPECT_GT(countNegativeEigenvalues(printed), 0);
  EXPECT_EQ(countNegativeEigenvalues(addRoundingToDiagonal(printed, rounding)), 0);
  // A negative eigenvalue beyond the rounding of the digits is refused.
  SparseMatrix less = printed;
  less.coeffRef(0, 0) *= 0.999;
  EXPECT_GT(countNegativeEigenvalues(addRoundingToDiagonal(less, rounding)), 0);
}

}  // namespace
}  // namespace ricochet
