#include "io/formats/abaqus_input.hpp"

#include "io/formats/included_lines.hpp"
#include "io/formats/input_card.hpp"
#include "io/text/text_lines.hpp"

#include <Eigen/Geometry>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

namespace ricochet {
namespace {

using DataFields = std::vector<std::string_view>;

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

/// Coordinate system of *SYSTEM and of an instance: x = origin + axes x'.
struct Frame {
  Mat3 axes{Mat3::Identity()};
  Vec3 origin{Vec3::Zero()};

  Vec3 transformToGlobalAxes(const Vec3& local) const { return origin + axes * local; }
};

/// Dofs that an element gives to its nodes, by the element type; empty if the type is unknown.
std::optional<std::array<bool, kComponents>> dofsOfElement(std::string_view type) {
  constexpr std::array<bool, kComponents> kSpace{true, true, true, false, false, false};
  constexpr std::array<bool, kComponents> kPlane{true, true, false, false, false, false};
  constexpr std::array<bool, kComponents> kPlaneBeam{true, true, false, false, false, true};
  constexpr std::array<bool, kComponents> kAll{true, true, true, true, true, true};
  struct Kind {
    std::string_view begin;
    const std::array<bool, kComponents>& dofs;
  };
  // The first matching kind is used; elements with further unknowns (pressure, temperature) are not listed.
  const Kind kinds[] = {
      {"c3d", kSpace},     {"sc6", kSpace},        {"sc8", kSpace},        {"t3d", kSpace},
      {"m3d", kSpace},     {"sfm3d", kSpace},      {"coh3d", kSpace},      {"mass", kSpace},
      {"springa", kSpace}, {"dashpota", kSpace},   {"cps", kPlane},        {"cpe", kPlane},
      {"cax", kPlane},     {"t2d", kPlane},        {"b21", kPlaneBeam},    {"b22", kPlaneBeam},
      {"b23", kPlaneBeam}, {"pipe21", kPlaneBeam}, {"pipe22", kPlaneBeam}, {"frame2d", kPlaneBeam},
      {"b31", kAll},       {"b32", kAll},          {"b33", kAll},          {"pipe31", kAll},
      {"pipe32", kAll},    {"frame3d", kAll},      {"s3", kAll},           {"s4", kAll},
      {"s8r", kAll},       {"stri3", kAll},        {"rotaryi", kAll}};
  const std::string name = lowerCase(type);
  const bool isOther = name.ends_with("t") || name.ends_with("p") || name.ends_with("h") ||
                       name.ends_with("r5") || name.ends_with("os");
  if (!isOther)
    for (const Kind& kind : kinds)
      if (name.starts_with(kind.begin)) return kind.dofs;
  return std::nullopt;
}

/// Reads the model data in one pass.
class InputReader {
 public:
  InputReader(IncludedLines& lines, InputModel& model) : lines_(lines), model_(model) {}

  void readAbaqusInput() {
    std::string line;
    while (!ended_ && lines_.isFreeOfProblems() && lines_.readNextLine(line)) {
      if (isAbaqusKeywordLine(line)) {
        if (!appendContinuationLines(line, lines_)) return;
        const InputCard card = parseInputCard(line);
        // the lines of an included file replace the line that includes it
        if (card.name == "*include") {
          lines_.includeFile(std::string(card.optionValue("input")));
          continue;
        }
        card_ = card;
        dataLines_ = 0;
        elementGoesOn_ = false;
        processKeywordLine();
      } else {
        splitInputDataLine(line, fields_);
        processDataLine();
        ++dataLines_;
      }
    }
    for (const auto& [name, part] : parts_)
      if (!part.isPlaced && !part.nodes.empty())
        recordMissingFeature(fmt::format("*PART {} has no *INSTANCE that places it", printableExcerpt(name)));
  }

 private:
  struct LocalNode {
    std::int64_t number{0};
    InputModel::Node node;
  };
  struct Part {
    std::vector<LocalNode> nodes;
    bool isPlaced{false};
  };

