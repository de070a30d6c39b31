// Unsupported files are reported with the name of their format.

#include "io/formats/foreign_file.hpp"

#include "io/text/text_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using testing::HasSubstr;

std::string textOf(const std::string& begin, Wanted wanted) {
  return describeForeignFormat(begin, wanted).value_or("read");
}

std::string bytesOf(std::initializer_list<int> words, const std::string& more) {
  std::string bytes;
  for (const int word : words)
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>((word >> (8 * i)) & 0xFF);
  return bytes + more;
}

TEST(ForeignFile, IsNamedWithAWayOut) {
  EXPECT_THAT(textOf("MATLAB 5.0 MAT-file, Platform: X", Wanted::matrix), HasSubstr("a MATLAB file (.mat)"));
  EXPECT_THAT(textOf(std::string("\x93NUMPY\x01\0v\0", 10), Wanted::table), HasSubstr("numpy.savetxt"));
  EXPECT_THAT(textOf("\x1f\x8b\x08", Wanted::matrix), HasSubstr("gunzip"));
  EXPECT_THAT(textOf("RIFF....WAVEfmt ", Wanted::table), HasSubstr("a sound file (.wav)"));
  EXPECT_THAT(textOf("\x89HDF\r\n\x1a\n", Wanted::table), HasSubstr("an HDF5 file"));
  EXPECT_THAT(textOf("    1C\n    1U a\n", Wanted::table), HasSubstr("a result of CalculiX (.frd)"));
  EXPECT_THAT(textOf("    -1\r\n  2411\r\n", Wanted::mesh), HasSubstr("a universal file (UFF, UNV)"));
  EXPECT_THAT(textOf("TITLE\n 74 4 14 56 0\nRSA   48  48 224 0\n(16I5) (16I5) (4E20.12)\n", Wanted::matrix),
              HasSubstr("Harwell-Boeing"));
  EXPECT_THAT(textOf("      31      25       2       2RMAT    1P,5E16.9\n", Wanted::matrix),
              HasSubstr("an OP4 file of Nastran"));
  EXPECT_THAT(textOf(bytesOf({24, 31, 25, 2, 2}, "RMAT    " + bytesOf({24, 8}, std::string(60, '\0'))),
                     Wanted::matrix),
              HasSubstr("an OP4 file of Nastran"));
  EXPECT_THAT(textOf(bytesOf({4, 3, 4, 12, 1, 1, 21, 12, 4, 7, 4, 28}, "NASTRAN FORT TAPE ID CODE - "),
                     Wanted::matrix),
              HasSubstr("an OP2 file of Nastran"));
  EXPECT_THAT(textOf("$NOD\n4\n", Wanted::mesh), HasSubstr("MSH 1"));
  EXPECT_THAT(textOf("/COM,ANSYS RELEASE\n", Wanted::mesh), HasSubstr("Ansys"));
  EXPECT_THAT(textOf("a\nb\nc\nNPTS= 10, DT= .02 SEC\n", Wanted::table), HasSubstr("PEER"));
  EXPECT_THAT(textOf("*HEADING\nx\n", Wanted::matrix), HasSubstr("an input file of Abaqus"));
  EXPECT_THAT(textOf("GRID, 1,, 0., 0., 0.\n", Wanted::positions), HasSubstr("a deck of Nastran"));
  EXPECT_THAT(textOf(bytesOf({99, 5, 7}, "abc"), Wanted::table), HasSubstr("a binary file"));
}

TEST(ForeignFile, IsNotWhatIsRead) {
  EXPECT_EQ(textOf("time,force\n0,1\n", Wanted::table), "read");
  EXPECT_EQ(textOf("grid x y z\n1 0 0 0\n", Wanted::positions), "read");
  EXPECT_EQ(textOf("%%MatrixMarket matrix coordinate real general\n", Wanted::matrix), "read");
  EXPECT_EQ(textOf("$ comment\nDMIG    K  0\n", Wanted::matrix), "read");
  EXPECT_EQ(textOf("$MeshFormat\n2.2 1 8\n\x01\0", Wanted::mesh), "read");
  EXPECT_EQ(textOf("*NODE\n1,0,0,0\n", Wanted::positions), "read");
  EXPECT_EQ(textOf("", Wanted::matrix), "read");
}

TEST(ShownText, KeepsWordsAndHidesBytes) {
  EXPECT_EQ(printableExcerpt("a b"), "a b");
  EXPECT_EQ(printableExcerpt("Größe"), "Größe");
  EXPECT_EQ(printableExcerpt(std::string("\x01\xFF\x80z\x7F", 5)), "???z?");
  EXPECT_EQ(printableExcerpt("abcdef", 4), "abcd...");
}

}  // namespace
}  // namespace ricochet
