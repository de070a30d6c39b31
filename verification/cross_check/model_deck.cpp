#include "verification/cross_check/model_deck.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>

namespace ricochet::cross {
namespace {

constexpr std::array<const char*, 6> kDofs{"ux", "uy", "uz", "rx", "ry", "rz"};

std::string text(double x) {
  std::string digits = fmt::format("{}", x);
  if (digits.find_first_of(".en") == std::string::npos) digits += ".0";
  return digits;
}

template <class V>
std::string list(const V& v) {
  std::string all;
  for (Eigen::Index i = 0; i < v.size(); ++i) all += (i == 0 ? "" : ", ") + text(v[i]);
  return "[" + all + "]";
}

void writeNode(std::string& deck, const std::string& name, const Vector3& position) {
  deck += fmt::format("\n[[nodes]]\nname = \"{}\"\nposition = {}\n", name, list(position));
}

/// A node that moves with a body: u_point = u + theta x offset.
void writePoint(std::string& deck, const ContactModel& model, const std::string& name, int body,
                const Vector3& offset) {
  writeNode(deck, name, model.bodies[static_cast<std::size_t>(body)].position + offset);
  deck += fmt::format("[[springs]]\nnodes = [\"{}\"]\nstiffness = [0.0, 0.0, 0.0]\n", name);
  for (int axis = 0; axis < (model.planar ? 2 : 3); ++axis) {
    std::string terms = fmt::format(
        "{{ node = \"{}\", dof = \"{}\", factor = 1.0 }}, {{ node = \"b{}\", dof = \"{}\", factor = -1.0 }}",
        name, kDofs[static_cast<std::size_t>(axis)], body, kDofs[static_cast<std::size_t>(axis)]);
    for (int turn = model.planar ? 2 : 0; turn < 3; ++turn) {
      const double factor = -Vector3::Unit(turn).cross(offset)[axis];
      if (factor != 0.0)
        terms += fmt::format(", {{ node = \"b{}\", dof = \"{}\", factor = {} }}", body,
                             kDofs[static_cast<std::size_t>(turn + 3)], text(factor));
    }
    deck += fmt::format("[[relations]]\nterms = [ {} ]\n", terms);
  }
}

void writeBodies(std::string& deck, const ContactModel& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    writeNode(deck, fmt::format("b{}", i), body.position);
    deck +=
        fmt::format("[[masses]]\nnodes = [\"b{}\"]\nmass = {}\ninertia = [{}, {}, {}, 0.0, 0.0, 0.0]\n", i,
                    text(body.mass), text(body.inertia[0]), text(body.inertia[1]), text(body.inertia[2]));
    if (model.planar) deck += fmt::format("[[supports]]\nnodes = [\"b{}\"]\nfixed = [\"rx\", \"ry\"]\n", i);
  }
  if (model.planar) deck += "\n[[supports]]\nnodes = \"all\"\nfixed = [\"uz\"]\n";
}

void writePoints(std::string& deck, const ContactModel& model) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const PointContact& c = model.contacts[i];
    writePoint(deck, model, fmt::format("c{}", i), c.body, c.offset);
    if (!c.other) continue;
    const Vector3 place =
        model.bodies[static_cast<std::size_t>(c.body)].position + c.offset - c.gap * c.normal;
    writePoint(deck, model, fmt::format("d{}", i), *c.other,
               place - model.bodies[static_cast<std::size_t>(*c.other)].position);
  }
}

void writeContacts(std::string& deck, const ContactModel& model, const DeckChoice& choice) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const PointContact& c = model.contacts[i];
    deck += fmt::format("\n[[contacts]]\nname = \"c{}\"\n", i);
    // In a pair the normal of the plane points from the first node to the second: the body with the plane
    // comes first.
    if (c.other)
      deck += fmt::format("nodes = [\"d{}\", \"c{}\"]\nobstacle = {{ type = \"plane\", normal = {} }}\n", i,
                          i, list(c.normal));
    else
      deck += fmt::format("node = \"c{}\"\nobstacle = {{ type = \"plane\", normal = {}, gap = {} }}\n", i,
                          list(c.normal), text(c.gap));
    if (choice.penalty)
      deck += fmt::format("normal = {{ stiffness = {}, damping = {} }}\n", text(choice.penalty->stiffness),
                          text(choice.penalty->damping));
    else
      deck += fmt::format("normal = {{ law = \"rigid\", restitution = {} }}\n", text(c.restitution));
    if (c.friction > 0.0)
      deck += fmt::format("friction = {{ coefficient = {}{} }}\n", text(c.friction),
                          c.line ? ", along = " + list(*c.line) : std::string{});
  }
}

std::string functionText(const LoadFunction& f) {
  const std::string a = text(f.amplitude);
  switch (f.kind) {
    case LoadFunction::Kind::constant:
      break;
    case LoadFunction::Kind::ramp:
      return fmt::format("times = [0.0, {}]\nvalues = [0.0, {}]\nafter = \"constant\"", text(f.parameter),
                         text(f.amplitude * f.parameter));
    case LoadFunction::Kind::sine:
      return fmt::format("formula = \"{}*sin({}*t)\"", a, text(f.parameter));
    case LoadFunction::Kind::power:
      return fmt::format("formula = \"{}*t^{}\"", a, text(f.parameter));
  }
  return fmt::format("formula = \"{}\"", a);
}

