#include "verification/cross_check/simplify_model.hpp"

#include <cmath>
#include <cstddef>

namespace ricochet::cross {
namespace {

/// The model without a body and without all contacts, joints and loads of this body.
ContactModel withoutBody(const ContactModel& model, int body) {
  ContactModel other = model;
  other.bodies.erase(other.bodies.begin() + body);
  const auto isGone = [&](const PointContact& c) { return c.body == body || (c.other && *c.other == body); };
  std::erase_if(other.contacts, isGone);
  std::erase_if(other.loads, [&](const BodyLoad& load) { return load.body == body; });
  for (PointContact& c : other.contacts) {
    c.body -= c.body > body ? 1 : 0;
    if (c.other) *c.other -= *c.other > body ? 1 : 0;
  }
  for (BodyLoad& load : other.loads) load.body -= load.body > body ? 1 : 0;
  return other;
}

double rounded(double x, int digits) {
  if (x == 0.0) return x;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - digits + 1);
  return std::round(x / unit) * unit;
}

void addModelsWithFewerParts(const ContactModel& model, std::vector<ContactModel>& all) {
  if (model.bodies.size() > 1)
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) all.push_back(withoutBody(model, b));
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    all.push_back(model);
    all.back().contacts.erase(all.back().contacts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    all.push_back(model);
    all.back().loads.erase(all.back().loads.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (model.table) {
    all.push_back(model);
    all.back().table.reset();
  }
}

/// Adds the model after `change`, if `change` has an effect.
template <class Get>
void addValue(const ContactModel& model, std::vector<ContactModel>& all, Get&& get, double value) {
  ContactModel other = model;
  double& place = get(other);
  if (place == value) return;
  place = value;
  all.push_back(other);
}

void addModelsWithZeros(const ContactModel& model, std::vector<ContactModel>& all) {
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    addValue(
        model, all, [&](ContactModel& m) -> double& { return m.contacts[i].friction; }, 0.0);
    addValue(
        model, all, [&](ContactModel& m) -> double& { return m.contacts[i].restitution; }, 0.0);
    addValue(
        model, all, [&](ContactModel& m) -> double& { return m.contacts[i].gap; }, 0.0);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (Eigen::Index k = 0; k < 6; ++k)
      addValue(
          model, all, [&](ContactModel& m) -> double& { return m.bodies[b].velocity[k]; }, 0.0);
  for (std::size_t i = 0; i < model.loads.size(); ++i)
    for (Eigen::Index k = 0; k < 6; ++k)
      addValue(
          model, all, [&](ContactModel& m) -> double& { return m.loads[i].force[k]; }, 0.0);
  addValue(
      model, all, [&](ContactModel& m) -> double& { return m.gravity; }, 0.0);
}

void addModelsWithRoundedNumbers(const ContactModel& model, std::vector<ContactModel>& all) {
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    const auto function = [&](ContactModel& m) -> LoadFunction& { return m.loads[i].function; };
    const LoadFunction& f = model.loads[i].function;
    for (int digits = 1; digits < 3; ++digits) {
      addValue(
          model, all, [&](ContactModel& m) -> double& { return function(m).amplitude; },
          rounded(f.amplitude, digits));
      if (f.kind == LoadFunction::Kind::sine)
        addValue(
            model, all, [&](ContactModel& m) -> double& { return function(m).parameter; },
            rounded(f.parameter, digits));
    }
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].mass != 1.0) {
      // Forces are scaled with the mass, so that the motion of a single body stays the same.
      ContactModel other = model;
      Body& body = other.bodies[b];
      for (BodyLoad& load : other.loads)
        if (load.body == static_cast<int>(b)) load.function.amplitude /= body.mass;
      body.inertia /= body.mass;
      body.mass = 1.0;
      all.push_back(other);
    }
}

}  // namespace

std::vector<ContactModel> simplifiedModels(const ContactModel& model) {
  std::vector<ContactModel> all;
  addModelsWithFewerParts(model, all);
  constexpr double kShortest = 0.01;  // [s]
  for (double part : {0.25, 0.5, 0.8}) {
    if (model.duration * part < kShortest) continue;
    all.push_back(model);
    all.back().duration = rounded(model.duration * part, 2);
  }
  addModelsWithZeros(model, all);
  addModelsWithRoundedNumbers(model, all);
  std::erase_if(all, [](const ContactModel& m) { return m.bodies.empty() || m.contacts.empty(); });
  return all;
}

}  // namespace ricochet::cross
