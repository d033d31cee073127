// SPDX-License-Identifier: MIT
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/library/cublas.hpp"

namespace palstudy {
namespace {

/// cuBLAS stores by columns, so our C = A B is its C' = B' A'.
CudaLaunch make_gemm_tc(const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
  const auto n = static_cast<int>(params.number("n"));
  const cudaDataType type = params.text("type") == "bf16" ? CUDA_R_16BF : CUDA_R_16F;
  const auto cublas = std::make_shared<Cublas>(stream);
  return [=] {
    const float one = 1, zero = 0;
    check_cublas(cublas->gemm_ex(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, arrays[1], type, n, arrays[0],
                                 type, n, &zero, arrays[2], CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx");
  };
}

}  // namespace

void register_cuda_library_kernel_gemm_tc_cublas(CudaKernelRegistry& registry) {
  registry.add({"gemm-tc-cublas", "", {}, make_gemm_tc});
}

}  // namespace palstudy
