# SPDX-License-Identifier: MIT
# build/<preset>/palstudy-report: a launcher of experiments/report beside the program, with a Python that has its modules.
# Where none is found the launcher looks again when it runs, and says what is missing; palstudy itself needs no Python.
set(PALSTUDY_REPORT_MODULES h5py matplotlib numpy pandas)
if(NOT PALSTUDY_PYTHON)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  # The system's own first: that is where the distribution's packages are, whatever stands before it on PATH.
  foreach(candidate /usr/bin/python3 ${Python3_EXECUTABLE})
    execute_process(COMMAND ${candidate} -c "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
                            ${PALSTUDY_REPORT_MODULES}
                    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(PALSTUDY_PYTHON ${candidate} CACHE FILEPATH "The Python that palstudy-report runs with")
      break()
    endif()
  endforeach()
endif()
if(NOT PALSTUDY_PYTHON)
  message(STATUS "no Python with ${PALSTUDY_REPORT_MODULES}: palstudy-report will ask for it; scripts/packages.txt names the packages")
endif()
# palstudy_report_launcher(<file> <folder>): a launcher for the report in that folder, which may begin with $here, the launcher's.
function(palstudy_report_launcher file folder)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/palstudy-report.in ${file} @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
palstudy_report_launcher(${CMAKE_BINARY_DIR}/palstudy-report ${CMAKE_SOURCE_DIR}/experiments/report)
