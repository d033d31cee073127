# SPDX-License-Identifier: MIT
# palstudy_cuda_architectures(<result> <version of nvcc>): what the kernels are compiled for. 70: V100, which CUDA 13 no
# longer takes; 75: RTX 5000 and T4; 80: A100, and all of 8.x; 90: H100 and H200, and by PTX what comes.
function(palstudy_cuda_architectures result version)
  set(architectures 75-real 80-real 90-real 90-virtual)
  if(version AND version VERSION_LESS 13)
    list(PREPEND architectures 70-real)
  endif()
  set(${result} ${architectures} PARENT_SCOPE)
endfunction()