void writeLoads(std::string& deck, const ContactModel& model) {
  if (model.gravity != 0.0)
    deck += fmt::format("\n[gravity]\nacceleration = [0.0, {}, 0.0]\n", text(-model.gravity));
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    const BodyLoad& load = model.loads[i];
    deck += fmt::format("\n[functions.push{}]\n{}\n", i, functionText(load.function));
    deck += fmt::format("[[loads]]\nnodes = [\"b{}\"]\nforce = {}\nmoment = {}\nscale = \"push{}\"\n",
                        load.body, list(load.force.head<3>()), list(load.force.tail<3>()), i);
  }
  if (model.table)
    deck +=
        fmt::format("\n[functions.table]\n{}\n[[base_motions]]\ndirection = {}\nacceleration = \"table\"\n",
                    functionText(model.table->acceleration), list(model.table->direction));
}

/// Initial velocities of bodies and of the points that move with them.
void writeVelocities(std::string& deck, const ContactModel& model) {
  std::string entries;
  const auto add = [&](const std::string& name, const auto& value) {
    entries +=
        fmt::format("{}  {{ node = \"{}\", value = {} }}", entries.empty() ? "" : ",\n", name, list(value));
  };
  const auto velocityAt = [&](int body, const Vector3& offset) {
    const Vector6& v = model.bodies[static_cast<std::size_t>(body)].velocity;
    return Vector3(v.head<3>() + v.tail<3>().cross(offset));
  };
  bool moves = false;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    add(fmt::format("b{}", i), model.bodies[i].velocity);
    moves = moves || !model.bodies[i].velocity.isZero(0.0);
  }
  if (!moves) return;
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const PointContact& c = model.contacts[i];
    add(fmt::format("c{}", i), velocityAt(c.body, c.offset));
    if (!c.other) continue;
    const Vector3 place =
        model.bodies[static_cast<std::size_t>(c.body)].position + c.offset - c.gap * c.normal;
    add(fmt::format("d{}", i),
        velocityAt(*c.other, place - model.bodies[static_cast<std::size_t>(*c.other)].position));
  }
  deck += fmt::format("\n[initial]\nvelocity = [\n{}\n]\n", entries);
}

void writeChecks(std::string& deck, const ContactModel& model, const DeckChoice& choice) {
  for (const ExpectedValue& value : choice.expected)
    deck += fmt::format(
        "\n[[checks]]\nquantity = \"displacement\"\nnode = \"b{}\"\ndof = \"{}\"\ntime = {}\nreference = {}\n"
        "absolute = {}\nsource = \"{}\"\n",
        value.body, kDofs[static_cast<std::size_t>(value.component)], text(value.time), text(value.value),
        text(value.tolerance), value.source);
  if (!choice.checkGaps) return;
  for (std::size_t i = 0; i < model.contacts.size(); ++i)
    deck += fmt::format(
        "\n[[checks]]\nquantity = \"gap\"\ncontact = \"c{}\"\nstatistic = \"min\"\nreference = 10.0\n"
        "absolute = 10.00000001\n",
        i);
  deck += "\n[[checks]]\nquantity = \"energy_error\"\nreference = 0.0\nabsolute = 1e-7\n";
}

}  // namespace

std::string deckOf(const ContactModel& model, const DeckChoice& choice) {
  std::string deck = fmt::format("title = \"{}\"\n", choice.title);
  writeBodies(deck, model);
  writePoints(deck, model);
  deck += "\n[basis]\nall = true\n";
  writeLoads(deck, model);
  writeVelocities(deck, model);
  writeContacts(deck, model, choice);
  deck += fmt::format("\n[transient]\nduration = {}\nscheme = \"{}\"\n", text(model.duration), choice.scheme);
  if (choice.step > 0.0) deck += fmt::format("step = {}\n", text(choice.step));
  writeChecks(deck, model, choice);
  return deck;
}

std::vector<ExpectedValue> expectedValues(const ContactModel& model, const Eigen::MatrixXd& positions,
                                          const std::vector<double>& instants,
                                          const std::vector<double>& tolerances, std::size_t count) {
  constexpr std::size_t kEvery = 4;
  const int perBody = model.planar ? 3 : 6;
  std::vector<ExpectedValue> values;
  for (std::size_t i = 0; i < count; ++i) {
    if ((i + 1) % kEvery != 0 && i + 1 != count) continue;
    for (int row = 0; row < static_cast<int>(positions.rows()); ++row) {
      const int part = row % perBody;
      ExpectedValue value;
      value.body = row / perBody;
      value.component = model.planar && part == 2 ? 5 : part;
      value.time = instants[i];
      value.value = positions(row, static_cast<Eigen::Index>(i));
      value.tolerance = tolerances[i];
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace ricochet::cross
