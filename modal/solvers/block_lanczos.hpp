#pragma once

#include "modal/solvers/dense_modes.hpp"
#include "modal/solvers/elastic_inverse.hpp"

#include <optional>

namespace ricochet {

/// How a block Krylov space is grown. The defaults suit a factor whose columns share one pass over it.
struct BlockLanczosOptions {
  int block{8};             ///< vectors solved for together
  int room{100};            ///< vectors kept beside those looked for, as many as those at least
  int restarts{60};         ///< then it gives up
  double tolerance{1e-12};  ///< |OP x - theta x| over theta, in the norm of M
  unsigned seed{1};         ///< of the vectors it starts from
};

/// The lowest `modes` elastic eigenpairs of K phi = lambda M phi by block Lanczos with thick restart on OP =
/// K^+ M: every new block is orthogonalised against all before it, twice, in the scalar product of M; when
/// the space is full it is cut back to its best Ritz vectors (K. Wu, H. Simon, SIAM J. Matrix Anal. Appl. 22
/// (2000) 602-616, with blocks: R.G. Grimes, J.G. Lewis, H.D. Simon, SIAM J. Matrix Anal. Appl. 15 (1994)
/// 228-272). A multiplet of up to `block` copies is found like any other. Increasing values, M-orthonormal
/// vectors; nothing when it does not converge.
///
/// `available`: how many elastic modes there are, which the subspace stays below.
std::optional<Eigenpairs> blockLanczos(const ElasticInverse& inverse, int modes, int available,
                                       const BlockLanczosOptions& options = {});

}  // namespace ricochet
