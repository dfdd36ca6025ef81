// Compiled with -mavx2 -mfma.
#define Eigen Eigen_avx2
#define ATTN_TABLE avx2
#define ATTN_TABLE_NAME "avx2"
#include "core/kernels_body.inc"
