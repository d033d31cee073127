# SPDX-License-Identifier: MIT
# Header-only libraries that bring no description for CMake. palstudy_headers(<target> <header> <Debian's package> <spack's>):
# an imported target for what includes the header, wherever CMAKE_PREFIX_PATH has it.
function(palstudy_headers target header package spack)
  string(REGEX REPLACE "::.*" "" name ${target})
  find_path(${name}_INCLUDE_DIR ${header} DOC "The folder that holds ${header}")
  mark_as_advanced(${name}_INCLUDE_DIR)
  if(NOT ${name}_INCLUDE_DIR)
    message(FATAL_ERROR "${name} was not found: no folder with ${header}. Install ${package} (Debian) or ${spack} (spack), or "
                        "name the prefix that has include/${header} with -D CMAKE_PREFIX_PATH=...")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${${name}_INCLUDE_DIR})
endfunction()
