#pragma once

#include "io/app/batch/batch_peers.hpp"

namespace ricochet {

class MpiPeers;

/// The MPI processes that mpirun (or srun) started together with this process. Belongs to the program; the
/// library does not depend on MPI.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// The other processes; null if this process is alone.
  BatchPeers* peerProcesses();

  /// Leaves MPI when all results are written; returns the exit status. Does not wait for processes that have
  /// died.
  int leaveMpi(int status);

 private:
  std::unique_ptr<MpiPeers> peers_;
};

}  // namespace ricochet
