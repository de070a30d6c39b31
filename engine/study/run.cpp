#include "engine/study/run.hpp"

#include "engine/study/checks/study_checks.hpp"
#include "engine/study/parts/earlier_run.hpp"
#include "engine/study/with_equation.hpp"
#include "engine/transient/run_interval.hpp"

#include <algorithm>
#include <stdexcept>

namespace ricochet {

class Result::Recorder : public TransientObserver {
 public:
  explicit Recorder(Result& result) : result_(&result) {}

  void archive(const StepView& view) override {
    const Eigen::Index size = result_->simulation_->size();
    result_->time_.push_back(view.state.time);
    result_->q_.emplace_back(view.state.q.head(size));
    result_->v_.emplace_back(view.state.v.head(size));
    result_->views_.insert(result_->views_.end(), view.contacts.begin(), view.contacts.end());
    result_->links_.insert(result_->links_.end(), view.links.begin(), view.links.end());
  }
  void onEvents(std::span<const Event> events) override {
    result_->events_.insert(result_->events_.end(), events.begin(), events.end());
  }

 private:
  Result* result_;
};

Result::Result(const Study& study, std::unique_ptr<const Simulation> simulation)
    : contacts_(study.contacts.size()), simulation_(std::move(simulation)) {
  for (const ContactRequest& each : study.contacts) names_.push_back(each.name);
  for (const LinkRequest& each : study.links) names_.push_back(each.name);
}

Result::Result(Result&&) noexcept = default;
Result& Result::operator=(Result&&) noexcept = default;
Result::~Result() = default;

std::vector<double> Result::displacement(NodeIndex node, Component component) const {
  return history(node, component, Kinematic::displacement);
}

std::vector<double> Result::velocity(NodeIndex node, Component component) const {
  return history(node, component, Kinematic::velocity);
}

std::vector<double> Result::history(NodeIndex node, Component component, Kinematic kind) const {
  const Dof dof{node, component};
  const Eigen::RowVectorXd row = simulation_->row(dof);
  const ImposedMotion imposed = simulation_->imposedMotion(dof, kind, false);
  const std::vector<Vector>& coordinates = kind == Kinematic::displacement ? q_ : v_;
  std::vector<double> values;
  values.reserve(time_.size());
  const auto links = static_cast<std::size_t>(simulation_->links().size());
  for (std::size_t i = 0; i < time_.size(); ++i)
    values.push_back(row.dot(coordinates[i]) + imposed.at(time_[i],
                                                          std::span(views_).subspan(i * contacts_, contacts_),
                                                          std::span(links_).subspan(i * links, links)));
  return values;
}

std::size_t Result::indexOfName(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::out_of_range("no contact or link is called " + std::string(name));
  return static_cast<std::size_t>(found - names_.begin());
}

std::vector<ContactView> Result::contact(std::string_view name) const {
  const std::size_t place = indexOfName(name);
  if (place >= contacts_) throw std::out_of_range(std::string(name) + " is a link");
  std::vector<ContactView> views;
  for (std::size_t i = place; i < views_.size(); i += contacts_) views.push_back(views_[i]);
  return views;
}

std::vector<LinkState> Result::link(std::string_view name) const {
  const std::size_t place = indexOfName(name);
  if (place < contacts_) throw std::out_of_range(std::string(name) + " is a contact");
  std::vector<LinkState> states;
  const auto links = static_cast<std::size_t>(simulation_->links().size());
  for (std::size_t i = place - contacts_; i < links_.size(); i += links) states.push_back(links_[i]);
  return states;
}

double Result::event(std::string_view name, EventKind kind, int n) const {
  const auto place = static_cast<int>(indexOfName(name));
  int left = n;
  for (const Event& each : events_)
    if (each.contact == place && each.kind == kind && --left == 0) return each.time;
  throw std::out_of_range(std::string(name) + " has no event " +
                          std::string(ricochet::nameOfEventKind(kind)) + " number " + std::to_string(n));
}

Result run(const Study& study, const RunChoice& choice) {
  checkStudy(study, {choice.direct, choice.archiveEvery, choice.archiveTimes});
  Result result(study, choice.direct ? prepareDirectSimulation(study) : prepare(study));
  const Simulation& simulation = *result.simulation_;
  State state = simulation.initial;
  TransientOptions options;
  options.start = study.transient->start;
  options.end = options.start + study.transient->duration;
  options.step = simulation.step;
  options.archiveEvery = choice.archiveEvery;
  if (simulation.restart && simulation.restart->memory) options.memory = &*simulation.restart->memory;
  for (const double time : choice.archiveTimes)
    options.archiveTimes.push_back(
        RunInterval{options.start, options.end}.instantIfWithinRun(time).value_or(time));
  options.scheme = choice.direct ? study.direct.options : study.transient->options;
  Result::Recorder recorder(result);
  result.report_ = callWithEquationOfMotion(simulation, [&](auto& equation) {
    return ricochet::run(simulation.scheme, equation, state, options, recorder);
  });
  return result;
}

}  // namespace ricochet
