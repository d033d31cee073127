# SPDX-License-Identifier: MIT
# palstudy_build_info(<room> <source>): tells one file of what, and how, the program was built; archives carry it. The commit
# is that of the tree at each build, so that no archive names an older one: run as a script with COMMIT_HEADER, this file
# writes it where it has changed.
function(palstudy_build_info room source)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -ffp-contract=off" flags)
  if(PALSTUDY_NATIVE)
    string(APPEND flags " -march=native")
  endif()
  set(header ${CMAKE_BINARY_DIR}/generated/core/commit.hpp)
  set(write_commit ${CMAKE_COMMAND} -DCOMMIT_HEADER=${header} -DTREE=${CMAKE_SOURCE_DIR} -DPALSTUDY_COMMIT=${PALSTUDY_COMMIT}
      -P ${CMAKE_SOURCE_DIR}/cmake/PalstudyBuildInfo.cmake)
  execute_process(COMMAND ${write_commit} COMMAND_ERROR_IS_FATAL ANY) # for those who read the sources without a build
  add_custom_target(palstudy_commit BYPRODUCTS ${header} VERBATIM COMMENT "" COMMAND ${write_commit})
  add_dependencies(${room} palstudy_commit)
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/generated
    COMPILE_DEFINITIONS "PALSTUDY_VERSION=\"${PROJECT_VERSION}\";PALSTUDY_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";PALSTUDY_FLAGS=\"${flags}\"")
endfunction()

if(COMMIT_HEADER)
  find_package(Git QUIET)
  if(NOT PALSTUDY_COMMIT AND Git_FOUND AND EXISTS ${TREE}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${TREE}
                    OUTPUT_VARIABLE PALSTUDY_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT PALSTUDY_COMMIT)
    set(PALSTUDY_COMMIT unknown)
  endif()
  file(CONFIGURE OUTPUT ${COMMIT_HEADER} CONTENT "#define PALSTUDY_COMMIT \"${PALSTUDY_COMMIT}\"\n" @ONLY)
endif()
