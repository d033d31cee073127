// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>

#include <string>

#include "kernels/cuda/library/shared_library.hpp"

namespace palstudy {

inline void check_cublas(cublasStatus_t status, const std::string& what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw fault("cuBLAS failed with code " + std::to_string(status), what);
}

/// cuBLAS with a handle for one stream.
class Cublas {
 public:
  explicit Cublas(void* stream) : library_("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR)) {
    library_.load(create_, "cublasCreate_v2");
    library_.load(destroy_, "cublasDestroy_v2");
    library_.load(set_stream_, "cublasSetStream_v2");
    library_.load(sgemm, "cublasSgemm_v2");
    library_.load(gemm_ex, "cublasGemmEx");
    check_cublas(create_(&handle), "cublasCreate");
    check_cublas(set_stream_(handle, static_cast<cudaStream_t>(stream)), "cublasSetStream");
  }
  ~Cublas() { destroy_(handle); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  cublasHandle_t handle = nullptr;
  decltype(&cublasSgemm_v2) sgemm = nullptr;
  // Named by type: the header also overloads it for C++.
  cublasStatus_t (*gemm_ex)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                            const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                            cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t) = nullptr;

 private:
  SharedLibrary library_;
  decltype(&cublasCreate_v2) create_ = nullptr;
  decltype(&cublasDestroy_v2) destroy_ = nullptr;
  decltype(&cublasSetStream_v2) set_stream_ = nullptr;
};

}  // namespace palstudy
