# SPDX-License-Identifier: MIT
# palstudy_build_info(<source>): tells one file of what, and how, the program was built; archives carry it. The commit is
# that of the last configure.
function(palstudy_build_info source)
  if(NOT PALSTUDY_COMMIT)
    set(PALSTUDY_COMMIT unknown)
    find_package(Git QUIET)
    if(Git_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
      execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
                      OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
      if(status EQUAL 0)
        set(PALSTUDY_COMMIT ${described})
      endif()
    endif()
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -ffp-contract=off" flags)
  if(PALSTUDY_NATIVE)
    string(APPEND flags " -march=native")
  endif()
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS
    "PALSTUDY_VERSION=\"${PROJECT_VERSION}\";PALSTUDY_COMMIT=\"${PALSTUDY_COMMIT}\";PALSTUDY_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";PALSTUDY_FLAGS=\"${flags}\"")
endfunction()
