/* CHOLMOD for solid_basis.py: the factorization of the lower triangle of a definite matrix, and solutions. */
#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct Shim {
  cholmod_common common;
  cholmod_factor* factor;
};

void* shim_factorize(int n, int* start, int* rows, double* values) {
  struct Shim* shim = calloc(1, sizeof(struct Shim));
  if (shim == NULL) return NULL;
  cholmod_start(&shim->common);
  cholmod_sparse matrix;
  memset(&matrix, 0, sizeof matrix);
  matrix.nrow = matrix.ncol = (size_t)n;
  matrix.nzmax = (size_t)start[n];
  matrix.p = start;
  matrix.i = rows;
  matrix.x = values;
  matrix.stype = -1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
  shim->factor = cholmod_analyze(&matrix, &shim->common);
  cholmod_factorize(&matrix, shim->factor, &shim->common);
  if (shim->common.status == CHOLMOD_OK) return shim;
  cholmod_free_factor(&shim->factor, &shim->common);
  cholmod_finish(&shim->common);
  free(shim);
  return NULL;
}

void shim_solve(void* handle, double* x) {
  struct Shim* shim = handle;
  cholmod_dense right;
  memset(&right, 0, sizeof right);
  right.nrow = right.d = right.nzmax = shim->factor->n;
  right.ncol = 1;
  right.x = x;
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  cholmod_dense* solution = cholmod_solve(CHOLMOD_A, shim->factor, &right, &shim->common);
  memcpy(x, solution->x, shim->factor->n * sizeof(double));
  cholmod_free_dense(&solution, &shim->common);
}