  void recordMissingFeature(const std::string& reason) {
    if (model_.missing.empty()) model_.missing = reason;
  }

  void processKeywordLine() {
    const std::string& name = card_.name;
    if (name == "*step") {
      ended_ = true;
    } else if (name == "*node") {
      beginNodeSection();
    } else if (name == "*system") {
      system_ = {};
      needsPlane_ = false;
    } else if (name == "*part") {
      part_ = &parts_[lowerCase(card_.optionValue("name"))];
      system_ = {};
    } else if (name == "*endpart") {
      part_ = nullptr;
      system_ = {};
    } else if (name == "*instance") {
      beginPartInstance();
    } else if (name == "*endinstance") {
      endPartInstance();
    } else if (name == "*element") {
      beginElementSection();
    } else if (name == "*ngen" || name == "*nfill" || name == "*ncopy") {
      recordMissingFeature(fmt::format("{} in line {} makes nodes, which is not read: write them out",
                                       convertToUpperCase(name), lines_.lineNumber()));
    } else if (name == "*nmap" || name == "*imperfection") {
      lines_.reportProblem(
          fmt::format("{} moves nodes, which is not read: give `positions` as a table with the "
                      "columns node, x, y, z",
                      convertToUpperCase(name)));
    } else if (name == "*transform") {
      lines_.reportProblem(
          "*TRANSFORM turns the directions of dofs, which is not read: leave it out when the matrices are "
          "written, or give `positions` as a table if their dofs are global");
    }
  }

  static std::string convertToUpperCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
  }

  void beginNodeSection() {
    const std::string system = lowerCase(card_.optionValue("system"));
    if (system.starts_with('s'))
      return lines_.reportProblem("nodes in spherical coordinates are not read: give them in Cartesian ones");
    if (!system.empty() && !system.starts_with('r') && !system.starts_with('c'))
      return lines_.reportProblem(
          fmt::format("SYSTEM must be R, C or S, got \"{}\"", printableExcerpt(system)));
    cylindrical_ = system.starts_with('c');
    if (const std::string_view input = card_.optionValue("input"); !input.empty())
      lines_.includeFile(std::string(input));
  }

  void processDataLine() {
    const std::string& name = card_.name;
    if (name == "*node")
      processNodeLine();
    else if (name == "*system" && dataLines_ < 2)
      processCoordinateSystem();
    else if (name == "*instance" && instance_ && dataLines_ < 2)
      processInstanceLine();
    else if (name == "*element")
      processElementLine();
  }

  /// Reads the numbers of a data line; omitted numbers are zero. False after a problem.
  bool readNumbersFromField(std::size_t first, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string_view text = first + i < fields_.size() ? fields_[first + i] : std::string_view{};
      numbers[i] = 0.0;
      if (text.empty()) continue;
      const std::optional<double> value = parseReal(text);
      if (!value) {
        lines_.reportProblemAt(text, messageOnInvalidNumber(text));
        return false;
      }
      numbers[i] = *value;
    }
    return true;
  }

  void processNodeLine() {
    const std::optional<std::int64_t> number = parseInteger(fields_[0]);
    if (!number) return lines_.reportProblem("must be a node and its position x, y, z");
    if (needsPlane_)
      return lines_.reportProblem("the x axis of *SYSTEM is along z: its second line is needed");
    std::vector<double> x(3);
    if (!readNumbersFromField(1, x)) return;
    const double angle = x[1] * kRadiansPerDegree;
    const Vec3 local =
        cylindrical_ ? Vec3(x[0] * std::cos(angle), x[0] * std::sin(angle), x[2]) : Vec3(x[0], x[1], x[2]);
    const InputModel::Node node{system_.transformToGlobalAxes(local), lines_.lineNumber(), lines_.file(), 0};
    if (part_ != nullptr)
      part_->nodes.push_back({*number, node});
    else if (instance_)
      instance_->nodes.push_back({*number, node});
    else
      addNode(*number, node, Frame{}, 0);
  }

