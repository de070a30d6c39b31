#include "engine/study/run_transient.hpp"

#include "engine/event/event_run.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/transient_loop.hpp"
#include "engine/study/direct.hpp"

#include <cassert>

namespace ricochet {
namespace {

/// Runs the integrator of a list that has the given keyword.
template <class List, class E>
Report runSchemeOfName(std::string_view scheme, E& equation, State& state, const TransientOptions& options,
                       TransientObserver& observer) {
  assert(options.end > options.start && options.step > 0.0 && options.archiveEvery > 0);
  Report report;
  bool known = false;
  List::forEach([&]<class I>() {
    if (scheme != I::keyword) return;
    known = true;
    I integrator = makeIntegrator<I>(equation.model().linear, options.scheme);
    report = TransientLoop<I, E>(integrator, equation, state, options, observer).run();
  });
  assert(known);
  (void)known;
  return report;
}

}  // namespace

Report run(std::string_view scheme, ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer) {
  if (scheme == kEventScheme) return EventRun(equation, state, options, observer).run();
  return runSchemeOfName<Integrators>(scheme, equation, state, options, observer);
}

Report run(std::string_view scheme, DirectEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer) {
  return runSchemeOfName<DirectIntegrators>(scheme, equation, state, options, observer);
}

}  // namespace ricochet
