# SPDX-License-Identifier: MIT
# What `cmake --install` copies. Data and scripts stand under PREFIX/share/palstudy in the folders that they have in the
# source tree, so that studies name each other and their traces alike from both. No file holds a path of this machine.
set(data ${CMAKE_INSTALL_DATADIR}/palstudy)
install(TARGETS palstudy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY experiments jobs hdf5-schemas slurm-scripts LICENSES DESTINATION ${data} USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY kernels/measurements DESTINATION ${data}/kernels)
install(FILES LICENSE DESTINATION ${data})
install(FILES scripts/mpi-env.sh DESTINATION ${data}/scripts)
if(EXISTS ${CMAKE_SOURCE_DIR}/python)
  install(DIRECTORY python DESTINATION ${data} PATTERN __pycache__ EXCLUDE)
endif()
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# palstudy-report finds its modules from where it lies itself.
file(RELATIVE_PATH from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/palstudy)
palstudy_report_launcher(${CMAKE_BINARY_DIR}/install/palstudy-report "$here/${from_program}/experiments/report")
install(PROGRAMS ${CMAKE_BINARY_DIR}/install/palstudy-report DESTINATION ${CMAKE_INSTALL_BINDIR})