  /// Reads *SYSTEM: the origin, a point on the local x axis, and a point in the local xy plane. Without the
  /// third point z is unchanged; without the second the axes are global.
  void processCoordinateSystem() {
    std::vector<double> x(6);
    if (!readNumbersFromField(0, x)) return;
    if (dataLines_ == 0) {
      system_.origin = Vec3(x[0], x[1], x[2]);
      onX_ = Vec3(x[3], x[4], x[5]) - system_.origin;
      const bool isTurned = std::any_of(fields_.begin() + std::min<std::ptrdiff_t>(3, std::ssize(fields_)),
                                        fields_.end(), [](std::string_view f) { return !f.empty(); });
      needsPlane_ = isTurned && onX_.head<2>().norm() <= 1e-12 * onX_.norm();
      if (isTurned && !needsPlane_)
        setAxesOfCoordinateSystem(Vec3(onX_.x(), onX_.y(), 0.0), Vec3(-onX_.y(), onX_.x(), 0.0));
    } else {
      needsPlane_ = false;
      setAxesOfCoordinateSystem(onX_, Vec3(x[0], x[1], x[2]) - system_.origin);
    }
  }

  void setAxesOfCoordinateSystem(const Vec3& alongX, const Vec3& inPlane) {
    const Vec3 z = alongX.cross(inPlane);
    if (!(z.norm() > 1e-12 * alongX.norm() * inPlane.norm()))
      return lines_.reportProblem("the points of *SYSTEM are on one line");
    const Vec3 ex = alongX.normalized(), ez = z.normalized();
    system_.axes.col(0) = ex;
    system_.axes.col(1) = ez.cross(ex);
    system_.axes.col(2) = ez;
  }

  void beginPartInstance() {
    system_ = {};
    instance_ = std::make_unique<Instance>();
    instance_->name = std::string(card_.optionValue("name"));
    const std::string part = lowerCase(card_.optionValue("part"));
    if (card_.optionValue("part").empty())
      recordMissingFeature(
          fmt::format("*INSTANCE in line {} takes its nodes from another analysis", lines_.lineNumber()));
    instance_->part = part;
  }

  /// Reads the transformation of an instance: first a translation, then a rotation about the line from a to b
  /// by an angle in degrees.
  void processInstanceLine() {
    Frame& frame = instance_->frame;
    std::vector<double> x(7);
    if (!readNumbersFromField(0, x)) return;
    if (dataLines_ == 0) {
      frame.origin = Vec3(x[0], x[1], x[2]);
      return;
    }
    const Vec3 a(x[0], x[1], x[2]), axis = Vec3(x[3], x[4], x[5]) - a;
    if (axis.isZero(0.0)) {
      if (x[6] != 0.0) lines_.reportProblem("the two points of the axis of rotation are the same");
      return;
    }
    frame.axes = Eigen::AngleAxisd(x[6] * kRadiansPerDegree, axis.normalized()).toRotationMatrix();
    frame.origin = a + frame.axes * (frame.origin - a);
  }

  void endPartInstance() {
    if (!instance_) return;
    system_ = {};
    const std::size_t scope = ++instances_;
    scopes_[scope] = instance_->name;
    const auto part = parts_.find(instance_->part);
    if (part != parts_.end()) {
      part->second.isPlaced = true;
      for (const LocalNode& each : part->second.nodes)
        addNode(each.number, each.node, instance_->frame, scope);
    }
    for (const LocalNode& each : instance_->nodes) addNode(each.number, each.node, instance_->frame, scope);
    instance_.reset();
  }

  std::string describeScope(std::size_t scope) const {
    const auto found = scopes_.find(scope);
    return found == scopes_.end() ? "the assembly" : "instance " + printableExcerpt(found->second);
  }

