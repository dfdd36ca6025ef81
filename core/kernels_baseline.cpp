#define Eigen Eigen_baseline
#define ATTN_TABLE baseline
#define ATTN_TABLE_NAME "baseline"
#include "core/kernels_body.inc"
