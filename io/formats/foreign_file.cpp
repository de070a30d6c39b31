#include "io/formats/foreign_file.hpp"

#include "io/text/input_file.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

namespace ricochet {
namespace {

/// A format that is not supported, and how to convert it to a supported format.
struct Foreign {
  std::string_view name;
  /// Special remedy for a matrix in this format; empty: only the remedy common to all kinds of data.
  std::string_view matrix;
  std::string_view mesh;
  std::string_view positions;
  std::string_view table;
};

constexpr std::string_view kUnpack = "unpack it first (gunzip, unzip, xz -d)";
constexpr std::string_view kMarketRemedy = "scipy.io.mmwrite writes it as Matrix Market";
constexpr std::string_view kSaveText = "save the columns as text (CSV)";
constexpr std::string_view kPunch = "write the matrices as DMIG into a punch file (PARAM,EXTOUT,DMIGPCH)";
constexpr std::string_view kConvert = "`gmsh FILE -save -format msh41 -o FILE.msh` converts what gmsh reads";

struct Signature {
  std::string_view bytes;
  Foreign format;
};

/// Formats identified by the first bytes.
constexpr std::array kSignatures{
    Signature{"\x1f\x8b", {"a file compressed by gzip", kUnpack, kUnpack, kUnpack, kUnpack}},
    Signature{"BZh", {"a file compressed by bzip2", kUnpack, kUnpack, kUnpack, kUnpack}},
    Signature{"\xFD"
              "7zXZ",
              {"a file compressed by xz", kUnpack, kUnpack, kUnpack, kUnpack}},
    Signature{"\x28\xB5\x2F\xFD", {"a file compressed by zstd", kUnpack, kUnpack, kUnpack, kUnpack}},
    Signature{"PK\x03\x04",
              {"a ZIP archive (.zip, .npz, .xlsx, .ods)", kUnpack, kUnpack, kSaveText, kSaveText}},
    Signature{"\xD0\xCF\x11\xE0", {"an Excel file (.xls)", kSaveText, "", kSaveText, kSaveText}},
    Signature{
        "MATLAB 5.0 MAT-file",
        {"a MATLAB file (.mat)",
         "[i, j, v] = find(K); writematrix([i j v], 'K.txt', 'Delimiter', ' ') writes it as lines of row, "
         "column, value",
         "", kSaveText, "writetable writes its columns as text"}},
    Signature{
        "MATLAB 7.3 MAT-file",
        {"a MATLAB file (.mat)",
         "[i, j, v] = find(K); writematrix([i j v], 'K.txt', 'Delimiter', ' ') writes it as lines of row, "
         "column, value",
         "", kSaveText, "writetable writes its columns as text"}},
    Signature{"\x93NUMPY",
              {"a NumPy array (.npy)", kMarketRemedy, "", "numpy.savetxt writes its columns as text",
               "numpy.savetxt(FILE, a, header=\"names of the columns\", comments=\"\") writes its columns as "
               "text"}},
    Signature{"RIFF",
              {"a sound file (.wav)", "", "", "", "write it as text with the columns time and value"}},
    Signature{"\x89PNG", {"a picture (.png)", "", "", "", ""}},
    Signature{"%PDF", {"a PDF document", "", "", "", ""}},
    Signature{"CDF\x01", {"a netCDF or Exodus file", "", kConvert, "", kSaveText}},
    Signature{"CDF\x02", {"a netCDF or Exodus file", "", kConvert, "", kSaveText}},
    Signature{"# vtk DataFile", {"a VTK file", "", kConvert, kSaveText, kSaveText}},
    Signature{"<?xml", {"an XML file", "", kConvert, kSaveText, kSaveText}},
    Signature{"<VTKFile", {"a VTK file", "", kConvert, kSaveText, kSaveText}},
    Signature{
        "\xFF\xFE",
        {"a text in UTF-16", "save it as UTF-8", "save it as UTF-8", "save it as UTF-8", "save it as UTF-8"}},
    Signature{
        "\xFE\xFF",
        {"a text in UTF-16", "save it as UTF-8", "save it as UTF-8", "save it as UTF-8", "save it as UTF-8"}},
};

constexpr Foreign kHdf5{
    "an HDF5 file", kMarketRemedy, "", kSaveText,
    "the history of a result is taken with `result` and `quantity`, other columns as text"};
constexpr Foreign kOp2{"an OP2 file of Nastran", kPunch, "the mesh is taken from gmsh or Salome", kSaveText,
                       kSaveText};
constexpr Foreign kOp4{
    "an OP4 file of Nastran",
    "write the matrices as DMIG into a punch file "
    "(PARAM,EXTOUT,DMIGPCH), or with pyNastran or pyyeti and scipy.io.mmwrite as Matrix Market",
    "", "", ""};
constexpr Foreign kFrd{"a result of CalculiX (.frd)", "*FREQUENCY, SOLVER=MATRIXSTORAGE writes .sti and .mas",
                       "", "give the .inp of the model", kSaveText};
constexpr Foreign kUniversal{"a universal file (UFF, UNV)", "", kConvert, "give a table of node, x, y, z",
                             kSaveText};
constexpr Foreign kHarwell{"a matrix in Harwell-Boeing or Rutherford-Boeing form",
                           "scipy.io.mmwrite(\"K.mtx\", scipy.io.hb_read(FILE)) writes it as Matrix Market",
                           "", "", ""};
constexpr Foreign kAnsys{"an archive of Ansys (.cdb)",
                         "*SMAT and *EXPORT, with the format MMF, write a matrix as Matrix Market", "",
                         "give a table of node, x, y, z (NWRITE)", ""};
constexpr Foreign kMail{"a mesh of Code_Aster in text (.mail)", "",
                        "LIRE_MAILLAGE and IMPR_RESU(FORMAT='MED') write it as MED",
                        "give a table of node, x, y, z", ""};
constexpr Foreign kMsh1{"a mesh of gmsh in MSH 1", "", kConvert, "give a table of node, x, y, z", ""};
constexpr Foreign kMsh{"a mesh of gmsh (.msh)", "", "", "give a table of node, x, y, z", ""};
constexpr Foreign kBulk{"a deck of Nastran", kPunch, kConvert, "give a table of node, x, y, z", ""};
constexpr Foreign kInput{
    "an input file of Abaqus or CalculiX (.inp)",
    "matrices are written by *MATRIX OUTPUT (Abaqus), or *FREQUENCY, SOLVER=MATRIXSTORAGE "
    "(CalculiX)",
    kConvert, "", ""};
constexpr Foreign kDat{"a printed output of CalculiX (.dat)",
                       "*FREQUENCY, SOLVER=MATRIXSTORAGE writes .sti and .mas", "",
                       "give the .inp of the model", kSaveText};
constexpr Foreign kPrinted{"a printed output of Nastran (.f06)", kPunch, "", "", kSaveText};
constexpr Foreign kPeer{"an accelerogram of PEER (.at2)", "", "", "",
                        "write it as text with the columns time and value, its unit (g) as m/s^2"};
constexpr Foreign kKnet{"an accelerogram of K-NET", "", "", "",
                        "write it as text with the columns time and value, its counts as m/s^2"};
constexpr Foreign kBinary{"a binary file of a format that is not known here", "", "", "", ""};

std::string sentenceAboutFormat(const Foreign& format, Wanted wanted) {
  static constexpr std::string_view kRead[] = {
      "meshes are .msh of gmsh (2.x, 4.1) and .med of Salome (3, 4)",
      "matrices are Matrix Market, .sti and .mas of CalculiX, Abaqus' .mtx and Nastran's DMIG",
      "positions are those of an .inp file, or a table with the columns node, x, y, z",
      "tables are text: a line with the names of the columns, then rows of numbers"};
  const std::string_view remedy = wanted == Wanted::mesh        ? format.mesh
                                  : wanted == Wanted::matrix    ? format.matrix
                                  : wanted == Wanted::positions ? format.positions
                                                                : format.table;
  return fmt::format("is {}, which is not read here: {}{}{}", format.name,
                     kRead[static_cast<std::size_t>(wanted)], remedy.empty() ? "" : "; ", remedy);
}

// Nastran writes binary files as Fortran records, each between two copies of its length in bytes.

std::uint32_t readBinaryWordAt(std::string_view begin, std::size_t at, bool bigEndian) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t byte = static_cast<unsigned char>(begin[at + i]);
    word |= byte << (8U * (bigEndian ? 3 - i : i));
  }
  return word;
}

