#include "io/result/restored_xdmf.hpp"

#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/quantities/table/quantity.hpp"

#include <fmt/core.h>

#include <fstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A field and its number of components per node in the file; the first three components are written as
/// vectors.
struct VectorField {
  std::string name;
  std::size_t components;
};

std::string escapedXml(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

void writeMeshGeometry(std::ostream& out, const std::string& data, std::size_t nodes, std::size_t lines) {
  if (lines > 0)
    out << fmt::format(
        "    <Topology TopologyType=\"Polyline\" NodesPerElement=\"2\" NumberOfElements=\"{0}\">\n"
        "     <DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"4\" Dimensions=\"{0} "
        "2\">{1}:/model/lines"
        "</DataItem>\n    </Topology>\n",
        lines, data);
  else
    out << fmt::format(
        "    <Topology TopologyType=\"Polyvertex\" NodesPerElement=\"1\" NumberOfElements=\"{0}\"/>\n",
        nodes);
  out << fmt::format(
      "    <Geometry GeometryType=\"XYZ\">\n"
      "     <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"{} 3\">"
      "{}:/model/nodes/position</DataItem>\n    </Geometry>\n",
      nodes, data);
}

void writeVectorField(std::ostream& out, const std::string& data, const VectorField& field, std::size_t row,
                      std::size_t rows, std::size_t nodes) {
  out << fmt::format(
      "    <Attribute Name=\"{0}\" AttributeType=\"Vector\" Center=\"Node\">\n"
      "     <DataItem ItemType=\"HyperSlab\" Type=\"HyperSlab\" Dimensions=\"{3} 3\">\n"
      "      <DataItem Dimensions=\"3 3\" Format=\"XML\">{1} 0 0 1 1 1 1 {3} 3</DataItem>\n"
      "      <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"{2} {3} {4}\">"
      "{5}:/physical/{0}</DataItem>\n     </DataItem>\n    </Attribute>\n",
      field.name, row, rows, nodes, field.components, data);
}

}  // namespace

std::filesystem::path xdmfFileOf(const std::filesystem::path& file) {
  return std::filesystem::path(file).replace_extension(".xdmf");
}

void requireXdmfMayBeWritten(const std::filesystem::path& file, bool force,
                             const std::vector<InputFile>& inputs) {
  const std::filesystem::path xdmf = xdmfFileOf(file);
  if (isSameTargetFile(xdmf, file))
    throw TargetError(
        fmt::format("{}: would be the histories and their .xdmf at once; give -o another suffix, such as .h5",
                    file.string()));
  requireFileMayBeWritten(xdmf, OutputKind::xdmf, force, inputs);
}

std::filesystem::path writeXdmf(const std::filesystem::path& file) {
  const H5File result = openResult(file);
  const std::vector<double> times = result.read("/physical/time", {kAny}).values;
  const std::size_t nodes = result.rows("/model/nodes/position", {3});
  const std::size_t lines = result.rows("/model/lines", {2});
  std::vector<VectorField> fields;
  for (const std::string_view name :
       quantityNames([](const Quantity& each) { return each.place == QuantityPlace::node; }))
    if (const std::string path = fmt::format("/physical/{}", name); result.exists(path))
      fields.push_back({std::string(name), result.shape(path).back()});

  const std::filesystem::path name = xdmfFileOf(file);
  std::ofstream out(name);
  const std::string data = escapedXml(file.filename().string());  // both files are in one folder
  out << "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
         "  <Grid Name=\"motion\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::size_t row = 0; row < times.size(); ++row) {
    out << fmt::format("   <Grid Name=\"structure\" GridType=\"Uniform\">\n    <Time Value=\"{:.17g}\"/>\n",
                       times[row]);
    writeMeshGeometry(out, data, nodes, lines);
    for (const VectorField& field : fields) writeVectorField(out, data, field, row, times.size(), nodes);
    out << "   </Grid>\n";
  }
  out << "  </Grid>\n </Domain>\n</Xdmf>\n";
  out.close();
  if (!out) throw ResultError(name.string() + ": cannot be written");
  return name;
}

}  // namespace ricochet
