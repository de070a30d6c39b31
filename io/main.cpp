#include "io/app/commands/commands.hpp"

#ifdef RICOCHET_WITH_MPI
#include "io/app/batch/mpi_peers.hpp"
#endif

int main(int argc, char** argv) {
  ricochet::openStandardStreams();
#ifdef RICOCHET_WITH_MPI
  ricochet::MpiSession mpi;
  return mpi.leaveMpi(ricochet::executeCommandLine(argc, argv, [&] { return mpi.peerProcesses(); }));
#else
  return ricochet::executeCommandLine(argc, argv);
#endif
}