bool isOp2File(std::string_view begin) {
  constexpr std::size_t kHeader = 200;
  if (begin.substr(0, kHeader).find("NASTRAN FORT TAPE ID CODE") != std::string_view::npos) return true;
  // a word of 4 (or 8) bytes with the length of the next record
  if (begin.size() < 24) return false;
  for (const bool bigEndian : {false, true})
    for (const std::uint32_t size : {4U, 8U})
      if (readBinaryWordAt(begin, 0, bigEndian) == size &&
          readBinaryWordAt(begin, 4 + size, bigEndian) == size &&
          readBinaryWordAt(begin, 8 + size, bigEndian) <= 4096U &&
          readBinaryWordAt(begin, 4, bigEndian) <= 10U)
        return true;
  return false;
}

bool isBinaryOp4(std::string_view begin) {
  if (begin.size() < 64) return false;
  for (const bool bigEndian : {false, true})
    for (const std::uint32_t size : {24U, 48U})
      if (readBinaryWordAt(begin, 0, bigEndian) == size &&
          readBinaryWordAt(begin, 4 + size, bigEndian) == size)
        return true;
  return false;
}

// ---- text formats ----

std::vector<std::string_view> firstLinesOfText(std::string_view begin, std::size_t most) {
  std::vector<std::string_view> lines;
  while (lines.size() < most && !begin.empty()) {
    const std::size_t end = std::min(begin.find('\n'), begin.size());
    std::string_view line = begin.substr(0, end);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    begin.remove_prefix(std::min(end + 1, begin.size()));
  }
  return lines;
}

