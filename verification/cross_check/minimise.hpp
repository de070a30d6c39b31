#pragma once

#include <functional>
#include <vector>

namespace ricochet::cross {

/// Applies simplifications to a model while `fails` stays true, until none does. `simplified` gives the
/// candidates for a model, the boldest first. At most `attempts` candidates are tried.
template <class Model>
Model minimise(Model model, const std::function<std::vector<Model>(const Model&)>& simplified,
               const std::function<bool(const Model&)>& fails, int attempts) {
  for (bool shrinks = true; shrinks && attempts > 0;) {
    shrinks = false;
    for (const Model& candidate : simplified(model)) {
      if (attempts-- <= 0) break;
      if (!fails(candidate)) continue;
      model = candidate;
      shrinks = true;
      break;
    }
  }
  return model;
}

}  // namespace ricochet::cross