  void addNode(std::int64_t number, InputModel::Node node, const Frame& frame, std::size_t scope) {
    node.position = frame.transformToGlobalAxes(node.position);
    node.scope = scope;
    const auto [found, isNew] = model_.nodes.emplace(number, node);
    if (isNew) return;
    const InputModel::Node& known = found->second;
    if (known.scope != scope) {
      model_.unclear.emplace(number, fmt::format("is one of {} and one of {}", describeScope(known.scope),
                                                 describeScope(scope)));
      return;
    }
    if (known.position == node.position) return;
    const std::string other =
        known.file == node.file ? "" : " of " + lines_.files()[known.file].filename().string();
    lines_.reportProblem(
        fmt::format("node {} is given twice: line {}{} has it at ({:.9g}, {:.9g}, {:.9g}), line {} at "
                    "({:.9g}, {:.9g}, {:.9g})",
                    number, known.line, other, known.position.x(), known.position.y(), known.position.z(),
                    node.line, node.position.x(), node.position.y(), node.position.z()));
  }

  void beginElementSection() {
    const std::optional<std::array<bool, kComponents>> dofs = dofsOfElement(card_.optionValue("type"));
    elementDofs_ = dofs.value_or(std::array<bool, kComponents>{});
    if (!dofs && model_.unknownElement.empty())
      model_.unknownElement = printableExcerpt(card_.optionValue("type"));
  }

  /// Reads an element: its number and its nodes; a line that ends with a comma continues on the next line.
  void processElementLine() {
    for (std::size_t i = elementGoesOn_ ? 0 : 1; i < fields_.size(); ++i) {
      const std::optional<std::int64_t> node = parseInteger(fields_[i]);
      if (!node) continue;
      std::array<bool, kComponents>& dofs = model_.dofs[*node];
      for (std::size_t c = 0; c < dofs.size(); ++c) dofs[c] = dofs[c] || elementDofs_[c];
    }
    elementGoesOn_ = fields_.size() > 1 && fields_.back().empty();
  }

  struct Instance {
    std::string name, part;
    Frame frame;
    std::vector<LocalNode> nodes;
  };

  IncludedLines& lines_;
  InputModel& model_;
  InputCard card_;
  DataFields fields_;
  int dataLines_{0};  ///< number of data lines of the card read before the present line
  std::map<std::string, Part> parts_;
  Part* part_{nullptr};
  std::unique_ptr<Instance> instance_;
  std::size_t instances_{0};
  std::map<std::size_t, std::string> scopes_;
  Frame system_;
  Vec3 onX_{Vec3::Zero()};
  std::array<bool, kComponents> elementDofs_{};
  bool cylindrical_{false}, needsPlane_{false}, elementGoesOn_{false}, ended_{false};
};

}  // namespace

std::optional<InputModel> readAbaqusInputModel(const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  IncludedLines lines(file, diagnostics, "**");
  InputModel model;
  if (lines.isFreeOfProblems()) InputReader(lines, model).readAbaqusInput();
  model.files = lines.files();
  return diagnostics.size() == before ? std::optional(std::move(model)) : std::nullopt;
}

std::optional<std::vector<MatrixRow>> matrixRowsOfElements(const InputModel& model, int size,
                                                           std::string& why) {
  std::vector<MatrixRow> rows;
  for (const auto& [number, dofs] : model.dofs)
    for (int c = 0; c < kComponents; ++c)
      if (dofs[static_cast<std::size_t>(c)])
        rows.push_back({std::to_string(number), componentOfIndex(c), std::nullopt, RowPlace::atNode, {}});
  why.clear();
  if (!model.unclear.empty())
    why = "several instances have nodes of one number";
  else if (!model.unknownElement.empty())
    why = fmt::format("the dofs of elements of type {} are not known here", model.unknownElement);
  else if (static_cast<int>(rows.size()) != size)
    why = fmt::format("its elements have {} dofs, the matrices {} rows", rows.size(), size);
  return why.empty() ? std::optional(std::move(rows)) : std::nullopt;
}

}  // namespace ricochet
