#include "engine/study/run_transient.hpp"

#include "engine/event/event_run.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/transient_loop.hpp"

#include <cassert>

namespace ricochet {

template <class I, class E>
Report runWith(I& integrator, E& equation, State& state, const TransientOptions& options,
               TransientObserver& observer) {
  assert(options.end > options.start && options.step > 0.0 && options.archiveEvery > 0);
  return TransientLoop<I, E>(integrator, equation, state, options, observer).run();
}

template Report runWith(KickDrift&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(CentralDifference&, ModalEquation&, State&, const TransientOptions&,
                        TransientObserver&);
template Report runWith(SymplecticEuler&, ModalEquation&, State&, const TransientOptions&,
                        TransientObserver&);
template Report runWith(Newmark&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(Hht&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(Devogelaere&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(RungeKutta32&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(RungeKutta54&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);
template Report runWith(AdaptiveCentral&, ModalEquation&, State&, const TransientOptions&,
                        TransientObserver&);
template Report runWith(Moreau&, ModalEquation&, State&, const TransientOptions&, TransientObserver&);

Report run(std::string_view scheme, ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer) {
  if (scheme == kEventScheme) return EventRun(equation, state, options, observer).run();
  Report report;
  bool known = false;
  Integrators::forEach([&]<class I>() {
    if (scheme != I::keyword) return;
    known = true;
    I integrator = makeIntegrator<I>(equation.linear(), options.scheme);
    report = runWith(integrator, equation, state, options, observer);
  });
  assert(known);
  (void)known;
  return report;
}

}  // namespace ricochet
