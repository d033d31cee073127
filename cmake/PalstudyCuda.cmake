# SPDX-License-Identifier: MIT
# CUDA where there is an nvcc, for what its version takes. Included at the top, because whatever links the kernels has to
# know the language.
include(PalstudyCudaArchitectures)
if(PALSTUDY_CUDA)
  include(CheckLanguage)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(choose_architectures TRUE)
    set(CMAKE_CUDA_ARCHITECTURES 90) # for the check
  endif()
  check_language(CUDA)
  if(choose_architectures AND CMAKE_CUDA_COMPILER)
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
    string(REGEX MATCH "release ([0-9.]+)" matched "${nvcc_says}")
    palstudy_cuda_architectures(CMAKE_CUDA_ARCHITECTURES "${CMAKE_MATCH_1}")
  endif()
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
  # CUDA 12 warns that 13 will not compile for 70.
  add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Wno-deprecated-gpu-targets>)
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
else()
  # Not unset(): that would bring the cache's to light again, where the folder was configured with CUDA before.
  set(CMAKE_CUDA_COMPILER "")
  message(STATUS "no CUDA: the kernels are built for the host alone")
endif()
