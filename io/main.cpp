#include "io/app/commands/commands.hpp"

#ifdef RICOCHET_WITH_MPI
#include "io/app/batch/mpi_peers.hpp"
#endif

int main(int argc, char** argv) {
  ricochet::openStandardStreams();
#ifdef RICOCHET_WITH_MPI
  ricochet::MpiSession mpi;
  return mpi.end(ricochet::commandLine(argc, argv, [&] { return mpi.peers(); }));
#else
  return ricochet::commandLine(argc, argv);
#endif
}
