#include "io/commands/commands.hpp"

#ifdef RICOCHET_WITH_MPI
#include "io/mpi_peers.hpp"
#endif

int main(int argc, char** argv) {
#ifdef RICOCHET_WITH_MPI
  return ricochet::commandLine(argc, argv, ricochet::mpiPeers);
#else
  return ricochet::commandLine(argc, argv);
#endif
}
