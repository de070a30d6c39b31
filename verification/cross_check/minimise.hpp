#pragma once

#include <functional>
#include <vector>

namespace ricochet::cross {

/// Simplifies a model repeatedly while `fails` stays true, until no simplification keeps `fails` true.
/// `simplified` gives the candidates for a model, in the order of decreasing simplification. At most
/// `attempts` candidates are tried.
template <class Model>
Model simplifyFailingModel(Model model, const std::function<std::vector<Model>(const Model&)>& simplified,
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
