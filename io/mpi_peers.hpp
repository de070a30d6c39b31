#pragma once

#include "io/batch/batch_peers.hpp"

namespace ricochet {

/// The processes that mpirun (or srun) started together with this one; null if it is alone. Part of the
/// program, not of the library, which knows nothing of MPI.
std::unique_ptr<BatchPeers> mpiPeers();

}  // namespace ricochet
