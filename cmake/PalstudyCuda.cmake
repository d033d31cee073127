# SPDX-License-Identifier: MIT
# CUDA where there is an nvcc, for A100 and Hopper, and by PTX for what comes; CUDA 13 takes nothing under 75. Included
# at the top, because whatever links the kernels has to know the language.
if(PALSTUDY_CUDA)
  include(CheckLanguage)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
  endif()
  check_language(CUDA)
endif()
if(PALSTUDY_CUDA AND CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  find_package(CUDAToolkit 12.0 REQUIRED)
  # CMake 3.25 knows no C++20 for CUDA.
  if(NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
else()
  # Not unset(): that would bring the cache's to light again, where the folder was configured with CUDA before.
  set(CMAKE_CUDA_COMPILER "")
  message(STATUS "no CUDA: the kernels are built for the host alone")
endif()
