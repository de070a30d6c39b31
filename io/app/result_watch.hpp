#pragma once

#include <cstdio>
#include <filesystem>

namespace ricochet {

struct WatchRequest {
  double every{1.0};  ///< time between two looks at the file [s]
  bool once{false};   ///< true: reads the file a single time and ends
};

/// Follows a run that another process writes: NAME.h5.partial of NAME.h5. Prints time, rate and time left,
/// energies and contacts until the run ends, and then its status. Returns false if the run failed or was
/// ended before its end. Throws TargetError if there is neither a run nor a result.
bool watchResult(const std::filesystem::path& result, const WatchRequest& request, std::FILE* out);

}  // namespace ricochet
