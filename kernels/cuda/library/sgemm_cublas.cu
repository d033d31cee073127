// SPDX-License-Identifier: MIT
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/library/cublas.hpp"

namespace palstudy {
namespace {

/// cuBLAS stores by columns, so our C = A B is its C' = B' A'.
CudaLaunch make_sgemm(const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
  const auto n = static_cast<int>(params.number("n"));
  const auto cublas = std::make_shared<Cublas>(stream);
  return [=] {
    const float one = 1, zero = 0;
    check_cublas(
        cublas->sgemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, static_cast<const float*>(arrays[1]), n,
                      static_cast<const float*>(arrays[0]), n, &zero, static_cast<float*>(arrays[2]), n),
        "cublasSgemm");
  };
}

}  // namespace

void register_cuda_library_kernel_sgemm_cublas(CudaKernelRegistry& registry) {
  registry.add({"sgemm-cublas", "", {}, make_sgemm});
}

}  // namespace palstudy