/// True for a line with four integers of eight columns, a name and a format.
bool isTextOp4(std::string_view line) {
  if (line.size() < 43 || line.substr(40, 12).find("1P,") == std::string_view::npos) return false;
  for (std::size_t i = 0; i < 4; ++i)
    if (!parseInteger(withoutOuterBlanks(line.substr(8 * i, 8)))) return false;
  return true;
}

/// True if the third line has three letters for kind, shape and form, and the fourth or fifth line formats of
/// Fortran.
bool isHarwellBoeing(const std::vector<std::string_view>& lines) {
  if (lines.size() < 4 || lines[2].size() < 3) return false;
  const std::string type = lowerCase(lines[2].substr(0, 3));
  const auto oneOf = [&](std::size_t i, std::string_view letters) {
    return letters.find(type[i]) != std::string_view::npos;
  };
  return oneOf(0, "rcpiq") && oneOf(1, "suhzr") && oneOf(2, "ae") &&
         withoutOuterBlanks(lines[3]).starts_with('(');
}

/// True if the first keyword of an .inp file belongs to a model, not to a matrix.
bool looksLikeAbaqusInput(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    if (line.starts_with("**") || !line.starts_with('*')) continue;
    const std::string card = lowerCase(line.substr(0, line.find(',')));
    static constexpr std::string_view kModel[] = {"*heading",  "*node",    "*part",      "*include",
                                                  "*preprint", "*element", "*parameter", "*system"};
    return std::any_of(std::begin(kModel), std::end(kModel),
                       [&](std::string_view name) { return withoutOuterBlanks(card) == name; });
  }
  return false;
}

