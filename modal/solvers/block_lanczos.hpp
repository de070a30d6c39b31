#pragma once

#include "modal/solvers/dense_modes.hpp"
#include "modal/solvers/elastic_inverse.hpp"

#include <optional>

namespace ricochet {

/// Parameters of the block Krylov subspace. The defaults suit a factor that solves all columns of a block in
/// one pass.
struct BlockLanczosOptions {
  int block{8};      ///< number of vectors per block
  int room{100};     ///< size of the subspace in excess of the requested vectors; at least their number
  int restarts{60};  ///< largest number of restarts before the iteration fails
  double tolerance{1e-12};  ///< limit of |OP x - theta x| / theta in the norm of M
  unsigned seed{1};         ///< seed of the random start vectors
};

/// The lowest `modes` elastic eigenpairs of K phi = lambda M phi by block Lanczos with thick restart on OP =
/// K^+ M: every new block is orthogonalised twice against all earlier blocks, in the scalar product of M; a
/// full subspace is reduced to its best Ritz vectors (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000)
/// 602-616, with blocks: R.G. Grimes, J.G. Lewis, H.D. Simon, SIAM J. Matrix Anal. Appl. 15 (1994) 228-272).
/// Multiple eigenvalues of multiplicity up to `block` are found. Returns increasing values and M-orthonormal
/// vectors; empty if the iteration does not converge.
///
/// `available`: number of elastic modes, an upper limit for the size of the subspace.
std::optional<Eigenpairs> lowestModesByBlockLanczos(const ElasticInverse& inverse, int modes, int available,
                                                    const BlockLanczosOptions& options = {});

}  // namespace ricochet
