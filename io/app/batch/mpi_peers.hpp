#pragma once

#include "io/app/batch/batch_peers.hpp"

namespace ricochet {

class MpiPeers;

/// The processes that mpirun (or srun) started together with this one. Part of the program, not of the
/// library, which knows nothing of MPI.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// Null if this process is alone.
  BatchPeers* peers();

  /// Leaves the others when all that counts is written; gives back the exit status. Waits for nobody who has
  /// died.
  int end(int status);

 private:
  std::unique_ptr<MpiPeers> peers_;
};

}  // namespace ricochet
