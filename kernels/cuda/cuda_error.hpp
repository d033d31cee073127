// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/error.hpp"

#ifndef PALSTUDY_EMULATE
#include <cuda_runtime.h>

namespace palstudy {

/// Errors (fault): a call of CUDA that failed, with its name and reason.
inline void check_cuda(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // forgotten, so that the next call does not give it once more
  throw fault(std::string(cudaGetErrorString(status)), what);
}

}  // namespace palstudy
#endif
