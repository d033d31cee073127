# SPDX-License-Identifier: MIT
# What a user may switch, and the flags that every file of ours is compiled with.
option(PALSTUDY_TESTS "Build the tests" ON)
option(PALSTUDY_BENCHMARKS "Build the benchmarks" OFF)
option(PALSTUDY_FUZZERS "Build the libFuzzer targets (clang only)" OFF)
option(PALSTUDY_FULL "Register the tests that take long, which build further presets" OFF)
option(PALSTUDY_UNIT_TESTS "Build all unit tests here with PALSTUDY_FULL too, which leaves them to the sanitizers" OFF)
option(PALSTUDY_CUDA "Build the CUDA kernels, where nvcc is found" ON)
option(PALSTUDY_WERROR "Treat warnings as errors" OFF)
set(PALSTUDY_NATIVE OFF CACHE STRING "Compile for the processor at hand: ON, or RESULTS for the rooms alone that results are computed in")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Contracted multiply-adds would make a result depend on the processor (design rule: the result is a function of the study).
add_library(palstudy_flags INTERFACE)
target_compile_options(palstudy_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion>)
if(NOT CMAKE_UNITY_BUILD) # of several files compiled as one GCC warns of more than clang-tidy, which looks for shadows there
  target_compile_options(palstudy_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>)
endif()
target_compile_options(palstudy_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
# GCC 12 sees an overlap in every concatenation of strings (its bug 105329).
target_compile_options(palstudy_flags INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
if(PALSTUDY_WERROR)
  target_compile_options(palstudy_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:PALSTUDY_NO_WERROR>>>>:-Werror>)
endif()
if(PALSTUDY_NATIVE AND NOT PALSTUDY_NATIVE STREQUAL "RESULTS")
  target_compile_options(palstudy_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()