/// True for GRID and a number, CORD2R and a number, BEGIN BULK ...; the name alone could be a column of a
/// table.
bool isBulkData(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    const std::string text = lowerCase(withoutOuterBlanks(line));
    if (text.empty() || text.starts_with('$')) continue;
    if (text.starts_with("begin bulk") || text.starts_with("begin super") || text == "cend") return true;
    for (const std::string_view card : {"grid", "cord2r", "spoint", "dmig", "extrn"}) {
      if (!text.starts_with(card)) continue;
      const std::size_t next = text.find_first_not_of(" *,", card.size());
      if (next == std::string::npos || next == card.size()) continue;
      if (card == "dmig" || (text[next] >= '0' && text[next] <= '9')) return true;
    }
  }
  return false;
}

bool isAsterMailFile(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    const std::string_view text = withoutOuterBlanks(line);
    if (text.empty() || text.starts_with('%')) continue;
    return text.starts_with("TITRE") || text.starts_with("COOR_2D") || text.starts_with("COOR_3D");
  }
  return false;
}

const Foreign* findForeignTextFormat(std::string_view begin, Wanted wanted) {
  constexpr std::size_t kLooked = 60;
  const std::vector<std::string_view> lines = firstLinesOfText(begin, kLooked);
  if (lines.empty()) return nullptr;
  const auto contains = [&](std::string_view text) { return begin.find(text) != std::string_view::npos; };
  if (lines[0].starts_with("    1C") && withoutOuterBlanks(lines[0]).size() >= 2) return &kFrd;
  if (withoutOuterBlanks(lines[0]) == "-1" && lines[0].size() >= 6) return &kUniversal;
  if (isTextOp4(lines[0])) return &kOp4;
  if (isHarwellBoeing(lines)) return &kHarwell;
  if (lines[0].starts_with("/COM,ANSYS") || lines[0].starts_with("/PREP7") || contains("\nNBLOCK,"))
    return &kAnsys;
  if (isAsterMailFile(lines)) return &kMail;
  if (contains("E I G E N V A L U E   O U T P U T") || contains("  S T E P  ")) return &kDat;
  if (contains("N A S T R A N    E X E C U T I V E") || contains("N A S T R A N   F I L E")) return &kPrinted;
  if (lines[0].starts_with("$NOD") && lines[0].size() <= 5) return &kMsh1;
  if (wanted != Wanted::mesh && lines[0].starts_with("$MeshFormat")) return &kMsh;
  if (wanted == Wanted::mesh || wanted == Wanted::matrix)
    if (looksLikeAbaqusInput(lines)) return &kInput;
  if (wanted != Wanted::matrix && isBulkData(lines)) return &kBulk;
  if (lines.size() > 3 && lines[3].starts_with("NPTS")) return &kPeer;
  if (lines[0].starts_with("Origin Time")) return &kKnet;
  return nullptr;
}

bool looksBinary(std::string_view begin) {
  return std::any_of(begin.begin(), begin.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20U && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1a';
  });
}

}  // namespace

std::optional<std::string> describeForeignFormat(std::string_view begin, Wanted wanted) {
  for (const Signature& signature : kSignatures)
    if (begin.starts_with(signature.bytes)) return sentenceAboutFormat(signature.format, wanted);
  if (begin.starts_with("\x89HDF\r\n\x1a\n"))
    return wanted == Wanted::mesh ? std::nullopt : std::optional(sentenceAboutFormat(kHdf5, wanted));
  if (const Foreign* text = findForeignTextFormat(begin, wanted)) return sentenceAboutFormat(*text, wanted);
  if (wanted == Wanted::mesh && begin.starts_with("$MeshFormat")) return std::nullopt;
  if (!looksBinary(begin)) return std::nullopt;
  if (isOp2File(begin)) return sentenceAboutFormat(kOp2, wanted);
  if (isBinaryOp4(begin)) return sentenceAboutFormat(kOp4, wanted);
  return sentenceAboutFormat(kBinary, wanted);
}

std::optional<std::string> describeForeignFormatOfFile(const std::filesystem::path& file, Wanted wanted) {
  constexpr std::size_t kLooked = 8192;
  std::ifstream stream;
  if (!openInputOrGetReason(file, stream).empty()) return std::nullopt;
  std::string begin(kLooked, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return describeForeignFormat(begin, wanted);
}

}  // namespace ricochet
